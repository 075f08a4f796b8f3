/** `app.fetch` behind a server that makes responses itself, such as `serve` of `@ambit/http-engine/fetch`. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { serve } from '@ambit/http-engine/fetch';
import { ambit, type Context, type Reply, type Request } from 'ambit';
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

test('the handler has the address of the client and its headers, and no request makes a signal, also without a route', async () => {
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
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
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

/** Serves a handler that never settles. Resolves when a client has asked for it. */
async function servedForEver() {
  const app = ambit();
  const reached = vi.fn();
  app.get('/', () => {
    reached();
    return new Promise(() => {});
  });
  const server = await serve((request, own) => app.fetch(request, own), { hostname: '127.0.0.1' });
  onTestFinished(() => server.close());
  const client = get(server.url).on('error', () => {});
  const [socket] = await once(server.node, 'connection');
  await expect.poll(() => reached.mock.calls.length).toBe(1);
  const leave = async (): Promise<void> => {
    client.destroy();
    await once(socket, 'close');
  };
  return { app, leave };
}

test('closing does not wait for a handler whose client has left, and does not count it', async () => {
  const { app, leave } = await servedForEver();
  await leave();
  expect(await app.close({ graceMs: 200 })).toBe(0);
});

test('closing does not wait for a handler whose client leaves meanwhile', async () => {
  const { app, leave } = await servedForEver();
  const closed = app.close({ graceMs: 2_000 });
  await leave();
  expect(await closed).toBe(0);
});

/** The handler goes on when the connection of its client has closed on this side. */
async function servedAfterLeave(handle: (request: Request, reply: Reply) => unknown) {
  const app = ambit();
  let left: () => void = () => {};
  let reached: () => void = () => {};
  const isLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  app.get('/', async (request, reply) => {
    reached();
    await isLeft;
    return handle(request as never, reply as never);
  });
  const server = await serve((request, own) => app.fetch(request, own), { hostname: '127.0.0.1' });
  onTestFinished(async () => {
    server.node.closeAllConnections();
    await server.close();
    await app.close();
  });
  server.node.once('connection', (socket) => socket.once('close', () => setImmediate(left)));
  const client = get(server.url).on('error', () => {});
  await isReached;
  client.destroy();
}

test('a signal that is first read after the client has left is aborted', async () => {
  const seen = vi.fn();
  await servedAfterLeave((request) => seen(request.signal.aborted));
  await expect.poll(() => seen.mock.calls).toEqual([[true]]);
});

test('streams that are sent after the client has left are destroyed', async () => {
  const stream = new Readable({ read() {} });
  await servedAfterLeave((_, reply) => reply.send(stream));
  await expect.poll(() => stream.destroyed).toBe(true);
  const cancelled = vi.fn();
  const web = new ReadableStream({ cancel: cancelled });
  await servedAfterLeave((_, reply) => reply.send(web));
  await expect.poll(() => cancelled.mock.calls.length).toBe(1);
});

test('a status without content has no length of one, and the next response is whole', async () => {
  const app = ambit();
  app.get('/', (_request, reply) => reply.code(205).send('done'));
  app.get('/next', () => 'next');
  const { url } = await served(app);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const read = (path: string) =>
    new Promise<unknown[]>((resolve, reject) => {
      get(url + path, { agent }, async (response) => {
        const body = await text(response);
        resolve([response.statusCode, response.headers['content-length'], body]);
      }).on('error', reject);
    });
  expect([await read('/'), await read('/next')]).toEqual([
    [205, '0', ''],
    [200, '4', 'next'],
  ]);
});
