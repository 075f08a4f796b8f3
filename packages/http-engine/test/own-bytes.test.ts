/** No client gets bytes of another answer: what a socket was given to write is never changed, however late it sends it. */
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';

/** A text of a client and a request alone. */
function textOf(target: string, length: number): string {
  return `<${target}>`.repeat(Math.ceil(length / (target.length + 2))).slice(0, length);
}

const lengths = [1023, 1024, 1025, 5000, 20_000, 21_162, 21_163, 30_000, 90_000];

function answer(exchange: Exchange): void {
  const index = Number(exchange.target.split('-')[1]);
  exchange.respond(200, {}, textOf(exchange.target, lengths[index % lengths.length]!));
}

function expectAnswers(received: string, targets: readonly string[]): void {
  const expected = targets.map((target, i) => textOf(target, lengths[i % lengths.length]!));
  const bodies = received.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s).slice(1);
  expect(bodies.map((body, i) => body === expected[i])).toEqual(targets.map(() => true));
}

for (const isPipelined of [false, true]) {
  test(`answers of clients that read slowly are their own, ${isPipelined ? 'in pipelines' : 'one after another'}`, async () => {
    const { connect } = await serve(answer);
    const clients = await Promise.all(Array.from({ length: 20 }, connect));
    const targets = clients.map((_, client) => Array.from({ length: 60 }, (_, i) => `/${client}-${i}`));
    for (const client of clients) client.socket.pause();
    for (const [i, client] of clients.entries()) {
      const requests = targets[i]!.map((target) => get(target));
      if (isPipelined) client.send(requests.join(''));
      else for (const request of requests) client.send(request);
    }
    await passTurns(100);
    for (const client of clients) client.socket.resume();
    for (const [i, client] of clients.entries()) {
      await client.expectText(`</${i}-59><`);
      await vi.waitFor(() => expectAnswers(client.received, targets[i]!));
    }
  });
}

test('clients that leave in the midst of answers change nothing for the others', async () => {
  const { connect } = await serve(answer);
  const leaving = await Promise.all(Array.from({ length: 20 }, connect));
  for (const client of leaving) {
    client.socket.pause();
    client.send(Array.from({ length: 100 }, (_, i) => get(`/secret-${i}`)).join(''));
  }
  await passTurns(20);
  for (const client of leaving) client.socket.resetAndDestroy();
  const client = await connect();
  const targets = Array.from({ length: 200 }, (_, i) => `/own-${i}`);
  client.send(targets.map((target) => get(target)).join(''));
  await client.expectText('</own-199><');
  await vi.waitFor(() => expectAnswers(client.received, targets));
  expect(client.received).not.toContain('secret');
});

/** What a socket was given to write. It reads from it only when the test does, but has said before that everything is written. */
type Kept = (string | Uint8Array)[];

type Done = (error?: Error | null) => void;
interface Chunk {
  readonly chunk: Uint8Array;
}

/** Sockets that do not write with node's own code, as those of libraries that tunnel, record or slow down connections. */
const sockets: Readonly<Record<string, (kept: Kept) => Socket>> = {
  'its own `write`': (kept) =>
    Object.assign(new Socket(), {
      write: (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
        kept.push(chunk);
        (rest.find((arg) => typeof arg === 'function') as Done | undefined)?.();
        return true;
      },
    }),
  'its own `_write`': (kept) =>
    Object.assign(new Socket(), {
      _writev: null,
      _write: (chunk: Uint8Array, _encoding: string, done: Done): void => {
        kept.push(chunk);
        done();
      },
    }),
  'its own `_writev`': (kept) =>
    Object.assign(new Socket(), {
      _writev: (chunks: Chunk[], done: Done): void => {
        kept.push(...chunks.map(({ chunk }) => chunk));
        done();
      },
      _write: (chunk: Uint8Array, _encoding: string, done: Done): void => {
        kept.push(chunk);
        done();
      },
    }),
  'a class with its own `_writeGeneric`': (kept) => {
    class OwnSocket extends Socket {
      _writeGeneric(isList: boolean, data: unknown, _encoding: string, done: Done): void {
        if (isList) for (const { chunk } of data as Chunk[]) kept.push(chunk);
        else kept.push(data as Uint8Array);
        done();
      }
    }
    return new OwnSocket();
  },
  'a handle in JavaScript': (kept) => {
    const keep = (_request: unknown, data: string | Uint8Array): number => {
      kept.push(data);
      return 0;
    };
    const handle = {
      readStart: () => 0,
      readStop: () => 0,
      writeBuffer: keep,
      writeUtf8String: keep,
      writeLatin1String: keep,
      writeAsciiString: keep,
      writev: (_request: unknown, chunks: (string | Uint8Array)[], allBuffers: boolean): number => {
        kept.push(...chunks.filter((_, i) => allBuffers || i % 2 === 0));
        return 0;
      },
      shutdown: () => 1,
      close: () => {},
    };
    return new Socket({ handle } as object);
  },
  'a stream under it': (kept) => {
    const stream = new Duplex({
      read: () => {},
      write: (chunk: Uint8Array, _encoding, done) => {
        kept.push(chunk);
        done();
      },
    });
    // Not a socket, so node serves it.
    return stream as Socket;
  },
};

const contents: Readonly<Record<string, (exchange: Exchange, text: string) => void>> = {
  'a short text': (exchange, text) => exchange.respond(200, {}, text.slice(0, 100)),
  'a long text': (exchange, text) => exchange.respond(200, {}, text.slice(0, 5000)),
  'a text beyond ASCII': (exchange, text) => exchange.respond(200, {}, `${text.slice(0, 5000)}é中`),
  'a text of 90 KB': (exchange, text) => exchange.respond(200, {}, text),
  bytes: (exchange, text) => exchange.respond(200, {}, Buffer.from(text.slice(0, 5000))),
  'many bytes': (exchange, text) => exchange.respond(200, {}, Buffer.from(text)),
  'an error of the engine': (exchange, text) => exchange.respond(404, { 'x-a': text.slice(0, 100) }),
  'a stream': (exchange, text) => {
    exchange.writeHead(200);
    exchange.write(text.slice(0, 5000));
    exchange.end(Buffer.from(text));
  },
};

const toText = (kept: Kept): string =>
  kept.map((each) => (typeof each === 'string' ? each : Buffer.from(each).toString('latin1'))).join('');

describe.each(Object.entries(sockets))('clients of a socket with %s', (_name, make) => {
  test.each(Object.entries(contents))('get their own bytes of %s', async (_content, respond) => {
    const { server } = await serve((exchange) => respond(exchange, textOf(exchange.target, 90_000)));
    const keptOf = new Map<string, Kept>();
    for (const name of ['AAAA', 'BBBB', 'CCCC', 'DDDD']) {
      const kept: Kept = [];
      const socket = make(kept);
      keptOf.set(name, kept);
      server.emit('connection', socket);
      socket.push(Buffer.from(get(`/${name}`).repeat(3)));
    }
    await vi.waitFor(() => {
      for (const [name, kept] of keptOf) expect(toText(kept).split(`</${name}>`).length).toBeGreaterThan(18);
    });
    await passTurns();
    for (const [name, kept] of keptOf) {
      expect(new Set(toText(kept).match(/AAAA|BBBB|CCCC|DDDD/g))).toEqual(new Set([name]));
      expect(toText(kept).match(/HTTP\/1\.1 /g)).toHaveLength(3);
    }
  });
});

for (const [title, text] of Object.entries({
  'beyond ASCII': 'grüße 😀 '.repeat(300),
  'with halves of surrogate pairs': `${'x'.repeat(2000)}\ud800${'y'.repeat(2000)}\udfff`,
  'of three bytes a character': '中'.repeat(21_162),
})) {
  test(`a text ${title} is whole, and its length right`, async () => {
    const { port } = await serve((exchange) => exchange.respond(200, {}, text));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(Buffer.from(text))).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  });
}

test('a text that cannot be sent leaves no trace in the next answer', async () => {
  const { connect } = await serve((exchange) => {
    expect(() => exchange.respond(200, { 'x-a': 'a\n' }, 'secret '.repeat(500))).toThrow();
    exchange.respond(200, { 'content-length': 3 }, 'own'.repeat(1));
  });
  const client = await connect();
  client.send(get());
  await client.expectText('own');
  expect(client.received).not.toContain('secret');
});

test('onFinished is called for long texts, too', async () => {
  const finished = vi.fn();
  const write = vi.spyOn(Socket.prototype, 'write');
  const { connect } = await serve((exchange) => {
    exchange.onFinished(finished);
    exchange.respond(200, {}, 'long '.repeat(1000));
  });
  const client = await connect();
  client.socket.write(get());
  await client.expectLength(5000);
  await vi.waitFor(() => expect(finished).toHaveBeenCalledExactlyOnceWith(undefined));
  expect(write.mock.contexts.filter((socket) => socket !== client.socket)).toHaveLength(1);
  write.mockRestore();
});
