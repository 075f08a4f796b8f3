// Owns the processes that run the programs of this folder: one for each runtime.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { provideNode } from '../../scripts/provide-node.mjs';
import { bundleWorker } from './bundle-worker.mjs';
import { errorOf } from './error-of.mjs';
import { sendTo } from './send-requests.mjs';
import { tryPlugin } from './try-plugin.mjs';

const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL('.', import.meta.url));

const commands = {
  node: () => [provideNode('24')],
  bun: () => [require.resolve('bun/bin/bun.exe')],
  // Deno's binary. The package `deno` would only choose among packages such as this one.
  deno: () => [
    require.resolve('@deno/linux-x64-glibc/deno'),
    'run',
    '--allow-all',
    '--node-modules-dir=manual',
  ],
};

/** Tries all plugins on Node, Bun or Deno. */
export function tryOn(runtime, surroundings) {
  return runOn(runtime, 'try-all.mjs', runtime, JSON.stringify(surroundings));
}

/** @returns What a program of this folder prints in its last line. @throws with all that it printed if it fails. */
export async function runOn(runtime, ...programAndArguments) {
  const [program, ...args] = [...commands[runtime](), ...programAndArguments];
  // The runner of these tests is not the one that is tried.
  const { NODE_OPTIONS: _, VITEST: __, NODE_ENV: ___, ...outer } = process.env;
  const child = spawn(program, args, {
    cwd: here,
    env: { ...outer, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
  child.stdin.end();
  const [printed, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== 0) throw new Error(`${runtime} ended with ${status}\n${printed}\n${errors}`);
  return JSON.parse(printed.trim().split('\n').at(-1));
}

/** Tries all plugins on workerd. */
export async function tryOnWorkerd(names, surroundings) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-plugins-'));
  await bundleWorker(folder, names);
  const workerd = await startWorkerd(folder);
  const results = {};
  for (const name of names) {
    const entry = await import(`./plugins/${name}.mjs`);
    const tryWith = async (flavor) => {
      const error = await tryPlugin(entry, async () =>
        serveByWorker(workerd.origin, name, flavor, surroundings),
      );
      return error === null ? { outcome: 'runs', errors: [] } : { outcome: 'cannot', errors: [error] };
    };
    results[name] = { ambit: await tryWith('ambit'), fastify: await tryWith('fastify') };
  }
  await workerd.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  return results;
}

/** The worker has one application for each plugin and flavor, and a field of the request chooses it. */
async function serveByWorker(origin, name, flavor, surroundings) {
  const settings = JSON.stringify(surroundings);
  const created = await fetch(origin, {
    headers: { 'x-create': `${name}/${flavor}`, 'x-surroundings': settings },
  });
  if (created.status !== 200) throw await errorOf(created);
  // As the network of Cloudflare does, a field has the address of the client.
  return sendTo(origin, { 'x-application': `${name}/${flavor}`, 'cf-connecting-ip': '192.0.2.1' });
}

async function startWorkerd(folder) {
  const program = require.resolve('@cloudflare/workerd-linux-64/bin/workerd');
  // It writes to its control descriptor once it listens.
  const child = spawn(program, ['serve', `${folder}/worker.capnp`, '--control-fd=1']);
  child.stdin.end();
  const printed = [];
  const port = await new Promise((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        printed.push(line);
        const found = /"socket":"http","port":(\d+)/.exec(line);
        if (found !== null) resolve(found[1]);
      });
    child.once('close', (status) => reject(new Error(`workerd ended with ${status}\n${printed.join('\n')}`)));
  });
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}
