import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, writeFiles } from '../../test/support/command.ts';
import { flavors } from '../../test/support/flavors.ts';
import { Load, Running, sendRequest } from '../../test/support/server.ts';

const routes = `
app.get('/', () => String(process.pid));
app.get('/env', () => process.env.NODE_ENV);
app.get('/exit', () => process.exit(3));
app.get('/block', () => { for (;;); });
app.get('/never', (_request, reply) => { console.log('waiting'); reply.hijack(); });
app.get('/slow', (request, reply) => {
  console.log('waiting');
  process.once('SIGTERM', () => reply.send('slow'));
  return reply;
});
app.addHook('onClose', async () => console.log('closed'));
export default app;
`;

for (const [flavor, make] of Object.entries(flavors)) {
  const folder = makeFolder({ 'app.js': make + routes });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test.skipIf(process.platform === 'win32')(
      `${flavor}: ${signal} closes the application, and exits with 0`,
      async () => {
        const server = new Running(folder, ['start', '--port', '0']);
        const address = await server.address();
        expect(await sendRequest(address)).toEqual({ status: 200, body: String(server.child.pid) });
        expect((await sendRequest(`${address}/env`)).body).toBe('production');
        server.child.kill(signal);
        await server.until(new RegExp(`${signal}: stopping`));
        await server.until(/closed\n/);
        await server.until(/ambit: stopped/);
        expect(await server.end()).toBe(0);
      },
    );
  }

  test(`${flavor}: a request that is running at the signal gets its response`, async () => {
    const server = new Running(folder, ['start', '--port', '0']);
    const address = await server.address();
    const response = sendRequest(`${address}/slow`);
    await server.until(/waiting/);
    server.child.kill('SIGTERM');
    expect(await response).toEqual({ status: 200, body: 'slow' });
    expect(await server.end()).toBe(0);
  });

  test(`${flavor}: workers are replaced one by one on SIGHUP, and no request is lost`, async () => {
    const server = new Running(folder, ['start', '--port', '0', '--workers', '2']);
    const address = await server.address();
    const load = new Load(address);
    server.child.kill('SIGHUP');
    await server.until(/all workers are replaced/);
    const replaced = new Load(address, { keepAlive: false });
    server.child.kill('SIGHUP');
    await server.until(/all workers are replaced/);
    await Promise.all([load.stop(), replaced.stop()]);
    expect([...load.failures, ...replaced.failures]).toEqual([]);
    expect(load.bodies.size).toBeGreaterThan(2);
    expect(await server.stop()).toBe(0);
  });

  test(`${flavor}: a worker that dies is started again`, async () => {
    const server = new Running(folder, ['start', '--port', '0', '--workers', '1']);
    const address = await server.address();
    const { body: before } = await sendRequest(address);
    await expect(sendRequest(`${address}/exit`)).rejects.toThrow();
    await server.until(/worker 1 \(pid \d+\) ended with exit code 3/);
    await server.until(/worker 1 starts again in 100 ms/);
    await server.until(/worker 1 \(pid \d+\) is ready/);
    const { body: after } = await sendRequest(address);
    expect(after).not.toBe(before);
    expect(await server.stop('SIGINT')).toBe(0);
  });
}

const folder = makeFolder({ 'app.js': flavors.ambit + routes });

test('the time between restarts doubles, and a worker that no longer boots is given up', async () => {
  const dying = makeFolder({
    'app.js': `${flavors.ambit}import { existsSync } from 'node:fs';\nif (existsSync('broken')) process.exit(4);${routes}`,
  });
  const server = new Running(dying, ['start', '--port', '0', '--workers', '1', '--json']);
  const address = await server.address();
  writeFiles(dying, { broken: '' });
  await expect(sendRequest(`${address}/exit`)).rejects.toThrow();
  const waits: number[] = [];
  for (let i = 0; i < 5; i++)
    waits.push(Number((await server.until(/"event":"restart".*"waitMs":(\d+)/))[1]));
  expect(waits).toEqual([100, 200, 400, 800, 1600]);
  await server.until(/"event":"given-up","worker":1/);
  await server.until(/ambit: no worker is left\. The lines above say why\.\n/);
  expect(await server.end()).toBe(1);
});

test('a worker that does not respond is killed and replaced', async () => {
  const server = new Running(folder, ['start', '--port', '0', '--workers', '1', '--worker-timeout', '2']);
  const address = await server.address();
  const blocked = sendRequest(`${address}/block`).catch(() => 'lost');
  await server.until(/worker 1 \(pid \d+\) has not responded for 2 s and is killed/);
  await server.until(/worker 1 \(pid \d+\) ended with SIGKILL/);
  await server.until(/worker 1 \(pid \d+\) is ready/);
  expect(await blocked).toBe('lost');
  expect((await sendRequest(address)).status).toBe(200);
  await server.stop();
});

test('SIGUSR2 reports the health of each worker', async () => {
  const server = new Running(folder, ['start', '--port', '0', '--workers', '2', '--json']);
  await server.until(/"event":"listening".*\n/);
  server.child.kill('SIGUSR2');
  for (const worker of [1, 2]) {
    const [line] = await server.until(/\{[^\n]*"event":"status"[^\n]*\}\n/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      time: expect.any(Number),
      worker,
      pid: expect.any(Number),
      state: 'serving',
      restarts: 0,
      connections: 0,
    });
  }
  await server.stop();
});

test('a server goes on when the reader of its output is gone', async () => {
  const server = new Running(folder, ['start', '--port', '0', '--workers', '1']);
  const address = await server.address();
  server.child.stdout!.destroy();
  server.child.kill('SIGUSR2');
  expect((await sendRequest(address)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test('a version that does not boot replaces no worker', async () => {
  const changing = makeFolder({
    'app.js': `${flavors.ambit}import { existsSync } from 'node:fs';
if (existsSync('broken')) throw new Error('no database');${routes}`,
  });
  const server = new Running(changing, ['start', '--port', '0', '--workers', '2']);
  const address = await server.address();
  writeFiles(changing, { broken: '' });
  const load = new Load(address);
  server.child.kill('SIGHUP');
  await server.until(/app\.js:\d+: the module cannot be imported: no database\. The old workers go on\./);
  await load.stop();
  expect(load.failures).toEqual([]);
  await server.stop();
});

for (const args of [[], ['--workers', '2']]) {
  test(`start ${args.join(' ')}: an application that does not boot ends the command with one line`, async () => {
    const broken = makeFolder({ 'app.js': "throw new Error('no database');" });
    expect(await runCommand(broken, ['start', '--port', '0', ...args])).toEqual({
      code: 1,
      stdout: expect.any(String),
      stderr: 'ambit: app.js:1: the module cannot be imported: no database.\n',
    });
  });

  test(`start ${args.join(' ')}: the error for a port in use names the port and says what to do`, async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const place = ['--port', String(port), '--host', '127.0.0.1'];
    const { code, stderr } = await runCommand(folder, ['start', ...place, ...args]);
    expect(stderr).toBe(
      `ambit: port ${port} of 127.0.0.1 is in use. Pass another one with --port, or 0 for a free one.\n`,
    );
    expect(code).toBe(1);
    occupant.close();
  });

  test(`start ${args.join(' ')}: requests that still run at the deadline are cut off, and the exit code is 1`, async () => {
    const server = new Running(folder, ['start', '--port', '0', '--deadline', '1', ...args]);
    const address = await server.address();
    const lost = sendRequest(`${address}/never`).catch(() => 'lost');
    await server.until(/waiting/);
    expect(await server.stop()).toBe(1);
    expect(await lost).toBe('lost');
    expect(server.output).toContain('not everything ended within 1 s: connections were cut off');
  });

  test(`start ${args.join(' ')}: a second signal stops immediately`, async () => {
    const server = new Running(folder, ['start', '--port', '0', '--deadline', '3600', ...args]);
    const address = await server.address();
    const lost = sendRequest(`${address}/never`).catch(() => 'lost');
    await server.until(/waiting/);
    // npm passes signals on twice, so one that comes at once is the same.
    const again = setInterval(() => server.child.kill('SIGINT'), 50);
    expect(await server.end()).toBe(130);
    clearInterval(again);
    expect(await lost).toBe('lost');
  });
}

for (const args of [[], ['--workers', '1']]) {
  test(`start ${args.join(' ')}: a program that listens itself is served where the command line says`, async () => {
    const source = `${flavors.ambit}app.get('/', () => 'ok');\nawait app.listen({ port: 1 });`;
    const server = new Running(makeFolder({ 'app.js': source }), ['start', '--port', '0', ...args]);
    expect(await sendRequest(await server.address())).toEqual({ status: 200, body: 'ok' });
    expect(await server.stop()).toBe(0);
  });

  test(`start ${args.join(' ')}: a program that listens on a socket is served there, and the output says where`, async () => {
    const source = `${flavors.ambit}app.get('/', () => 'ok');\nawait app.listen({ path: 'app.sock' });`;
    const server = new Running(makeFolder({ 'app.js': source }), ['start', ...args]);
    await server.until(/listening at app\.sock/);
    expect(await server.stop()).toBe(0);
  });

  test(`start ${args.join(' ')} --delay: after SIGTERM everything is served, and the application sees that it is stopping`, async () => {
    const stopping = makeFolder({
      'app.js': `${flavors.ambit}import { isStopping } from 'ambit';
app.get('/ready', (_request, reply) => reply.code(isStopping(app) ? 503 : 200).send(''));
export default app;`,
    });
    const server = new Running(stopping, ['start', '--port', '0', '--delay', '3600', ...args]);
    const address = await server.address();
    expect((await sendRequest(`${address}/ready`)).status).toBe(200);
    server.child.kill('SIGTERM');
    await server.until(/SIGTERM: stopping after 3600 s, in which everything is served/);
    // The main process sends a message to a worker to close it.
    let status = 200;
    while (status === 200) ({ status } = await sendRequest(`${address}/ready`));
    expect(status).toBe(503);
    const again = setInterval(() => server.child.kill('SIGTERM'), 50);
    expect(await server.end()).toBe(143);
    clearInterval(again);
  });
}

test('--delay does not apply to Ctrl-C', async () => {
  const server = new Running(folder, ['start', '--port', '0', '--delay', '3600']);
  await server.address();
  expect(await server.stop('SIGINT')).toBe(0);
});

test('the log names a request that is cut off', async () => {
  const logging = makeFolder({
    'app.js': `import { ambit } from 'ambit';
const app = ambit({ logger: { level: 'warn' } });
app.get('/never', () => { console.log('waiting'); return new Promise(() => {}); });
export default app;`,
  });
  const server = new Running(logging, ['start', '--port', '0', '--deadline', '1']);
  const lost = sendRequest(`${await server.address()}/never`).catch(() => 'lost');
  await server.until(/waiting/);
  server.child.kill('SIGTERM');
  await server.until(/"route":"GET \/never".*"msg":"a request was cut off/);
  expect(await server.end()).toBe(1);
  expect(await lost).toBe('lost');
});

test('PORT and HOST of the environment are used, and --port has precedence', async () => {
  const env = { PORT: 'x', HOST: '127.0.0.1' };
  const refused = await runCommand(folder, ['start'], { env });
  expect(refused).toMatchObject({
    code: 2,
    stderr: 'ambit: the variable PORT is `x`, not a port. See `ambit start --help`.\n',
  });
  const server = new Running(folder, ['start', '--port', '0'], env);
  expect(await server.address()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await server.stop();
});

for (const [args, message] of [
  [['--port', '65536'], '--port is `65536`, not a whole number from 0 to 65535'],
  [['--port', ''], '--port is ``, not a whole number from 0 to 65535'],
  [['--workers', '0'], '--workers is `0`, not a whole number from 1 to 1024'],
  [['--workers', 'many'], '--workers is `many`, not a whole number from 1 to 1024'],
  [['--deadline', '0'], '--deadline is `0`, not a whole number from 1 to 3600'],
  [['--delay', '3601'], '--delay is `3601`, not a whole number from 0 to 3600'],
  [['--wokers', '2'], 'there is no option --wokers; did you mean --workers?'],
  [['--worker-timeout', '2'], '--worker-timeout needs --workers'],
] as const) {
  test(`start ${args.join(' ')} is rejected`, async () => {
    const { code, stderr } = await runCommand(folder, ['start', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(`ambit: ${message}`);
  });
}
