// Owns the programs that try the plugins: one process for each runtime.
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

/** Tries all plugins on Node, Bun or Deno. @throws with what was printed if the program fails. */
export async function tryOn(runtime, surroundings) {
  const [program, ...args] = [...commands[runtime](), 'try-all.mjs', JSON.stringify(surroundings)];
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
    results[name] = {};
    for (const flavor of ['ambit', 'fastify']) {
      const query = new URLSearchParams({ surroundings: JSON.stringify(surroundings) });
      results[name][flavor] = await (await fetch(`${workerd.origin}/${name}/${flavor}?${query}`)).json();
    }
  }
  await workerd.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  return results;
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
