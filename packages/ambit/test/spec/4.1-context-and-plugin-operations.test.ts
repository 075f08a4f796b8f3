// Spec 4.1: `register`, `decorateRequest`, `route`, the shortcuts and `listen`.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ambit, type Context } from 'ambit';
import { afterEach, expect, test } from 'vitest';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** An application that is closed when the test ends. */
function make(...options: Parameters<typeof ambit>): Context {
  const app = ambit(...options);
  open.push(app);
  return app;
}

/** A server of somebody else, on a free port. */
async function occupyPort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  open.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function getOverSocket(socketPath: string): Promise<string> {
  const [response] = (await once(httpGet({ socketPath, path: '/' }), 'response')) as [IncomingMessage];
  return text(response);
}

// ------------------------------------------------------------------------------------------------------------ register

test('4.1 register creates a child context and runs the plugin in it, with its options', async () => {
  const app = make();
  const calls: unknown[] = [];
  app.register(
    async (context, options) => {
      calls.push(Object.getPrototypeOf(context) === app, options);
    },
    { answer: 42 },
  );
  await app.ready();
  expect(calls).toEqual([true, { answer: 42 }]);
});

test('4.1 register without options gives the plugin an empty object', async () => {
  const app = make();
  const received: unknown[] = [];
  app.register(async (_context, options) => {
    received.push(options);
  });
  await app.ready();
  expect(received).toEqual([{}]);
});

test('4.1 register takes its options as a function of the parent, called when the plugin loads', async () => {
  const app = make();
  const received: unknown[] = [];
  app.register(async (context) => {
    context.register(
      async (child) => {
        child.decorate('late', 1);
      },
      () => ({}),
    );
  });
  app.decorate('size', 3);
  app.register(
    async (_context, options) => {
      received.push(options);
    },
    (parent) => ({ size: parent.getDecorator<number>('size') }),
  );
  await app.ready();
  expect(received).toEqual([{ size: 3 }]);
});

test('4.1 register returns the context, for chaining, and can be awaited', async () => {
  const app = make();
  const order: string[] = [];
  await app
    .register(async () => {
      order.push('first');
    })
    .register(async () => {
      order.push('second');
    });
  order.push('awaited');
  expect(order).toEqual(['first', 'second', 'awaited']);
});

test('4.1 register with a prefix puts it before the URL of every route in the plugin', async () => {
  const app = make();
  app.register(
    async (context) => {
      context.get('/users', () => context.prefix);
    },
    { prefix: '/v1' },
  );
  expect((await app.inject('/v1/users')).body).toBe('/v1');
  expect((await app.inject('/users')).statusCode).toBe(404);
});

for (const [what, plugin] of [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'plugin'],
  ['an object without a default export', {}],
] as const) {
  test(`4.1 register refuses ${what}, naming the context and the caller`, async () => {
    const app = make();
    const register = async () => {
      app.register(plugin as never);
      await app.ready();
    };
    await expect(register()).rejects.toMatchObject({
      code: 'FST_ERR_PLUGIN_NOT_VALID',
      where: { plugin: 'ambit', file: expect.stringContaining('4.1-context') },
    });
  });
}

test('4.1 register is refused once the application has booted', async () => {
  const app = make();
  await app.ready();
  expect(() => app.register(async () => {})).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ROOT_PLG_BOOTED',
      where: expect.objectContaining({ plugin: 'ambit' }),
    }),
  );
});

// ------------------------------------------------------------------------------------------------------ decorateRequest

test('4.1 decorateRequest adds a request property visible in the context and below', async () => {
  const app = make();
  app.decorateRequest('answer', 42);
  app.get('/', (request) => ({ answer: request.getDecorator('answer') }));
  app.register(async (child) => {
    child.get('/child', (request) => ({ answer: request.getDecorator('answer') }));
  });
  expect((await app.inject('/')).json()).toEqual({ answer: 42 });
  expect((await app.inject('/child')).json()).toEqual({ answer: 42 });
});

test('4.1 decorateRequest returns the context', () => {
  const app = make();
  expect(app.decorateRequest('answer', 42)).toBe(app);
});

// ---------------------------------------------------------------------------------------------------- route, shortcuts

test('4.1 route declares a route for one method', async () => {
  const app = make();
  app.route({ method: 'PUT', path: '/', handler: () => 'put' });
  expect((await app.inject({ method: 'PUT', url: '/' })).body).toBe('put');
  expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(404);
});

test('4.1 route declares a route for a list of methods, in any case', async () => {
  const app = make();
  app.route({ method: ['get', 'Delete'], url: '/', handler: (request) => request.method });
  expect((await app.inject('/')).body).toBe('GET');
  expect((await app.inject({ method: 'DELETE', url: '/' })).body).toBe('DELETE');
});

test('4.1 path and url name the same thing', async () => {
  const app = make();
  app.route({ method: 'GET', path: '/path', handler: () => 'path' });
  app.route({ method: 'GET', url: '/url', handler: () => 'url' });
  expect((await app.inject('/path')).body).toBe('path');
  expect((await app.inject('/url')).body).toBe('url');
});

for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const) {
  test(`4.1 ${method}(path, handler) declares a route for ${method.toUpperCase()}`, async () => {
    const app = make();
    app[method]('/', (request, reply) => {
      reply.header('x-method', request.method).send('');
    });
    const reply = await app.inject({ method: method.toUpperCase(), url: '/' });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['x-method']).toBe(method.toUpperCase());
  });
}

test('4.1 a shortcut takes options between the path and the handler, the same as route', async () => {
  const app = make();
  app.get('/', { schema: { querystring: { n: { type: 'integer' } } }, config: { name: 'x' } }, (request) => ({
    n: (request.query as { n: number }).n,
    name: request.routeOptions.config.name,
  }));
  expect((await app.inject('/?n=1')).json()).toEqual({ n: 1, name: 'x' });
});

test('4.1 a shortcut takes the handler among its options', async () => {
  const app = make();
  app.post('/', { handler: () => 'posted' });
  expect((await app.inject({ method: 'POST', url: '/' })).body).toBe('posted');
});

test('4.1 route and the shortcuts return the context', () => {
  const app = make();
  expect(app.route({ method: 'GET', url: '/', handler: () => 1 })).toBe(app);
  expect(app.post('/', () => 1)).toBe(app);
  expect(app.all('/all', () => 1)).toBe(app);
});

test('4.1 all declares the route for every supported method', async () => {
  const app = make();
  app.all('/', (request, reply) => {
    reply.header('x-method', request.method).send('');
  });
  expect(app.supportedMethods.toSorted()).toEqual([
    'DELETE',
    'GET',
    'HEAD',
    'OPTIONS',
    'PATCH',
    'POST',
    'PUT',
    'QUERY',
    'TRACE',
  ]);
  for (const method of app.supportedMethods) {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.inject({ method, url: '/', headers, body: 'x' });
    expect(reply.headers['x-method']).toBe(method);
  }
});

const handler = (): number => 1;
for (const [what, declare, code] of [
  ['a path that is no string', (app: Context) => app.get(5 as never, handler), 'FST_ERR_INVALID_URL'],
  [
    'options that are no object',
    (app: Context) => app.get('/', 'options' as never, handler),
    'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  ],
  [
    'options that are null',
    (app: Context) => app.get('/', null as never, handler),
    'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  ],
  [
    'two handlers',
    (app: Context) => app.get('/', { handler } as never, handler),
    'FST_ERR_ROUTE_DUPLICATED_HANDLER',
  ],
  ['no handler', (app: Context) => app.get('/', {} as never), 'FST_ERR_ROUTE_MISSING_HANDLER'],
  [
    'a handler that is no function',
    (app: Context) => app.get('/', { handler: 'x' } as never),
    'FST_ERR_ROUTE_HANDLER_NOT_FN',
  ],
  [
    'an error handler that is no function',
    (app: Context) => app.get('/', { errorHandler: 'x' } as never, handler),
    'FST_ERR_ROUTE_HANDLER_NOT_FN',
  ],
  [
    'a bodyLimit of 0',
    (app: Context) => app.post('/', { bodyLimit: 0 }, handler),
    'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  ],
  [
    'a bodyLimit of 1.5',
    (app: Context) => app.post('/', { bodyLimit: 1.5 }, handler),
    'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  ],
  [
    'a handlerTimeout of -1',
    (app: Context) => app.post('/', { handlerTimeout: -1 }, handler),
    'FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT',
  ],
  [
    'a hook that is no function',
    (app: Context) => app.get('/', { preHandler: 'x' } as never, handler),
    'FST_ERR_HOOK_INVALID_HANDLER',
  ],
  [
    'a method that is no string',
    (app: Context) => app.route({ method: 5, url: '/', handler } as never),
    'FST_ERR_ROUTE_METHOD_INVALID',
  ],
] as const) {
  test(`4.1 a route with ${what} is refused, naming the context and the caller`, () => {
    const app = make();
    expect(() => declare(app)).toThrow(
      expect.objectContaining({
        code,
        where: expect.objectContaining({ plugin: 'ambit', file: expect.stringContaining('4.1-context') }),
      }),
    );
  });
}

test('4.1 a route declared after the application has started is refused', async () => {
  const app = make();
  await app.ready();
  expect(() => app.get('/', () => 1)).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_INSTANCE_ALREADY_LISTENING',
      message: expect.stringContaining('Cannot add route!'),
    }),
  );
});

// -------------------------------------------------------------------------------------------------------------- listen

test('4.1 listen({ port: 0 }) picks a free port and resolves with the address', async () => {
  const app = make();
  app.get('/', () => 'served');
  const address = await app.listen({ port: 0 });
  expect(address).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
  expect(await (await fetch(address)).text()).toBe('served');
});

test('4.1 listen({ port }) listens on that port', async () => {
  const first = make();
  const { port } = new URL(await first.listen({ port: 0 }));
  await first.close();
  const app = make();
  expect(await app.listen({ port: Number(port) })).toContain(`:${port}`);
});

test('4.1 listen boots the application: what plugins add is served', async () => {
  const app = make();
  app.register(async (context) => {
    context.get('/', () => 'from a plugin');
  });
  const address = await app.listen({ port: 0 });
  expect(await (await fetch(address)).text()).toBe('from a plugin');
});

test('4.1 listen calls a callback with no error and the address', async () => {
  const app = make();
  app.get('/', () => 'served');
  const [error, address] = await new Promise<[Error | null, string]>((resolve) => {
    expect(app.listen({ port: 0 }, (...args) => resolve(args))).toBeUndefined();
  });
  expect(error).toBeNull();
  expect(await (await fetch(address)).text()).toBe('served');
});

test('4.1 listen takes a callback alone, and no argument at all', async () => {
  const app = make();
  const error = await new Promise<Error | null>((resolve) => app.listen((error) => resolve(error)));
  expect(error).toBeNull();
  const other = make();
  expect(await other.listen()).toMatch(/^http:/);
});

test('4.1 listen without a host binds localhost: 127.0.0.1, and ::1 where the system has it under that name', async () => {
  const app = make();
  app.get('/', () => 'served');
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  expect(await (await fetch(`http://localhost:${port}`)).text()).toBe('served');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served');
  for (const { address } of app.addresses()) expect(['127.0.0.1', '::1']).toContain(address);
});

test('4.1 listen without a host is not reachable from other machines', async () => {
  const app = make();
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  const attempts = outside.map(async ({ address }) => {
    const socket = connect(port, address);
    return once(socket, 'connect').then(
      () => 'reached',
      () => 'refused',
    );
  });
  expect(await Promise.all(attempts)).toEqual(outside.map(() => 'refused'));
});

for (const [host, url] of [
  ['127.0.0.1', 'http://127.0.0.1'],
  ['::1', 'http://[::1]'],
] as const) {
  test(`4.1 listen({ host: '${host}' }) binds that address alone`, async () => {
    const app = make();
    app.get('/', () => 'served');
    const address = await app.listen({ port: 0, host });
    expect(address.startsWith(`${url}:`)).toBe(true);
    expect(await (await fetch(address)).text()).toBe('served');
    expect(app.addresses().map(({ address }) => address)).toEqual([host]);
    expect(app.listeningOrigin).toBe(address);
  });
}

test('4.1 listen({ host: "0.0.0.0" }) binds every IPv4 interface and answers with an address that can be opened', async () => {
  const app = make();
  app.get('/', () => 'served');
  const address = await app.listen({ port: 0, host: '0.0.0.0' });
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(address)).text()).toBe('served');
});

test('4.1 listen({ path }) serves on a unix socket', async () => {
  const app = make();
  app.get('/', () => 'served');
  const folder = mkdtempSync(join(tmpdir(), 'ambit-'));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  const path = join(folder, 'http.sock');
  expect(await app.listen({ path })).toBe(path);
  expect(await getOverSocket(path)).toBe('served');
});

test('4.1 listen on a port in use rejects with what the system says', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  await expect(app.listen({ port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});

test('4.1 listen on a port in use hands the error to the callback', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  const error = await new Promise((resolve) =>
    app.listen({ port, host: '127.0.0.1' }, (error) => resolve(error)),
  );
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});

test('4.1 after a failed listen the application can listen elsewhere', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  app.get('/', () => 'served');
  await expect(app.listen({ port, host: '127.0.0.1' })).rejects.toThrow();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(address)).text()).toBe('served');
});

test('4.1 listening twice is refused', async () => {
  const app = make();
  await app.listen({ port: 0 });
  await expect(app.listen({ port: 0 })).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_SERVER' });
});

test('4.1 listening after close is refused', async () => {
  const app = make();
  await app.listen({ port: 0 });
  await app.close();
  await expect(app.listen({ port: 0 })).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_CLOSE_SERVER' });
});

test('4.1 listen rejects with the error that booting fails with, and does not bind', async () => {
  const app = make();
  app.register(async () => {
    throw new Error('no database');
  });
  await expect(app.listen({ port: 0 })).rejects.toThrow('no database');
  expect(app.server.listening).toBe(false);
});

test('4.1 listen hands the error that booting fails with to the callback', async () => {
  const app = make();
  app.register(async () => {
    throw new Error('no database');
  });
  const error = await new Promise<Error | null>((resolve) =>
    app.listen({ port: 0 }, (error) => resolve(error)),
  );
  expect(error?.message).toBe('no database');
});

test('4.1 aborting the signal of listen closes the server', async () => {
  const app = make();
  app.get('/', () => 'served');
  const control = new AbortController();
  const closed = new Promise<void>((resolve) => app.addHook('onClose', async () => resolve()));
  const address = await app.listen({ port: 0, signal: control.signal });
  expect((await fetch(address)).status).toBe(200);
  control.abort();
  await closed;
  await app.close();
  await expect(fetch(address)).rejects.toThrow();
});

test('4.1 a signal that is aborted already leaves the server closed', async () => {
  const app = make();
  await app.listen({ port: 0, signal: AbortSignal.abort() });
  expect(app.server.listening).toBe(false);
});

test('4.1 a signal that is none is refused', async () => {
  const app = make();
  expect(() => app.listen({ port: 0, signal: 'stop' as never })).toThrow(
    expect.objectContaining({ code: 'FST_ERR_LISTEN_OPTIONS_INVALID' }),
  );
});

for (const port of [-1, 65_536, 1.5, 'http']) {
  test(`4.1 listen({ port: ${port} }) is refused`, async () => {
    const app = make();
    await expect(app.listen({ port: port as number })).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  });
}

test('4.1 listenTextResolver gives the text that is logged for each address', async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line).msg) };
  const app = make({ logger: { stream } as never });
  await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: (address) => `up at ${address}` });
  expect(lines).toContain(`up at ${app.listeningOrigin}`);
});

test('4.1 addresses and listeningOrigin tell where the server listens', async () => {
  const app = make();
  expect(app.addresses()).toEqual([]);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(app.addresses()).toEqual([
    { address: '127.0.0.1', family: 'IPv4', port: Number(new URL(address).port) },
  ]);
  expect(app.listeningOrigin).toBe(address);
});

test('4.1 closing ends every address that localhost stands for', async () => {
  const app = make();
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  await app.close();
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  await expect(fetch(`http://[::1]:${port}`)).rejects.toThrow();
});
