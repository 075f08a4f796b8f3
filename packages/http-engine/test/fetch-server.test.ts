/** The server of a handler of web requests: where it listens, and how it ends. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer, get as getOverTls } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../src/fetch.ts';
import { cert, key } from './fixtures/certificate.ts';
import { get } from './support/serve.ts';
import { serveFetch } from './support/serve-fetch.ts';

test('a server without options listens on localhost', async () => {
  const server = await serve(() => new Response('found'));
  const response = await fetch(`http://localhost:${server.port}/`);
  expect(await response.text()).toBe('found');
  server.node.closeIdleConnections();
  await server.close();
});

test('the address of IPv6 is in brackets', async () => {
  const { server } = await serveFetch(() => new Response(), { hostname: '::1' });
  expect(server.url).toBe(`http://[::1]:${server.port}`);
});

test('a port that is taken rejects', async () => {
  const { server } = await serveFetch(() => new Response());
  const second = serve(() => new Response(), { hostname: '127.0.0.1', port: server.port! });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a server of node:https is served, and its requests have https URLs', async () => {
  const { server } = await serveFetch(({ url }) => new Response(url), {
    server: createTlsServer({ key, cert }),
  });
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  const [response] = await once(
    getOverTls(`${server.url}/a`, { ca: cert, checkServerIdentity: () => undefined }),
    'response',
  );
  expect(await text(response)).toBe(`${server.url}/a`);
});

test('a server that listens already is served', async () => {
  const node = createServer();
  await once(node.listen(0, '127.0.0.1'), 'listening');
  const { server, ask } = await serveFetch(() => new Response('found'), { server: node });
  expect(server.node).toBe(node);
  expect(await (await ask()).text()).toBe('found');
});

for (const [field, url] of [
  ['localhost', 'http://localhost/a'],
  ['Example.com:80', 'http://example.com/a'],
  ['', 'http://localhost/a'],
] as const)
  test(`on a UNIX socket, the URL of a request with Host '${field}' is ${url}`, async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'serve-')), 'socket');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    const node = createServer();
    await once(node.listen(path), 'listening');
    const { server } = await serveFetch(
      (request, own) => Response.json([request.url, own.requestIP(request)]),
      {
        server: node,
      },
    );
    expect([server.url, server.port]).toEqual([path, undefined]);
    const socket = connect(path);
    socket.write(`GET /a HTTP/1.1\r\nHost: ${field}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toContain(`\r\n\r\n["${url}",null]`);
  });

test('requests that node serves get to the handler as well', async () => {
  const { connect } = await serveFetch(async (request) => new Response(request.url + (await request.text())));
  const client = await connect();
  client.send('POST /a HTTP/1.0\r\nContent-Length: 4\r\n\r\nbody');
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nhttp:\/\/localhost\/abody$/);
});

test('closing waits for the response that is being made, and ends its connection', async () => {
  let answer!: (response: Response) => void;
  const { server, connect } = await serveFetch(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const client = await connect();
  client.send(get('/'));
  await expect.poll(() => answer).toBeDefined();
  const closed = server.close();
  expect(server.close()).toBe(closed);
  answer(new Response('last'));
  await client.closed;
  await closed;
  expect(client.received).toMatch(/Connection: close\r\n[\s\S]*last$/);
});
