/** Long texts are written into buffers that are used again: no answer may contain bytes of another one. */
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
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

test.each(['write', '_write'] as const)(
  'answers are their own where the socket has another `%s`, which says too early that it has written',
  async (name) => {
    const count = 20;
    const waiting: (() => void)[] = [];
    const { connect } = await serve(answer, {
      prepare: (server) =>
        server.prependListener('connection', (socket: Socket) => {
          const own = socket[name] as (...args: unknown[]) => unknown;
          socket[name] = (...args: unknown[]): boolean => {
            const [written] = args.filter((arg) => typeof arg === 'function');
            const others = args.filter((arg) => arg !== written);
            if (waiting.push(() => own.call(socket, ...others, () => {})) === count)
              for (const write of waiting) write();
            written?.();
            return true;
          };
        }),
    });
    const clients = await Promise.all(Array.from({ length: count }, connect));
    for (const [i, client] of clients.entries()) client.send(get(`/${i}-3`));
    for (const [i, client] of clients.entries()) {
      await client.expectLength(lengths[3]!);
      expect(client.received.endsWith(textOf(`/${i}-3`, lengths[3]!))).toBe(true);
    }
  },
);

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
