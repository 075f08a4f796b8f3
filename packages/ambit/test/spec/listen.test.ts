// Spec 4.1: `listen`, in callback and promise form.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ambit, type Context } from 'ambit';
import { afterEach, expect, test } from 'vitest';
import { cert, key } from '../fixtures/certificate.ts';

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

test('listen({ port: 0 }) picks a free port and resolves with the address', async () => {
  const app = make();
  app.get('/', () => 'served');
  const address = await app.listen({ port: 0 });
  expect(address).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
  expect(await (await fetch(address)).text()).toBe('served');
});

test('listen({ port }) listens on that port', async () => {
  const first = make();
  const { port } = new URL(await first.listen({ port: 0 }));
  await first.close();
  const app = make();
  expect(await app.listen({ port: Number(port) })).toContain(`:${port}`);
});

test('listen boots the application: what plugins add is served', async () => {
  const app = make();
  app.register(async (context) => {
    context.get('/', () => 'from a plugin');
  });
  const address = await app.listen({ port: 0 });
  expect(await (await fetch(address)).text()).toBe('from a plugin');
});

test('listen calls a callback with no error and the address', async () => {
  const app = make();
  app.get('/', () => 'served');
  const [error, address] = await new Promise<[Error | null, string]>((resolve) => {
    expect(app.listen({ port: 0 }, (...args) => resolve(args))).toBeUndefined();
  });
  expect(error).toBeNull();
  expect(await (await fetch(address)).text()).toBe('served');
});

test('listen takes a callback alone, and no argument at all', async () => {
  const app = make();
  const error = await new Promise<Error | null>((resolve) => app.listen((error) => resolve(error)));
  expect(error).toBeNull();
  const other = make();
  expect(await other.listen()).toMatch(/^http:/);
});

test('listen without a host binds localhost: 127.0.0.1, and ::1 where the system has it under that name', async () => {
  const app = make();
  app.get('/', () => 'served');
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  expect(await (await fetch(`http://localhost:${port}`)).text()).toBe('served');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served');
  for (const { address } of app.addresses()) expect(['127.0.0.1', '::1']).toContain(address);
});

test('listen without a host is not reachable from other machines', async () => {
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
  test(`listen({ host: '${host}' }) binds that address alone`, async () => {
    const app = make();
    app.get('/', () => 'served');
    const address = await app.listen({ port: 0, host });
    expect(address.startsWith(`${url}:`)).toBe(true);
    expect(await (await fetch(address)).text()).toBe('served');
    expect(app.addresses().map(({ address }) => address)).toEqual([host]);
    expect(app.listeningOrigin).toBe(address);
  });
}

test('listen({ host: "0.0.0.0" }) binds every IPv4 interface and answers with an address that can be opened', async () => {
  const app = make();
  app.get('/', () => 'served');
  const address = await app.listen({ port: 0, host: '0.0.0.0' });
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(address)).text()).toBe('served');
});

test('listen({ path }) serves on a unix socket', async () => {
  const app = make();
  app.get('/', () => 'served');
  const folder = mkdtempSync(join(tmpdir(), 'ambit-'));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  const path = join(folder, 'http.sock');
  expect(await app.listen({ path })).toBe(path);
  expect(await getOverSocket(path)).toBe('served');
});

test('listen on a port in use rejects with what the system says', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  await expect(app.listen({ port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});

test('listen on a port in use hands the error to the callback', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  const error = await new Promise((resolve) =>
    app.listen({ port, host: '127.0.0.1' }, (error) => resolve(error)),
  );
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});

test('after a failed listen the application can listen elsewhere', async () => {
  const port = await occupyPort('127.0.0.1');
  const app = make();
  app.get('/', () => 'served');
  await expect(app.listen({ port, host: '127.0.0.1' })).rejects.toThrow();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(address)).text()).toBe('served');
});

test('listening twice is refused', async () => {
  const app = make();
  await app.listen({ port: 0 });
  await expect(app.listen({ port: 0 })).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_SERVER' });
});

test('listening after close is refused', async () => {
  const app = make();
  await app.listen({ port: 0 });
  await app.close();
  await expect(app.listen({ port: 0 })).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_CLOSE_SERVER' });
});

test('listen rejects with the error that booting fails with, and does not bind', async () => {
  const app = make();
  app.register(async () => {
    throw new Error('no database');
  });
  await expect(app.listen({ port: 0 })).rejects.toThrow('no database');
  expect(app.server.listening).toBe(false);
});

test('listen hands the error that booting fails with to the callback', async () => {
  const app = make();
  app.register(async () => {
    throw new Error('no database');
  });
  const error = await new Promise<Error | null>((resolve) =>
    app.listen({ port: 0 }, (error) => resolve(error)),
  );
  expect(error?.message).toBe('no database');
});

test('aborting the signal of listen closes the server', async () => {
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

test('a signal that is aborted already leaves the server closed', async () => {
  const app = make();
  await app.listen({ port: 0, signal: AbortSignal.abort() });
  expect(app.server.listening).toBe(false);
});

test('a signal that is none is refused', async () => {
  const app = make();
  expect(() => app.listen({ port: 0, signal: 'stop' as never })).toThrow(
    expect.objectContaining({ code: 'FST_ERR_LISTEN_OPTIONS_INVALID' }),
  );
});

for (const [what, options, code] of [
  ['a misspelt port', { prt: 3000 }, 'AMBIT_ERR_UNKNOWN_OPTION'],
  ['a number', 3000, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['text', '3000', 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['null', null, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['a host that is a number', { port: 0, host: 127 }, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['a path that is a number', { path: 3 }, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['a port that is a list', { port: [0] }, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['an ipv6Only that is text', { port: 0, ipv6Only: 'yes' }, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
  ['a resolver that is text', { port: 0, listenTextResolver: 'x' }, 'FST_ERR_LISTEN_OPTIONS_INVALID'],
] as const) {
  test(`listen refuses ${what}, naming the caller`, () => {
    const where = { plugin: 'ambit', file: expect.stringContaining('listen.test.ts') };
    expect(() => make().listen(options as never)).toThrow(expect.objectContaining({ code, where }));
  });
}

test('listen takes a port as text, and null for what is not given', async () => {
  const options = { port: '0', host: null, path: null, backlog: undefined, signal: null };
  expect(await make().listen(options as never)).toMatch(/:\d+$/);
});

test('a server of the application may listen with options of its own', async () => {
  let seen: unknown;
  const app = make({
    serverFactory: (handler) => {
      const server = createServer(handler);
      const listen = server.listen.bind(server);
      return Object.assign(server, {
        listen: (options: object) => {
          seen = options;
          return listen({ port: 0 });
        },
      }) as never;
    },
  });
  await app.listen({ port: 0, acceptors: 4 } as never);
  expect(seen).toMatchObject({ acceptors: 4 });
});

for (const port of [-1, 65_536, 1.5, 'http']) {
  test(`listen({ port: ${port} }) is refused`, async () => {
    const app = make();
    await expect(app.listen({ port: port as number })).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  });
}

test('listenTextResolver gives the text that is logged for each address', async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line).msg) };
  const app = make({ logger: { stream } as never });
  await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: (address) => `up at ${address}` });
  expect(lines).toContain(`up at ${app.listeningOrigin}`);
});

test('addresses and listeningOrigin tell where the server listens', async () => {
  const app = make();
  expect(app.addresses()).toEqual([]);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(app.addresses()).toEqual([
    { address: '127.0.0.1', family: 'IPv4', port: Number(new URL(address).port) },
  ]);
  expect(app.listeningOrigin).toBe(address);
});

test('closing ends every address that localhost stands for', async () => {
  const app = make();
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  await app.close();
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  await expect(fetch(`http://[::1]:${port}`)).rejects.toThrow();
});

test('listen serves TLS where the option https holds a key and a certificate', async () => {
  const app = make({ https: { key, cert } });
  app.get('/', (request) => request.protocol);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(app.listeningOrigin).toBe(address);
  const [response] = (await once(httpsGet(address, { ca: cert }), 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('https');
});

test('listen takes a backlog', async () => {
  const app = make();
  app.get('/', () => 'served');
  const address = await app.listen({ port: 0, backlog: 1 });
  expect(await (await fetch(address)).text()).toBe('served');
});

test('listen in one plugin serves the whole application', async () => {
  const app = make();
  const contexts: Context[] = [];
  app.get('/', () => 'root');
  app.register(async (context) => {
    contexts.push(context);
  });
  await app.ready();
  const address = await contexts[0]!.listen({ port: 0 });
  expect(await (await fetch(address)).text()).toBe('root');
});
