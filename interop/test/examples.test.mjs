// The examples for runtimes as a user meets them: each started by its own command, asked over a socket, stopped by a signal.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { application, interop, nodeOf, run } from './support/run.mjs';
import { locateDeno, runtimes } from './support/runtimes.mjs';
import { startServer } from './support/start-server.mjs';

const wrangler = [nodeOf('24'), `${interop}node_modules/wrangler/bin/wrangler.js`];
const env = {
  PORT: '0',
  DENO_NO_UPDATE_CHECK: '1',
  NO_COLOR: '1',
  NODE_OPTIONS: '',
  CI: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};
const development = ['dev', '--ip', '127.0.0.1', '--port', '0', '--show-interactive-dev-session=false'];
const migration = ['d1', 'migrations', 'apply', 'notes', '--local'];

const origin = /(http:\/\/[\w.:[\]]+)/;

/** How each example is started, and what has to run before. */
const examples = {
  bun: { command: () => [...runtimes.bun(), 'server.mjs'] },
  deno: { command: () => [locateDeno(), 'task', '--quiet', 'start'] },
  cloudflare: { command: () => [...wrangler, ...development], before: () => [...wrangler, ...migration] },
};

describe.each(Object.entries(examples))('%s', (name, { command, before }) => {
  const folder = `${application}/examples/${name}`;
  const close = { connection: 'close' };
  let server;
  beforeAll(async () => {
    if (before !== undefined) {
      const [program, ...args] = before();
      await run(folder, program, args, env);
    }
    server = await startServer(folder, command(), env, origin);
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
  });

  const get = (path) => fetch(server.origin + path, { headers: close });
  const write = (note) =>
    fetch(`${server.origin}/notes`, {
      method: 'POST',
      headers: { ...close, 'content-type': 'application/json' },
      body: JSON.stringify(note),
    });

  test('a note is written, read, and exported as a line', async () => {
    const written = await write({ text: 'ä "first" note' });
    expect(written.status).toBe(201);
    const note = await written.json();
    expect(note).toEqual({ id: 1, text: 'ä "first" note', createdAt: expect.stringMatching(/^20\d\d-.*Z$/) });
    expect(await (await get('/notes/1')).json()).toEqual(note);
    await write({ text: 'second' });
    const exported = await get('/notes/export');
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await exported.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['ä "first" note', 'second']);
  });

  test('more notes than a page are all exported, in order', async () => {
    for (let i = 0; i < 100; i++) await write({ text: `note ${i}` });
    const lines = (await (await get('/notes/export')).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 102 }, (_, i) => i + 1));
  });

  test('a note that is not valid, and one that does not exist, are refused', async () => {
    const refused = await write({ text: '' });
    expect([refused.status, (await refused.json()).message]).toEqual([
      400,
      'body/text should NOT have fewer than 1 characters',
    ]);
    const missing = await get('/notes/1000');
    expect([missing.status, await missing.json()]).toEqual([404, { message: 'There is no note 1000' }]);
    expect((await get('/notes/first')).status).toBe(400);
  });

  test('the routes are documented', async () => {
    const { paths } = await (await get('/openapi.json')).json();
    expect(Object.keys(paths).sort()).toEqual(['/notes', '/notes/export', '/notes/{id}']);
    expect(await (await get('/docs')).text()).toContain('<title>Notes</title>');
  });
});

/** What the task of the example for Deno runs: `deno task` itself ends with the signal, and may do so before its program. */
function denoProgram() {
  const { tasks } = JSON.parse(readFileSync(`${application}/examples/deno/deno.json`, 'utf8'));
  return [locateDeno(), ...tasks.start.split(' ').slice(1)];
}

test.each([
  ['bun', examples.bun.command],
  ['deno', denoProgram],
])('a signal ends the example for %s in order', async (name, command) => {
  const folder = `${application}/examples/${name}`;
  const server = await startServer(folder, command(), env, origin);
  expect(await (await fetch(`${server.origin}/notes/export`)).text()).toBe('');
  expect((await server.stop('SIGTERM')).status).toBe(0);
});
