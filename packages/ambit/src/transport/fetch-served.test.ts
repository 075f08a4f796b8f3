/** `app.fetch` behind a server that makes responses itself, such as `serve` of `@ambit/http-engine/fetch`. */
import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { serve } from '@ambit/http-engine/fetch';
import { ambit, type Context } from 'ambit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

/** Serves the application on a socket, and tells which responses the server made. */
async function served(app: Context) {
  const made: Response[] = [];
  const server = await serve(
    (request, { makeResponse, requestIP }) => {
      const maker = {
        requestIP,
        makeResponse(...parts: Parameters<typeof makeResponse>) {
          const response = makeResponse(...parts);
          made.push(response);
          return response;
        },
      };
      return app.fetch(request, maker);
    },
    { hostname: '127.0.0.1' },
  );
  onTestFinished(async () => {
    const closed = server.close();
    server.node.closeAllConnections();
    await closed;
    await app.close();
  });
  return {
    ...server,
    url: server.url,
    made,
    ask: (path: string, init = {}) => fetch(server.url + path, init),
  };
}

test('the server makes the responses whose content is known', async () => {
  const app = ambit();
  app.get('/object', () => ({ a: 1 }));
  app.get('/bytes', () => Buffer.from('bytes'));
  app.get('/nothing', (_request, reply) => reply.code(204).send());
  app.get('/cookies', (_request, reply) =>
    reply.header('set-cookie', ['a=1', 'b=2']).header('keep-alive', 'timeout=1').send('text'),
  );
  const { ask, made } = await served(app);
  const seen: unknown[] = [];
  for (const path of ['/object', '/bytes', '/nothing', '/cookies', '/nowhere']) {
    const response = await ask(path);
    seen.push([response.status, response.headers.get('content-type'), (await response.text()).slice(0, 7)]);
  }
  const head = await ask('/object', { method: 'HEAD' });
  seen.push([head.status, head.headers.get('content-length'), await head.text()]);
  const cookies = await ask('/cookies');
  seen.push([cookies.headers.getSetCookie(), cookies.headers.get('keep-alive')]);
  expect(seen).toEqual([
    [200, 'application/json; charset=utf-8', '{"a":1}'],
    [200, 'application/octet-stream', 'bytes'],
    [204, null, ''],
    [200, 'text/plain; charset=utf-8', 'text'],
    [404, 'application/json; charset=utf-8', '{"messa'],
    [200, '7', ''],
    [['a=1', 'b=2'], 'timeout=5'],
  ]);
  expect(made).toHaveLength(7);
});

test('streams and what is written to `reply.raw` are genuine responses', async () => {
  const app = ambit();
  app.get('/stream', () => Readable.from(['one', 'two']));
  app.get('/raw', (_request, reply) => {
    reply.hijack();
    reply.raw.setHeader('x-raw', '1');
    reply.raw.end('raw');
  });
  app.get('/field', (_request, reply) => {
    reply.raw.setHeader('x-raw', '2');
    return 'field';
  });
  const { ask, made } = await served(app);
  expect(await (await ask('/stream')).text()).toBe('onetwo');
  for (const [path, value, body] of [
    ['/raw', '1', 'raw'],
    ['/field', '2', 'field'],
  ] as const) {
    const response = await ask(path);
    expect([response.headers.get('x-raw'), await response.text()]).toEqual([value, body]);
  }
  expect(made).toEqual([]);
});

test('a field that cannot be sent is answered 500', async () => {
  const app = ambit();
  app.get('/', (_request, reply) => reply.header('x-a', 'a\nb').send({ a: 1 }));
  const { ask } = await served(app);
  const response = await ask('/');
  expect([response.status, await response.json()]).toMatchObject([500, { statusCode: 500 }]);
});

test('bodies are read, validated and limited', async () => {
  const app = ambit({ bodyLimit: 20 });
  const schema = { body: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } };
  app.post('/', { schema }, ({ body }) => body as object);
  const { ask } = await served(app);
  const headers = { 'content-type': 'application/json' };
  const post = (body: string) => ask('/', { method: 'POST', headers, body });
  expect(await (await post('{"a":"7"}')).json()).toEqual({ a: 7 });
  for (const [body, status] of [
    ['{}', 400],
    ['{', 400],
    [`{"a":1${' '.repeat(13)}}`, 200],
    [`{"a":1${' '.repeat(14)}}`, 413],
  ] as const)
    expect((await post(body)).status).toBe(status);
});

test('the handler has the address of the client and its headers, and the signal is not made', async () => {
  const app = ambit();
  app.get('/', ({ ip, headers }) => ({ ip, field: headers['x-field'] }));
  const signal = vi.fn();
  const server = await serve(
    (request, own) => {
      Object.defineProperty(request, 'signal', { get: signal });
      return app.fetch(request, own);
    },
    { hostname: '127.0.0.1' },
  );
  onTestFinished(() => {
    server.node.closeAllConnections();
    return server.close();
  });
  const response = await fetch(server.url, { headers: { 'x-field': 'value' } });
  expect(await response.json()).toEqual({ ip: '127.0.0.1', field: 'value' });
  expect(signal).not.toHaveBeenCalled();
});

test('a client that leaves aborts the signal of the request, and runs the hooks', async () => {
  const app = ambit();
  const aborted = vi.fn();
  const reached = vi.fn();
  app.addHook('onRequestAbort', async () => aborted('hook'));
  app.get('/', async ({ signal }) => {
    reached();
    await once(signal, 'abort');
    aborted('signal');
    return 'late';
  });
  const { url } = await served(app);
  const request = get(url).on('error', () => {});
  await expect.poll(() => reached.mock.calls.length).toBe(1);
  request.destroy();
  await expect.poll(() => aborted.mock.calls.flat().sort()).toEqual(['hook', 'signal']);
});
