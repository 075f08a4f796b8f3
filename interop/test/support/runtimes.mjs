// Owns the runtimes besides Node, and how the tests serve the application with each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { application, nodeOf, run } from './run.mjs';

const require = createRequire(import.meta.url);

/** The command of each runtime, with the arguments before the program. */
export const runtimes = {
  node: () => [nodeOf('24')],
  bun: () => [require.resolve('bun/bin/bun.exe')],
  deno: (permissions = ['--allow-all']) => [locateDeno(), 'run', ...permissions, '--node-modules-dir=manual'],
};

/** Deno's binary. The package `deno` would only choose among packages such as this one. */
export const locateDeno = () => require.resolve('@deno/linux-x64-glibc/deno');

const workerd = () => require.resolve('@cloudflare/workerd-linux-64/bin/workerd');
/** What workerd writes to its control descriptor once it listens. */
const listens = /"socket":"http","port":(\d+)/;

/**
 * Compiles the schemas of the application that all runtimes serve, bundles it for workers, and has workerd serve it.
 *
 * @param {string} flavor `ambit` or `fastify`.
 * @param {string[]} [flags] Compatibility flags of the worker.
 * @param {string} [date] Its compatibility date.
 */
export async function startWorker(flavor, flags = [], date = undefined) {
  const folder = `${application}/on-workerd-${[flavor, ...flags, date].join('-')}`;
  mkdirSync(folder, { recursive: true });
  copyFileSync(await bundleOf(flavor), `${folder}/worker.mjs`);
  return startWorkerd(folder, flags, date);
}

/** Bundles that this process has made. */
const bundles = new Map();

function bundleOf(flavor) {
  const make = async () => {
    await run(application, nodeOf('24'), ['runtimes/compile.mjs', flavor]);
    const outfile = `${application}/bundles/${flavor}.mjs`;
    await bundleWorker(`${application}/runtimes/worker-${flavor}.mjs`, outfile);
    return outfile;
  };
  if (!bundles.has(flavor)) bundles.set(flavor, make());
  return bundles.get(flavor);
}

/**
 * Has workerd serve `worker.mjs` of a folder.
 *
 * @param {string[]} [flags] Compatibility flags of the worker.
 * @param {string} [date] Its compatibility date.
 */
export function startWorkerd(folder, flags = [], date = '2026-10-01') {
  const config = readFileSync(`${application}/workers/worker.capnp`, 'utf8');
  writeFileSync(
    `${folder}/worker.capnp`,
    config.replace('[]', JSON.stringify(flags)).replace('2026-10-01', date),
  );
  return start([workerd(), 'serve', `${folder}/worker.capnp`, '--control-fd=1'], listens);
}

/**
 * Bundles a program with esbuild.
 *
 * @param {import('esbuild').BuildOptions} [options] What is not as a user has it.
 * @returns Esbuild's list of what it has read. @throws For a warning too.
 */
export async function bundleWorker(program, outfile, options = {}) {
  const { warnings, metafile } = await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd'],
    logLevel: 'silent',
    metafile: true,
    ...options,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  return metafile;
}

/**
 * Starts a program that prints its port in a line of its own.
 *
 * @param {string[]} command
 * @returns {Promise<{ origin: string, printed: readonly string[], stop(): Promise<void> }>} `printed` has its lines so far.
 */
export async function start([executable, ...args], findPort = /^(\d+)$/) {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1', NODE_OPTIONS: '' };
  const child = spawn(executable, args, { cwd: application, env, stdio: 'pipe' });
  const printed = [];
  const port = await new Promise((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        printed.push(line);
        const found = findPort.exec(line);
        if (found !== null) resolve(found[1]);
      });
    child.once('close', (status) =>
      reject(new Error(`${executable} ${args.join(' ')} ended with ${status}\n${printed.join('\n')}`)),
    );
  });
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  return { origin: `http://127.0.0.1:${port}`, printed, stop };
}
