// Spec 4.1, `listen` without a host, on a machine whose `localhost` has an IPv4 and an IPv6 address.
import type { LookupAddress } from 'node:dns';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import type * as HttpEngine from '@ambit/http-engine';
import { ambit } from 'ambit';
import { expect, test, vi } from 'vitest';

// What the name stands for is the machine's business; here it stands for both.
vi.mock('node:dns/promises', () => ({
  lookup: async (): Promise<LookupAddress[]> => [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ],
}));

test('listen without a host serves localhost on IPv4 and on IPv6, under one port', async () => {
  const app = ambit();
  app.get('/', () => 'served');
  await app.listen({ port: 0 });
  const port = app.addresses()[0]?.port;
  expect(
    app
      .addresses()
      .map(({ address }) => address)
      .sort(),
  ).toEqual(['127.0.0.1', '::1']);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served');
  expect(await (await fetch(`http://[::1]:${port}`)).text()).toBe('served');
  await app.close();
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  await expect(fetch(`http://[::1]:${port}`)).rejects.toThrow();
});

test('the engine of app.server counts the requests of both addresses', async () => {
  // What the framework loads, and its users import.
  const { engineOf } = createRequire(import.meta.url)('@ambit/http-engine') as typeof HttpEngine;
  const app = ambit();
  app.get('/', () => 'served');
  await app.listen({ port: 0 });
  const port = app.addresses()[0]?.port;
  for (const host of ['127.0.0.1', '[::1]']) await (await fetch(`http://${host}:${port}`)).text();
  expect(engineOf(app.server)?.counters).toMatchObject({ requests: 2, handedOver: {} });
  await app.close();
});

test('an upgrade that arrives on the second address reaches the listeners of the first', async () => {
  const app = ambit();
  const upgraded: (string | undefined)[] = [];
  app.server.on('upgrade', (request, socket) => {
    upgraded.push(request.headers.upgrade);
    socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
  });
  await app.listen({ port: 0 });
  const port = app.addresses()[0]?.port;
  const headers = { connection: 'upgrade', upgrade: 'echo' };
  const statuses = ['127.0.0.1', '::1'].map(
    (host) =>
      new Promise((resolve) => {
        request({ host, port, headers }, (response) => resolve(response.resume().statusCode)).end();
      }),
  );
  expect(await Promise.all(statuses)).toEqual([400, 400]);
  expect(upgraded).toEqual(['echo', 'echo']);
  await app.close();
});
