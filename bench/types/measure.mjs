/**
 * The order in which type checking is measured: subjects in turns, each time in a new compiler process. Subjects
 * that have no types or do not type-check are not measured.
 *
 * @typedef {{ [Figure in keyof import('./diagnostics.mjs').Check]: number[] } & { failure?: string }} CheckSamples One entry per
 *   round; `failure` describes a failure, and then the other fields are ignored.
 * @typedef {Record<string, Record<number, CheckSamples>>} CheckResults By subject and number of routes.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onServerCore } from '../pinning.mjs';
import { findError, readDiagnostics } from './diagnostics.mjs';
import { subjects, writeProgram } from './subjects.mjs';

export const routeCounts = [200, 1_000];

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
// Inside bench/, where programs find the packages of the peers. They find Ambit (its build) and Fastify in the
// workspace.
const folder = fileURLToPath(new URL('../.cache/types/', import.meta.url));
const flags =
  '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2023 --types node --pretty false --singleThreaded --extendedDiagnostics';
const longestMs = 180_000;

/**
 * @param {number} rounds
 * @param {(name: string, round: number) => void} onRound Called before each check of a round.
 * @returns {Promise<CheckResults>}
 */
export async function measureTypes(rounds, onRound) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "type": "module" }\n');
  const names = Object.keys(subjects);
  for (const name of names) await checkHasTypes(name);
  /** @type {CheckResults} */
  const results = Object.fromEntries(
    names.map((name) => [name, Object.fromEntries(routeCounts.map((count) => [count, emptySamples()]))]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const count of routeCounts) {
      const measured = names.filter((name) => isMeasured(name, count, round));
      for (const name of round % 2 === 0 ? measured : measured.toReversed()) {
        onRound(subjects[name].label, round);
        await addSample(results[name][count], name, count);
      }
    }
  }
  return results;
}

/** Chains of 1,000 routes take a minute per round, so they are checked only once. */
export function isMeasured(
  /** @type {string} */ name,
  /** @type {number} */ count,
  /** @type {number} */ round,
) {
  return round === 0 || count < 1_000 || !subjects[name].isChained;
}

/** @returns {CheckSamples} */
const emptySamples = () => ({ checkSeconds: [], totalSeconds: [], instantiations: [], memoryMb: [] });

/** @throws {Error} if a correct program has an error, or if the compiler does not report a mistake: types that are `any` are cheap. */
async function checkHasTypes(/** @type {string} */ name) {
  for (const [kind, source] of [
    ['right', writeProgram(name, 2)],
    ['wrong', writeProgram(name, 2, true)],
  ]) {
    const error = findError(await check(`${name}-${kind}.ts`, source));
    if (error !== undefined) throw new Error(`${name}, the program that is ${kind}: ${error}`);
  }
}

async function addSample(/** @type {CheckSamples} */ samples, name, count) {
  // A subject that failed once would fail again.
  if (samples.failure !== undefined) return;
  const output = await check(`${name}-${count}.ts`, writeProgram(name, count));
  samples.failure = findError(output) ?? (output === '' ? `nothing after ${longestMs / 1000} s` : undefined);
  if (samples.failure !== undefined) return;
  for (const [figure, value] of Object.entries(readDiagnostics(output))) samples[figure].push(value);
}

/** @returns {Promise<string>} The output of the compiler; empty if it was stopped. */
function check(/** @type {string} */ file, /** @type {string} */ source) {
  writeFileSync(folder + file, source);
  const [command, ...args] = [...onServerCore(process.execPath), compiler, ...flags.split(' '), file];
  // Runs in its own process group, because the compiler is a child of the script that starts it, and would continue
  // without it.
  const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => {
    isStopped = true;
    process.kill(-child.pid, 'SIGKILL');
  }, longestMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(isStopped ? '' : output);
    });
  });
}
