/** Each request has an async context of its own, because the next request of the same connection can belong to another user. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { attach, type Exchange } from '../src/index.ts';
import { cert, key } from './fixtures/certificate.ts';
import { get, post, serve } from './support/serve.ts';
import { listen } from './support/wire.ts';

const storage = new AsyncLocalStorage<string>();

/** Handles every request in a context of its own. `respond` gets a body that says in which context the request arrived. */
function inContexts(respond: (exchange: Exchange, body: string) => void): (exchange: Exchange) => void {
  return (exchange) => {
    const found = storage.getStore();
    storage.run(`of ${exchange.target}`, () => respond(exchange, `<${found}>`));
  };
}

test('a context that a handler enters is not seen by the next request', async () => {
  const { connect } = await serve((exchange) => {
    const found = storage.getStore();
    storage.enterWith('of another request');
    exchange.respond(200, {}, `<${found}>`);
  });
  const client = await connect();
  client.send(get() + get());
  await client.expectText('<undefined>', 2);
  client.send(get());
  await client.expectText('<undefined>', 3);
});

test('more requests than are served at the same time arrive outside the contexts of those before', async () => {
  const { connect } = await serve(
    inContexts(async (exchange, body) => {
      await nextTurn();
      exchange.respond(200, {}, body);
    }),
  );
  const client = await connect();
  client.send(get().repeat(200));
  await client.expectText('<undefined>', 200);
});

/** Sends text over TLS, which node decrypts further while the socket is paused. Returns the first bodies of responses. */
async function askOverTls(
  onRequest: (exchange: Exchange) => void,
  text: string,
  count: number,
): Promise<string[]> {
  const server = createServer({ key, cert });
  attach(server, onRequest);
  const port = await listen(server);
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  socket.setEncoding('latin1');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    const bodies = received.match(/<.*?>/g) ?? [];
    if (bodies.length >= count) return bodies;
  }
  throw new Error(`closed after ${JSON.stringify(received)}`);
}

const readers: Readonly<Record<string, (exchange: Exchange, respond: () => void) => void>> = {
  'is read later': (exchange, respond) => exchange.readBody(respond, () => exchange.destroy()),
  'nobody reads': (_exchange, respond) => respond(),
};

describe.each(Object.entries(readers))('a request behind a body that %s', (_name, read) => {
  // The body must be long enough to be held back, and its end be decrypted together with what is held back.
  test.each([80_000, 100_000, 120_000, 140_000])(
    'of %i bytes arrives outside its context',
    async (length) => {
      const onRequest = inContexts(async (exchange, body) => {
        await nextTurn();
        const respond = (): void => exchange.respond(200, {}, body);
        if (exchange.method === 'POST') read(exchange, respond);
        else respond();
      });
      const bodies = await askOverTls(onRequest, post('x'.repeat(length)) + get('/after').repeat(3), 4);
      expect(bodies).toEqual(Array(4).fill('<undefined>'));
    },
  );
});
