/** Clients that each leave their connection in one of the states that a connection can have when the application closes. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import { cert } from '../../../ambit/test/fixtures/certificate.ts';

/** Brings a connection into its state. The inner promise resolves when the server has ended the connection, with the received statuses. */
export type Client = (port: number) => Promise<{ answers: Promise<number[]> }>;
export type Open = (port: number) => Promise<Socket>;

export const openPlain: Open = async (port) => {
  // Half open, so that the server ends the connection, never the client.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
};

export const openTls: Open = async (port) => {
  const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: cert });
  await once(socket, 'secureConnect');
  return socket;
};

function sending(open: Open, text: string | Buffer, until = ''): Client {
  return async (port) => {
    const socket = await open(port);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    const ended = Promise.race([once(socket, 'end'), once(socket, 'close')]);
    socket.write(text);
    while (!received.includes(until)) await once(socket, 'data');
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    return { answers: ended.then(statuses) };
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n';

export interface State {
  readonly client: Client;
  /** How many requests have arrived, at least their heads. */
  readonly requests: number;
  /** The statuses that the client receives if the application begins to close in this state. */
  readonly answers: readonly number[];
  /** The statuses on a slow machine, if the client's time limit ends before the application begins to close. */
  readonly lateAnswers?: readonly number[];
}

/** States of a connection that speaks HTTP/1.1. */
export const http1States = (open: Open): Record<string, State> => ({
  'nothing sent': { client: sending(open, ''), requests: 0, answers: [], lateAnswers: [408] },
  'half a head': { client: sending(open, 'GET / HTTP/1.1\r\nHo'), requests: 0, answers: [408] },
  'an answer, and half a head': {
    client: sending(open, `${get('/')}GET / HTTP/1.1\r\nHo`, 'quick'),
    requests: 1,
    answers: [200, 408],
  },
  'a head without its body': { client: sending(open, post), requests: 1, answers: [408] },
  'half a body': { client: sending(open, `${post}ab`), requests: 1, answers: [408] },
  'an answer, and half a body': {
    client: sending(open, `${get('/')}${post}ab`, 'quick'),
    requests: 2,
    answers: [200, 408],
  },
  'an answer, and idle': { client: sending(open, get('/'), 'quick'), requests: 1, answers: [200] },
  'a request that is being answered': { client: sending(open, get('/slow')), requests: 1, answers: [200] },
  'two requests that are being answered': {
    client: sending(open, get('/slow') + get('/slow')),
    requests: 2,
    answers: [200, 200],
  },
});

/** States of a connection whose TLS handshake has not ended. */
export const handshakeStates: Record<string, State> = {
  'no handshake': { client: sending(openPlain, ''), requests: 0, answers: [] },
  'a part of a handshake': {
    client: sending(openPlain, Buffer.from('160301020001', 'hex')),
    requests: 0,
    answers: [],
  },
};

interface Stream {
  path: string;
  body?: string;
  /** Whether the body is all there. */
  isWhole?: boolean;
}

function session(scheme: 'http' | 'https', streams: Stream[], untilAnswered: boolean): Client {
  return async (port) => {
    const client = connectHttp2(`${scheme}://localhost:${port}`, { ca: cert, host: '127.0.0.1' });
    client.on('error', () => {});
    onTestFinished(() => client.destroy());
    const closed = once(client, 'close');
    await once(client, 'remoteSettings');
    const answers: number[] = [];
    const answered = streams.map(({ path, body = '', isWhole = true }) => {
      const method = body === '' && isWhole ? 'GET' : 'POST';
      const stream = client.request(
        { ':path': path, ':method': method, ...(method === 'POST' && { 'content-type': 'text/plain' }) },
        { endStream: method === 'GET' },
      );
      stream.on('error', () => {}).resume();
      if (body !== '') stream.write(body);
      if (isWhole) stream.end();
      return once(stream, 'response').then(([headers]) => answers.push(headers[':status']));
    });
    if (untilAnswered) await Promise.all(answered);
    return { answers: closed.then(() => answers) };
  };
}

/** States of an HTTP/2 session. */
export const http2States = (scheme: 'http' | 'https'): Record<string, State> => ({
  'a session without a stream': { client: session(scheme, [], true), requests: 0, answers: [] },
  'an idle session': { client: session(scheme, [{ path: '/' }], true), requests: 1, answers: [200] },
  'a stream that is being answered': {
    client: session(scheme, [{ path: '/slow' }], false),
    requests: 1,
    answers: [200],
  },
  'a stream without its body': {
    client: session(scheme, [{ path: '/', isWhole: false }], false),
    requests: 1,
    answers: [408],
  },
  'a stream with half a body': {
    client: session(scheme, [{ path: '/', body: 'ab', isWhole: false }], false),
    requests: 1,
    answers: [408],
  },
  'streams in several states': {
    client: session(scheme, [{ path: '/slow' }, { path: '/', body: 'ab', isWhole: false }], false),
    requests: 2,
    answers: [200, 408],
  },
});

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const emptySettings = Buffer.from('000000040000000000', 'hex');

/** States of a connection to a server of HTTP/2 in clear text, before it is a session or if its client does not end it. */
export const clearHttp2States: Record<string, State> = {
  'nothing sent': { client: sending(openPlain, ''), requests: 0, answers: [] },
  'half a preface': { client: sending(openPlain, preface.slice(0, 9)), requests: 0, answers: [] },
  'a client that never ends its side': {
    client: sending(openPlain, Buffer.concat([Buffer.from(preface), emptySettings])),
    requests: 0,
    answers: [],
  },
};
