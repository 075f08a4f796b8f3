// The guide of runtimes as a newcomer follows it: its files, as they are, started by its commands.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { application, interop, nodeOf, run } from './support/run.mjs';
import { locateDeno, runtimes, start } from './support/runtimes.mjs';
import { startServer } from './support/start-server.mjs';

const guide = readFileSync(new URL('../../docs/guide/runtimes.md', import.meta.url), 'utf8');
const origin = /(http:\/\/[\w.:[\]]+)/;
const env = {
  DENO_NO_UPDATE_CHECK: '1',
  NO_COLOR: '1',
  NODE_OPTIONS: '',
  CI: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};
const executables = { node: nodeOf('24'), bun: runtimes.bun()[0], deno: locateDeno() };

/** Writes the files of a section, whose first lines are their names. @returns Their folder. */
function writeFiles(name, section) {
  const folder = `${application}/guide-${name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
  for (const [, file, content] of section.matchAll(/^```.*\n\/\/ ([\w.]+).*\n([^`]*)^```$/gm))
    writeFileSync(`${folder}/${file}`, content.replace('port: 3000', 'port: 0'));
  return folder;
}

/** A command of the guide. @returns The program and its arguments. */
function commandOf(runtime, text) {
  const found = guide.match(text)?.[1];
  if (found === undefined) throw new Error(`the guide has no command ${text}`);
  return [executables[runtime], ...found.split(' ')];
}

const section = (title) => guide.split(`## ${title}\n`)[1].split('\n## ')[0];

describe('the first program of the guide', () => {
  test.each([
    ['node', /`node (server\.mjs)`/],
    ['bun', /`bun (server\.mjs)`/],
    ['deno', /`deno (run .* server\.mjs)`/],
  ])('listens on %s', async (runtime, command) => {
    const folder = writeFiles('listen', guide.split('\n## ')[0]);
    const server = await startServer(folder, commandOf(runtime, command), env, origin);
    expect(await (await fetch(server.origin)).json()).toEqual({ hello: 'world' });
    await server.stop();
  });
});

describe('the default export of the guide', () => {
  test.each([
    ['bun', /`bun (run app\.js)`/],
    ['deno', /`deno (serve .* app\.js)`/],
  ])('is served by %s', async (runtime, text) => {
    const folder = writeFiles('export', guide.split('\n## ')[0]);
    const [executable, command, ...options] = commandOf(runtime, text);
    const onFreePort = [executable, command, '--port=0', ...options.slice(0, -1), `${folder}/app.js`];
    const server = await start(onFreePort, /http:\/\/[\w.]+:(\d+)/);
    expect(await (await fetch(server.origin)).json()).toEqual({ hello: 'world' });
    await server.stop();
  });
});

describe('the worker of the guide', () => {
  const wrangler = [executables.node, `${interop}node_modules/wrangler/bin/wrangler.js`];

  test('is served by wrangler dev', async () => {
    const folder = writeFiles('worker', section('Cloudflare Workers'));
    const options = ['--ip', '127.0.0.1', '--port', '0', '--show-interactive-dev-session=false'];
    const server = await startServer(folder, [...wrangler, 'dev', ...options], env, origin);
    const headers = { connection: 'close' };
    expect(await (await fetch(`${server.origin}/notes/7`, { headers })).json()).toEqual({ id: 7 });
    expect((await fetch(`${server.origin}/notes/first`, { headers })).status).toBe(400);
    await server.stop('SIGKILL');
  });

  test('is bundled by wrangler deploy', async () => {
    const folder = writeFiles('deployed', section('Cloudflare Workers'));
    const printed = await run(folder, wrangler[0], [wrangler[1], 'deploy', '--dry-run'], env);
    expect(printed).toContain('--dry-run: exiting now.');
  });
});
