/** `replyTo`: replies to requests that the application has not received itself. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ambit, type Context, type Reply, replyTo } from 'ambit';
import { expect, onTestFinished, test } from 'vitest';

/** Sends one reply from a separate server: the application never gets the request. */
async function ask(app: Context, answer: (reply: Reply) => void): Promise<Response> {
  await app.ready();
  const server = createServer((request, response) => answer(replyTo(app, request, response)));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/any`);
}

test('it sends what it is given, with status and headers, past the hooks', async () => {
  const app = ambit();
  app.addHook('onSend', async () => 'not to be sent');
  const response = await ask(app, (reply) => reply.code(201).header('x-by', 'hand').send({ made: true }));
  expect(response.status).toBe(201);
  expect(response.headers.get('x-by')).toBe('hand');
  expect(await response.json()).toEqual({ made: true });
});

test('an error goes to the error handler of the root', async () => {
  const app = ambit();
  app.setErrorHandler((error, _request, reply) => reply.code(418).send({ handled: error.message }));
  const response = await ask(app, (reply) => reply.send(new Error('broken')));
  expect(response.status).toBe(418);
  expect(await response.json()).toEqual({ handled: 'broken' });
});

test('it knows its context and its request', async () => {
  const app = ambit();
  const response = await ask(app, (reply) => {
    reply.send({ isRoot: reply.server === app, url: reply.request.url });
  });
  expect(await response.json()).toEqual({ isRoot: true, url: '/any' });
});

test('a serializer of its own is seen under the symbol of the ecosystem', async () => {
  const app = ambit();
  const serialize = (): string => 'by hand';
  const seen: unknown[] = [];
  const look = (reply: Reply): unknown =>
    seen.push((reply as never as Record<symbol, unknown>)[Symbol.for('fastify.reply.serializer')]);
  app.get('/', (_request, reply) => {
    look(reply);
    look(reply.serializer(serialize));
    return {};
  });
  expect((await app.inject('/')).body).toBe('by hand');
  expect(seen).toEqual([undefined, serialize]);
});
