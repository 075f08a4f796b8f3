/** The counters of an engine can be read through its server, and can count for several servers. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { attach, type Exchange, engineOf } from '../src/index.ts';
import { get, serve } from './support/serve.ts';

const answer = (exchange: Exchange): void => exchange.respond(200, {}, 'done');

test('a server leads to its engine, until the engine is detached', () => {
  const server = createServer();
  expect(engineOf(server)).toBeUndefined();
  const engine = attach(server, answer);
  expect(engineOf(server)).toBe(engine);
  engine.detach();
  expect(engineOf(server)).toBeUndefined();
});

test('an engine that counts with another one adds what it serves, and what it hands over', async () => {
  const first = await serve(answer);
  const second = await serve(answer, { countsWith: first.engine });
  const clients = [await first.connect(), await second.connect(), await second.connect()];
  const texts = [get(), get(), get().replace('1.1', '1.0')];
  for (const [i, client] of clients.entries()) {
    client.send(texts[i]!);
    await client.expectText('done');
  }
  const expected = { connections: 3, requests: 2, handedOver: { version: 1 } };
  expect(first.engine.counters).toMatchObject(expected);
  expect(second.engine.counters).toMatchObject(expected);
});
