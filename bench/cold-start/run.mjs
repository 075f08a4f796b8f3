/**
 * Measures cold starts: the CPU time of a process from its start to its first response. On each runtime, it
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
import { findNode, onServerCore, otherRuntimes, serverEnv } from '../machine.mjs';
import { scenarios } from '../scenarios.mjs';
import { measureInTurns, median } from '../statistics.mjs';
import { makeApp } from './make-app.mjs';

const pathOf = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const out = pathOf('../../.cache/cold-start');
const compiled = `${out}/compiled.mjs`;
const workerd = createRequire(import.meta.url).resolve('@cloudflare/workerd-linux-64/bin/workerd');
const [rounds = '10'] = process.argv.slice(2);

async function writeArtifact() {
  const app = makeApp();
  mkdirSync(out, { recursive: true });
  writeFileSync(compiled, await compileSchemas(app));
  await app.close();
}

/** Builds a worker from its source. @returns {Promise<string[]>} The command that serves it. */
async function makeWorker(/** @type {string} */ name, /** @type {string} */ source) {
  const folder = `${out}/${name}`;
  const input = `${folder}/source.mjs`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(input, source);
  const resolve = { conditionNames: ['workerd', 'import', 'default'] };
  const bundle = await rolldown({ input, platform: 'node', resolve });
  await bundle.write({ file: `${folder}/worker.mjs`, minify: true, codeSplitting: false });
  await bundle.close();
  copyFileSync(pathOf('worker.capnp'), `${folder}/worker.capnp`);
  return [workerd, 'serve', `${folder}/worker.capnp`, '--control-fd=1'];
}

/** The CPU time of all threads of a process, in milliseconds. */
function readCpuMs(/** @type {number} */ pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
}

/** Starts a process, and sends one request to it. It prints its port in a separate line, or in a message of workerd. */
async function startOnce(/** @type {string[]} */ command) {
  const { method, path, body } = scenarios.post.load.request;
  const [executable, ...args] = onServerCore(...command);
  const child = spawn(executable, args, { env: serverEnv, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^(\d+)$|"port":(\d+)/.exec(line);
    if (port === null) continue;
    const headers = { 'content-type': 'application/json' };
    const origin = `http://127.0.0.1:${port[1] ?? port[2]}`;
    const response = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${command.join(' ')}: ${response.status} ${answer}`);
    const cpuMs = readCpuMs(child.pid);
    child.kill('SIGKILL');
    await exit;
    return cpuMs;
  }
  throw new Error(`${command.join(' ')} ended before it listened`);
}

await writeArtifact();
const bareWorker =
  'export default { fetch: async (request) => Response.json({ id: 7, ...(await request.json()) }) };';
const ambitWorker = `import * as compiled from '${compiled}';
import { makeApp } from '${pathOf('make-app.mjs')}';
export default makeApp(compiled);
`;
const server = pathOf('server.mjs');
const [node, bun, deno] = [findNode(24), otherRuntimes.bun, otherRuntimes.deno].map(({ command }) => command);
const subjects = {
  'Ambit on Node': [...node, server, compiled],
  'node:http': [...node, server],
  'Ambit on Bun': [...bun, server, compiled],
  'Bun.serve': [...bun, server],
  'Ambit on Deno': [...deno, server, compiled],
  'Deno.serve': [...deno, server],
  'Ambit on workerd': await makeWorker('ambit', ambitWorker),
  'a worker without a framework': await makeWorker('bare', bareWorker),
};
const samples = Object.keys(subjects).map((label) => ({ label, figures: {} }));
const commands = Object.values(subjects);
await measureInTurns(samples, Number(rounds), async (i) => ({ cpuMs: await startOnce(commands[i]) }));
for (const { label, figures } of samples) {
  const { cpuMs } = figures;
  const range = [Math.min(...cpuMs), Math.max(...cpuMs)].map(Math.round);
  console.log(`${label.padEnd(30)} ${Math.round(median(cpuMs))} ms CPU (${range.join('–')})`);
}
