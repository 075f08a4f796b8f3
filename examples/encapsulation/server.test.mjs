// Tests the example as a user runs it: in a separate process, with requests over a socket, and stopped by a signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));
const started = [];

/** Starts the example on a free port; resolves when it has printed the last of its curl lines. */
async function start(env = {}) {
  // With the flags of this process, which may load packages from their sources (vitest.unbuilt.config.ts).
  const child = spawn(process.execPath, [...process.execArgv, server], {
    env: { ...process.env, PORT: '0', ...env },
  });
  const example = { child, output: '' };
  started.push(child);
  child.stderr.on('data', (chunk) => (example.output += chunk));
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}\n${example.output}`)));
    child.stdout.on('data', (chunk) => {
      example.output += chunk;
      if (/Bearer \w+'\n/.test(example.output)) resolve();
    });
  });
  example.origin = `http://localhost:${/curl localhost:(\d+)/.exec(example.output)[1]}`;
  example.key = /Bearer (\w+)'/.exec(example.output)[1];
  return example;
}

let example;
beforeAll(async () => {
  example = await start();
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

async function getJson(path, headers = {}) {
  const response = await fetch(`${example.origin}${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

for (const [path, body] of [
  ['/lobby', { answer: 42, foo: 'foo' }],
  ['/balcony', { answer: 42, foo: 'foo', bar: 'bar' }],
]) {
  test(`${path} needs no key and sees the decorators of its context and of its ancestors`, async () => {
    expect(await getJson(path)).toEqual({ status: 200, body });
  });
}

test('/members with the printed key sees only the decorators of the root', async () => {
  const authorization = `Bearer ${example.key}`;
  expect(await getJson('/members', { authorization })).toEqual({ status: 200, body: { answer: 42 } });
});

for (const [what, headers] of [
  ['without a key', {}],
  ['with another key', { authorization: 'Bearer guess' }],
]) {
  test(`/members ${what} responds with 401`, async () => {
    expect((await getJson('/members', headers)).status).toBe(401);
  });
}

test('if the port is in use, the error message contains the port and suggests to set PORT', async () => {
  const occupant = createServer().listen(0, 'localhost');
  await once(occupant, 'listening');
  const { port } = occupant.address();
  await expect(start({ PORT: String(port) })).rejects.toThrow(
    `Port ${port} is in use. Set PORT to another one, or to 0 for a free one: PORT=0 npm start`,
  );
  occupant.close();
});

test('the documentation is served, and only the guarded route requires the token', async () => {
  expect((await fetch(`${example.origin}/docs`)).status).toBe(200);
  const { body } = await getJson('/openapi.json');
  const guarded = Object.entries(body.paths).filter(([, { get }]) => get.security !== undefined);
  expect(Object.keys(body.paths)).toEqual(['/balcony', '/lobby', '/members']);
  expect(guarded.map(([path]) => path)).toEqual(['/members']);
});

test('it prints three curl lines and logs requests', async () => {
  await getJson('/lobby?logged');
  expect(example.output.match(/^ {2}curl localhost:\d+\//gm)).toHaveLength(3);
  await expect.poll(() => example.output).toMatch(/"url":"\/lobby\?logged".*"msg":"incoming request"/);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  test.skipIf(process.platform === 'win32')(`${signal} ends it with exit code 0`, async () => {
    const { child } = await start();
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });
}
