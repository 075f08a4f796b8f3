// `listen` on Bun and Deno, with the server of each: where it listens, how it closes, and what it refuses.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { readCertificate } from '../../bench/certificate.mjs';
import { casesOfLevel } from './support/level.mjs';
import { startLife } from './support/lifecycle.mjs';
import { application } from './support/run.mjs';

const running = [];
afterEach(async () => {
  for (const life of running.splice(0)) await life.stop();
});

async function start(...args) {
  const life = await startLife(...args);
  running.push(life);
  return life;
}

/** Sends a request, by default on a connection of its own. */
async function ask(origin, path = '/', options = {}) {
  const { socketPath, agent = false, ...more } = options;
  const send = String(origin).startsWith('https:') ? httpsRequest : httpRequest;
  const target = socketPath === undefined ? [origin + path] : [];
  const outgoing = send(...target, { path, socketPath, agent, ...more }).end();
  const [response] = await once(outgoing, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const facts = async (...args) => JSON.parse((await ask(...args)).body);
const portOf = (address) => Number(new URL(address).port);
const failure = (code) => ({ code: expect.stringContaining(code) });

/** Options that neither runtime has: of the application, and of `listen`. */
const unsupported = [
  ['the option `http2`', { http2: true }],
  ['overload protection', { overload: true }],
  ['the option `http`', { http: {} }],
  ['the option `serverFactory`', { serverFactory: 'a function' }],
  ['the option `clientErrorHandler`', { clientErrorHandler: 'a function' }],
  ['the option `headersTimeout`', { headersTimeout: 1000 }],
  ['the option `requestTimeout`', { requestTimeout: 1000 }],
  ['the option `connectionTimeout`', { connectionTimeout: 1000 }],
  ['the option `maxRequestsPerSocket`', { maxRequestsPerSocket: 1 }],
  ['the option `forceCloseConnections: false`', { forceCloseConnections: false }],
  ['the option `https` without `key` and `cert`', { https: true }],
  ['the option `https.pfx`', { https: { pfx: 'x' } }],
  ['the option `backlog` of listen', {}, { backlog: 5 }],
  ['the option `exclusive` of listen', {}, { exclusive: true }],
  ['the option `readableAll` of listen', {}, { readableAll: true }],
  ['the option `writableAll` of listen', {}, { writableAll: true }],
  ['the option `fd` of listen', {}, { fd: 3 }],
];

/** Plugins of the program, and what they use of the server. */
const members = {
  sockets: "the event 'upgrade' of app.server",
  prepended: "the event 'upgrade' of app.server",
  requests: "the event 'request' of app.server",
  connections: "the event 'connection' of app.server",
  limits: 'app.server.setTimeout',
  assigned: 'app.server.keepAliveTimeout',
};

// Both flavors listen in the same way.
const cases = casesOfLevel([
  { runtime: 'bun', flavor: 'ambit', inCi: true },
  { runtime: 'bun', flavor: 'fastify' },
  { runtime: 'deno', flavor: 'ambit' },
  { runtime: 'deno', flavor: 'fastify', inCi: true },
]);

describe.each(cases)('on $runtime, with $flavor', ({ runtime, flavor }) => {
  test('listen finds a free port, and the application tells its address as it does on Node', async () => {
    const { first, command } = await start(runtime, { flavor });
    const port = portOf(first.address);
    expect(port).toBeGreaterThan(0);
    const bound = { address: '127.0.0.1', family: 'IPv4', port };
    expect(first).toEqual({
      address: `http://127.0.0.1:${port}`,
      addresses: [bound],
      listeningOrigin: `http://127.0.0.1:${port}`,
      own: bound,
      listening: true,
    });
    const { raw, ...known } = await facts(first.address);
    expect(known).toMatchObject({ ip: '127.0.0.1', protocol: 'http' });
    expect(raw).not.toBe('IncomingMessage');
    expect(await command('close')).toMatchObject({
      hooks: ['onListen', 'preClose', 'onClose, listening: false'],
      lines: expect.arrayContaining([`Server listening at ${first.address}`]),
      address: null,
    });
  });

  test('localhost is each of its addresses that the machine has', async () => {
    const [own, node] = [
      await start(runtime, { flavor, listen: { host: 'localhost' } }),
      await start('node', { listen: { host: 'localhost' } }),
    ];
    const hosts = ({ first }) => first.addresses.map(({ address }) => address).sort();
    expect(hosts(own)).toEqual(hosts(node));
    const origins = own.first.addresses.map(({ family, address }) =>
      family === 'IPv6' ? `[${address}]` : address,
    );
    for (const origin of origins)
      expect((await ask(`http://${origin}:${portOf(own.first.address)}`)).status).toBe(200);
  });

  test('without a host, it is localhost', async () => {
    const { first } = await start(runtime, { flavor, listen: { host: undefined } });
    const addresses = first.addresses.map(({ address }) => address);
    expect(addresses.filter((address) => !['127.0.0.1', '::1'].includes(address))).toEqual([]);
    expect((await ask(`http://localhost:${first.own.port}`)).status).toBe(200);
  });

  test('a boot that fails rejects listen, or is given to its callback', async () => {
    const { command } = await start(runtime, { flavor });
    expect(await command('refuse', { plugin: 'broken' })).toMatchObject({ message: 'no database' });
    expect(await command('refuse to a callback', { plugin: 'broken' })).toEqual({
      message: 'no database',
      address: null,
    });
  });

  test('0.0.0.0 is every address of the machine', async () => {
    const { first } = await start(runtime, { flavor, listen: { host: '0.0.0.0' } });
    expect(first.own).toMatchObject({ address: '0.0.0.0' });
    expect((await ask(`http://127.0.0.1:${first.own.port}`)).status).toBe(200);
  });

  test('a path is a UNIX socket', async () => {
    const path = `${application}/${runtime}-${flavor}.sock`;
    rmSync(path, { force: true });
    const { first } = await start(runtime, { flavor, listen: { path } });
    expect(first).toMatchObject({ address: path, own: path });
    expect(await facts('http://localhost', '/', { socketPath: path, host: 'localhost' })).toMatchObject({
      protocol: 'http',
      hostname: 'localhost',
    });
  });

  test('a key and a certificate make it HTTPS', async () => {
    const { first } = await start(runtime, { flavor, options: { https: readCertificate() } });
    expect(first.address).toMatch(/^https:/);
    expect(await facts(first.address, '/', { rejectUnauthorized: false })).toMatchObject({
      protocol: 'https',
    });
  });

  test('a port that is in use rejects, and the application can listen on another one', async () => {
    const { first } = await start(runtime, { flavor });
    const { first: refused, command } = await start(runtime, {
      flavor,
      listen: { port: portOf(first.address) },
    });
    expect(refused.error).toMatchObject({
      ...failure('EADDRINUSE'),
      message: `listen EADDRINUSE: address already in use 127.0.0.1:${portOf(first.address)}`,
    });
    const { address } = await command('listen', { port: 0, host: '127.0.0.1' });
    expect((await ask(address)).status).toBe(200);
  });

  test('listen is once, and never after closing', async () => {
    const { command } = await start(runtime, { flavor });
    expect((await command('listen', {})).error).toMatchObject(failure('FST_ERR_REOPENED_SERVER'));
    await command('close');
    expect((await command('listen', {})).error).toMatchObject(failure('FST_ERR_REOPENED_CLOSE_SERVER'));
  });

  test('close lets a running request end, and accepts no other', async () => {
    const { first, next, order } = await start(runtime, { flavor });
    const reply = ask(first.address, '/slow');
    expect(await next('event')).toBe('slow');
    order('close');
    // Until the listener is closed, requests may still come, and get 503.
    await expect
      .poll(() => ask(first.address).catch(({ code }) => code), { timeout: 60_000 })
      .toBe('ECONNREFUSED');
    order('release');
    expect(await reply).toMatchObject({ status: 200, body: 'slow' });
    expect(await next('close')).toMatchObject({ closed: null, address: null });
  });

  test('close with a deadline cuts off what is left, and counts it', async () => {
    const { first, next, command } = await start(runtime, { flavor });
    const cut = ask(first.address, '/slow').then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(await next('event')).toBe('slow');
    const { closed, lines } = await command('close', { graceMs: 0 });
    expect(closed).toBe(1);
    expect(lines).toContain('a request was cut off: it had not ended at the deadline of close');
    expect(await cut).not.toBe(200);
  });

  test('close does not wait for a handler whose client has left', async () => {
    const { first, next, command } = await start(runtime, { flavor });
    const socket = connect(portOf(first.address), '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await next('event')).toBe('slow');
    socket.destroy();
    expect((await command('close', { graceMs: 4_000 })).closed).toBe(0);
  });

  test('close with a delay still serves, until another close ends the delay', async () => {
    const { first, next, order } = await start(runtime, { flavor });
    order('close', { delayMs: 600_000 });
    expect((await ask(first.address)).status).toBe(200);
    order('close', {});
    expect((await next('close')).closed).toBe(0);
    expect(await ask(first.address).catch(({ code }) => code)).toBe('ECONNREFUSED');
  });

  test('a connection that is kept does not keep the application from closing', async () => {
    const { first, command } = await start(runtime, { flavor });
    const agent = new Agent({ keepAlive: true });
    await ask(first.address, '/', { agent });
    expect((await command('close')).closed).toBe(null);
    agent.destroy();
  });

  test('aborting the signal of listen closes it', async () => {
    const { first, order } = await start(runtime, { flavor, options: { isAbortable: true } });
    order('abort');
    await expect
      .poll(() => ask(first.address).catch(({ code }) => code), { timeout: 60_000 })
      .toBe('ECONNREFUSED');
  });

  test('a client that leaves aborts the signal of its request', async () => {
    const { first, next } = await start(runtime, { flavor });
    const socket = connect(portOf(first.address), '127.0.0.1');
    socket.write('GET /gone HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await next('event')).toBe('asked');
    socket.destroy();
    expect(await next('event')).toBe('gone');
  });

  test('what the server of the runtime cannot do is an error that names the option and the plugin', async () => {
    const { command } = await start(runtime, { flavor });
    for (const [feature, options, listen] of unsupported) {
      const error = await command('refuse', { options, listen });
      expect(error).toMatchObject({
        code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
        message: expect.stringContaining(`${feature}: not available in this runtime.`),
        plugin: flavor,
        file: expect.stringContaining('lifecycle.mjs'),
      });
      expect(error.message).toMatch(/leave it out|set both/i);
    }
  });

  test('a plugin that needs the server of node is named, and so is the way out', async () => {
    const { command } = await start(runtime, { flavor });
    for (const [plugin, feature] of Object.entries(members)) {
      const error = await command('refuse', { plugin });
      expect(error).toMatchObject({
        code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
        message: expect.stringMatching(new RegExp(`${feature}.*engine: 'node'`)),
        plugin: expect.stringContaining(plugin),
      });
    }
  });

  test('a plugin that sets overload protection is named, and so is the way out', async () => {
    const { command } = await start(runtime, { flavor });
    expect(await command('refuse', { plugin: 'protected' })).toMatchObject({
      code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
      message: expect.stringMatching(
        /^overload protection: not available in this runtime\. .*limit requests/,
      ),
      plugin: expect.stringContaining('protected'),
    });
  });

  test('a member of request.raw and reply.raw that needs a connection names itself, its plugin and its route', async () => {
    const { first } = await start(runtime, { flavor, options: { plugin: 'raw' } });
    for (const [path, member] of [
      ['/raw/request', 'request.raw.socket.getPeerCertificate'],
      ['/raw/reply', 'reply.raw.assignSocket'],
    ])
      expect(await facts(first.address, path)).toMatchObject({
        code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
        message: expect.stringContaining(`${member}: not available in this runtime.`),
        plugin: expect.stringContaining('raw'),
        route: `GET ${path}`,
        file: expect.stringMatching(/lifecycle\.mjs:\d+:\d+$/),
      });
  });

  test('a port that is none is refused as on Node', async () => {
    const { command } = await start(runtime, { flavor });
    for (const port of [70_000, -1, 1.5])
      expect(await command('refuse', { listen: { port } })).toMatchObject(failure('ERR_SOCKET_BAD_PORT'));
  });

  test("engine: 'node' is node:http of the runtime, with what plugins need of it", async () => {
    const options = { engine: 'node', plugin: 'sockets', requestTimeout: 1000 };
    const { first, command } = await start(runtime, { flavor, options });
    expect(await facts(first.address)).toMatchObject({ ip: '127.0.0.1', raw: 'IncomingMessage' });
    const upgrade = httpRequest(first.address, {
      headers: { connection: 'upgrade', upgrade: 'own' },
      agent: false,
    }).end();
    const [{ statusCode }, socket] = await once(upgrade, 'upgrade');
    expect(statusCode).toBe(101);
    // An upgraded connection does not belong to the application.
    socket.destroy();
    expect(await command('close')).toMatchObject({ closed: null });
  });
});

test('Bun waits for silent clients as long as keepAliveTimeout says, and has a limit for that', async () => {
  const silent = await start('bun', { options: { keepAliveTimeout: 1000 } });
  const socket = connect(portOf(silent.first.address), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  const error = await silent.command('refuse', { options: { keepAliveTimeout: 300_000 } });
  expect(error.message).toContain('Bun waits 255000 at most');
});

test.each(['bun', 'deno'])(
  'on %s, a client that does not read its response delays closing by ten seconds at most',
  async (runtime) => {
    const { first, command } = await start(runtime);
    const silent = connect(portOf(first.address), '127.0.0.1');
    silent.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(silent, 'readable');
    // Without this limit, the connection would stay for `keepAliveTimeout`, 72 seconds.
    expect(await command('close')).toMatchObject({
      hooks: expect.arrayContaining(['onClose, listening: false']),
    });
    silent.destroy();
  },
  40_000,
);

test.each(['/slow', '/slow-inside'])(
  'on Bun, the handler of %s may take longer than keepAliveTimeout',
  async (path) => {
    const { first, next, order } = await start('bun', { options: { keepAliveTimeout: 1000 } });
    const silent = connect(portOf(first.address), '127.0.0.1');
    const reply = ask(first.address, path);
    expect(await next('event')).toBe('slow');
    // The limit has ended a connection that is silent: it counts by the same clock.
    silent.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    silent.resume();
    await once(silent, 'close');
    order('release');
    expect(await reply).toMatchObject({ status: 200 });
  },
);

test('on Deno, what Deno.serve alone does not have is an error', async () => {
  const { command } = await start('deno');
  const refused = [
    ['the option `keepAliveTimeout`', { keepAliveTimeout: 1000 }],
    ['the option `https.ca`', { https: { ...readCertificate(), ca: 'x' } }],
    ['a list in the option `https.key`', { https: { key: ['x'], cert: 'x' } }],
    ['the option `ipv6Only` of listen', {}, { ipv6Only: true }],
    ['Deno.serve speaks HTTP/2 without it', { http2: true }],
  ];
  for (const [feature, options, listen] of refused)
    expect(await command('refuse', { options, listen })).toMatchObject({
      code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
      message: expect.stringContaining(feature),
    });
});

test('Deno serves HTTP/2 without an option', async () => {
  const { first } = await start('deno');
  const session = connectHttp2(first.address);
  const stream = session.request({ ':path': '/' });
  const [fields] = await once(stream, 'response');
  expect([fields[':status'], JSON.parse(await text(stream)).protocol]).toEqual([200, 'http']);
  session.destroy();
});
