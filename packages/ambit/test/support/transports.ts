/** Every way in which a request reaches an application, asked through one interface. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as netConnect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as tlsConnect } from 'node:tls';
import type { AmbitOptions, Context } from 'ambit';
import { onTestFinished } from 'vitest';
import { cert, key } from '../fixtures/certificate.ts';
import { isShort } from './combine.ts';
import { portOf, servePort } from './serve.ts';
import { fetchFrom } from './web-transport.ts';

export interface RequestSpec {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** A stream is sent without a length where the wire allows that. */
  body?: string | Buffer | Readable;
  /** Aborted, the client leaves. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  /** A field that came several times is an array. */
  headers: Record<string, string | string[] | undefined>;
  /** The content as it arrives. A response that is cut off fails it. */
  content: Readable;
}

export interface Transport {
  readonly name: string;
  readonly options: AmbitOptions;
  readonly scheme: 'http' | 'https';
  /** Sends one request; resolves with the head of its response. */
  ask(app: Context, request?: RequestSpec): Promise<Answer>;
}

const ports = new WeakMap<Context, Promise<number>>();

/** The port of an application that listens from its first request on. */
async function portFor(app: Context): Promise<number> {
  if (app.server.listening) return portOf(app);
  const port = ports.get(app) ?? servePort(app);
  ports.set(app, port);
  return port;
}

function send(outgoing: NodeJS.WritableStream, body: RequestSpec['body']): void {
  if (body instanceof Readable) body.pipe(outgoing);
  else if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

function askHttp1(request: typeof httpRequest): Transport['ask'] {
  return async (app, { method = 'GET', path = '/', headers = {}, body, signal } = {}) => {
    const target = { host: '127.0.0.1', port: await portFor(app), servername: 'localhost', ca: cert };
    const length = body === undefined || body instanceof Readable ? {} : { 'content-length': lengthOf(body) };
    const options = { ...target, agent: false, method, path, headers: { ...length, ...headers } };
    const outgoing = request(options).on('error', () => {});
    signal?.addEventListener('abort', () => outgoing.destroy());
    send(outgoing, body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, headers: response.headers, content: response };
  };
}

function lengthOf(body: string | Buffer): string {
  return String(Buffer.byteLength(body));
}

const connectHttp2 = {
  http: (port: number) => netConnect(port, '127.0.0.1'),
  https: (port: number) =>
    tlsConnect({ port, host: '127.0.0.1', servername: 'localhost', ca: cert, ALPNProtocols: ['h2'] }),
};

function askHttp2(scheme: 'http' | 'https'): Transport['ask'] {
  return async (app, { method = 'GET', path = '/', headers = {}, body, signal } = {}) => {
    const port = await portFor(app);
    const socket = connectHttp2[scheme](port);
    const session = connect(`${scheme}://localhost:${port}`, { createConnection: () => socket });
    onTestFinished(() => void socket.destroy());
    session.on('error', () => {});
    const head = { ':method': method, ':path': path, ...headers };
    const stream = session.request(head, { endStream: body === undefined }).on('error', () => {});
    // The socket, because the end of a session may wait for the other side. A turn later, so that node sends its last frames.
    stream.once('close', () => setImmediate(() => socket.destroy()));
    signal?.addEventListener('abort', () => stream.destroy());
    send(stream, body);
    type Head = IncomingHttpHeaders & { ':status': number };
    const [received] = (await once(stream, 'response')) as [Head];
    return { status: received[':status'], headers: received, content: stream };
  };
}

const askInject: Transport['ask'] = async (
  app,
  { method = 'GET', path = '/', headers = {}, ...rest } = {},
) => {
  const { body, signal } = rest;
  const options = { method, url: path, headers, payload: body, signal, payloadAsStream: true };
  const response = await app.inject(options as never);
  const content = (response as unknown as { stream(): Readable }).stream();
  return { status: response.statusCode, headers: response.headers as Answer['headers'], content };
};

function askWeb(fetchWith: (app: Context, request: Request) => Promise<Response>): Transport['ask'] {
  return async (app, { method = 'GET', path = '/', headers = {}, body = null, signal } = {}) => {
    const content = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : body;
    const init = { method, headers, body: content, duplex: 'half', ...(signal && { signal }) };
    const response = await fetchWith(app, new Request(`https://localhost${path}`, init as RequestInit));
    const cookies = response.headers.getSetCookie();
    return {
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
        ...(cookies.length > 0 && { 'set-cookie': cookies }),
      },
      content: response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never),
    };
  };
}

const tls = { key, cert };

export const allTransports: readonly Transport[] = [
  { name: 'HTTP/1.1', options: {}, scheme: 'http', ask: askHttp1(httpRequest) },
  {
    name: 'HTTPS',
    options: { https: tls },
    scheme: 'https',
    ask: askHttp1(httpsRequest as typeof httpRequest),
  },
  {
    name: "HTTP/1.1 on node's server",
    options: { engine: 'node' },
    scheme: 'http',
    ask: askHttp1(httpRequest),
  },
  {
    name: "HTTPS on node's server",
    options: { https: tls, engine: 'node' },
    scheme: 'https',
    ask: askHttp1(httpsRequest as typeof httpRequest),
  },
  { name: 'HTTP/2', options: { http2: true }, scheme: 'http', ask: askHttp2('http') },
  { name: 'HTTP/2 over TLS', options: { http2: true, https: tls }, scheme: 'https', ask: askHttp2('https') },
  { name: 'inject', options: {}, scheme: 'http', ask: askInject },
  { name: 'fetch', options: {}, scheme: 'https', ask: askWeb((app, request) => app.fetch(request)) },
];

/** Those that differ from another one only by TLS. CI and the nightly run also ask over them. */
const pairs = ['HTTPS', "HTTPS on node's server", 'HTTP/2'];

export const transports: readonly Transport[] =
  (process.env.TEST_LEVEL ?? 'test') === 'test'
    ? allTransports.filter(({ name }) => !pairs.includes(name))
    : allTransports;

/** Those to ask a flavor over. In a short run, the facade has one: what it adds sees no transport. */
export function transportsFor(
  flavor: string,
  among: readonly Transport[] = transports,
): readonly Transport[] {
  return isShort && flavor === 'the facade' ? among.slice(0, 1) : among;
}

/** A transport that is not part of the package: whoever writes another one meets nothing that only those of the package know. */
export const exampleTransport: Transport = {
  name: 'the example on web standards',
  options: {},
  scheme: 'https',
  ask: askWeb(fetchFrom),
};

/** The text of an answer. */
export function textOf({ content }: Answer): Promise<string> {
  return text(content);
}

/** Reads on until the text contains the part, and leaves what comes after. Returns what it has read. */
export async function readUntil({ content }: Answer, part: string): Promise<string> {
  let read = '';
  for await (const chunk of content.iterator({ destroyOnReturn: false })) {
    read += chunk;
    if (read.includes(part)) return read;
  }
  throw new Error(`the response ended without ${part}: ${read}`);
}
