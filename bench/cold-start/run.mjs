/**
 * Measures cold starts: the time from starting a process to its first response, and the CPU time until then. On each runtime, it
 * measures the application of `make-app.mjs` with compiled schemas, and the server of the runtime without a framework.
 *
 *   node bench/cold-start/run.mjs [rounds]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileSchemas } from 'ambit';
import { rolldown } from 'rolldown';
import { onServerCore } from '../pinning.mjs';
import { findNode, otherRuntimes } from '../runtimes.mjs';
import { scenarios } from '../scenarios.mjs';
import { median } from '../statistics.mjs';
import { makeApp } from './make-app.mjs';

const require = createRequire(import.meta.url);
const pathOf = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const out = pathOf('../../.cache/cold-start');
const [rounds = '10'] = process.argv.slice(2);
const { request } = scenarios.post.load;
const env = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1' };

async function writeArtifact() {
  mkdirSync(out, { recursive: true });
  const app = makeApp();
  writeFileSync(`${out}/compiled.mjs`, await compileSchemas(app));
  await app.close();
  writeFileSync(
    `${out}/worker.mjs`,
    `import * as compiled from './compiled.mjs';
import { makeApp } from '${pathOf('make-app.mjs')}';
export default makeApp(compiled);
`,
  );
}

/** Builds a program for workerd. @returns {Promise<string[]>} The command that serves it. */
async function makeWorker(/** @type {string} */ name, /** @type {string} */ program) {
  const folder = `${out}/${name}`;
  mkdirSync(folder, { recursive: true });
  const conditionNames = ['workerd', 'import', 'default'];
  const build = await rolldown({ input: program, platform: 'node', resolve: { conditionNames } });
  await build.write({ file: `${folder}/worker.mjs`, minify: true, codeSplitting: false });
  await build.close();
  copyFileSync(pathOf('worker.capnp'), `${folder}/worker.capnp`);
  const workerd = require.resolve('@cloudflare/workerd-linux-64/bin/workerd');
  return [workerd, 'serve', `${folder}/worker.capnp`, '--control-fd=1'];
}

/** The CPU time of all threads of a process, in milliseconds. */
function readCpuMs(/** @type {number} */ pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
}

/** Starts a process, and sends one request to it. It prints its port in a separate line, or in a message of workerd. */
async function startOnce([executable, ...args]) {
  const startedMs = performance.now();
  const [command, ...rest] = [...onServerCore(executable), ...args];
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const exit = once(child, 'exit');
  for await (const line of lines) {
    const port = /^(\d+)$|"port":(\d+)/.exec(line);
    if (port === null) continue;
    const response = await fetch(`http://127.0.0.1:${port[1] ?? port[2]}${request.path}`, {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    });
    if (response.status !== 200)
      throw new Error(`${executable}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    const sample = { wallMs: performance.now() - startedMs, cpuMs: readCpuMs(child.pid) };
    child.kill('SIGKILL');
    await exit;
    return sample;
  }
  throw new Error(`${executable} ${args.join(' ')} ended before it listened`);
}

/** The median, with the smallest and the greatest. */
function describe(/** @type {number[]} */ values) {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(0)} ms (${least.toFixed(0)}–${most.toFixed(0)})`;
}

await writeArtifact();
const ambitArgs = [pathOf('serve.mjs'), `${out}/compiled.mjs`];
const bareArgs = [pathOf('bare.mjs')];
const node = findNode(24).executable;
const deno = [otherRuntimes.deno.executable, 'run', '--allow-all', '--node-modules-dir=manual'];
/** @type {Record<string, string[]>} */
const commands = {
  'Ambit on Node': [node, ...ambitArgs],
  'node:http': [node, ...bareArgs],
  'Ambit on Bun': [otherRuntimes.bun.executable, ...ambitArgs],
  'Bun.serve': [otherRuntimes.bun.executable, ...bareArgs],
  'Ambit on Deno': [...deno, ...ambitArgs],
  'Deno.serve': [...deno, ...bareArgs],
  'Ambit on workerd': await makeWorker('ambit', `${out}/worker.mjs`),
  'a worker without a framework': await makeWorker('bare', pathOf('bare-worker.mjs')),
};
/** @type {Record<string, { wallMs: number, cpuMs: number }[]>} */
const samples = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, command] of Object.entries(commands)) samples[name].push(await startOnce(command));
}
for (const [name, subjectSamples] of Object.entries(samples)) {
  console.log(
    name.padEnd(30),
    `${describe(subjectSamples.map(({ cpuMs }) => cpuMs))} CPU`.padStart(24),
    describe(subjectSamples.map(({ wallMs }) => wallMs)).padStart(22),
  );
}
