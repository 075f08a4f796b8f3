// Runs an example and a test file of each package from the sources, without a build: `node scripts/run-unbuilt.mjs 24 26`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { provideNode } from './provide-node.mjs';
import { runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

async function runExample(/** @type {string} */ node) {
  const args = ['--import', './scripts/resolve-sources.mjs', 'examples/encapsulation/server.mjs'];
  const server = spawn(node, args, {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const origin = /http:\/\/[\w.:[\]]+/.exec(line)?.[0];
      if (origin === undefined) continue;
      for (const path of ['/lobby', '/docs'])
        if (!(await fetch(origin + path)).ok) throw new Error(`GET ${path} failed`);
      return true;
    }
    return false;
  } finally {
    server.kill();
    await ended;
  }
}

function runTests(/** @type {string} */ node) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.unbuilt.config.ts'];
  return spawnSync(node, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const majors = process.argv.slice(2);
if (majors.length === 0) throw new Error('usage: node scripts/run-unbuilt.mjs <major> ...');
for (const major of majors) {
  const node = provideNode(major);
  if (node === undefined)
    throw new Error(`the npm package node@${major} contains no binary for this machine`);
  const hasServed = await runExample(node);
  if (!hasServed) console.error(`run-unbuilt: the example did not listen on Node ${major}`);
  const passed = runStep(`tests from the sources, on Node ${major}`, () => (runTests(node) ? 0 : 1));
  if (!hasServed || !passed) process.exitCode = 1;
}
