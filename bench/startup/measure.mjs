/**
 * The order in which start-up is measured: new processes, one after another, with the subjects in turns.
 *
 * @typedef {Partial<Record<import('./cases.mjs').Measure, number[]>> & { failure?: string }} BootSamples One entry per round;
 *   `failure` describes a failure; then the other fields are ignored.
 * @typedef {Record<string, Record<string, BootSamples>>} BootResults By case and subject.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onServerCore } from '../pinning.mjs';
import { orderOfTurn } from '../turns.mjs';
import { cases } from './cases.mjs';

const run = promisify(execFile);
const scriptPath = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const env = { ...process.env, NODE_ENV: 'production' };
const longestMs = 120_000;

/**
 * @param {number} rounds
 * @param {string} executable The Node that runs them.
 * @param {(name: string, round: number) => void} onRound Called before each round of a case.
 * @returns {Promise<BootResults>} Without the subject `artifact` if this build cannot create one.
 */
export async function measureStartup(rounds, executable, onRound) {
  const hasArtifact = (await runFresh(executable, 'artifact.mjs')) === 'true';
  /** @type {BootResults} */
  const results = {};
  for (const [name, { subjects, measures }] of Object.entries(cases)) {
    const measured = subjects.filter((subject) => subject !== 'artifact' || hasArtifact);
    const samples = Object.fromEntries(
      measured.map((subject) => [subject, Object.fromEntries(measures.map((measure) => [measure, []]))]),
    );
    for (let round = 0; round < rounds; round++) {
      onRound(name, round);
      for (const subject of orderOfTurn(measured.length, round).map((i) => measured[i])) {
        addSample(samples[subject], measures, await bootOnce(executable, name, subject));
      }
    }
    results[name] = samples;
  }
  return results;
}

async function bootOnce(executable, name, subject) {
  try {
    return JSON.parse(await runFresh(executable, 'worker.mjs', name, subject));
  } catch (error) {
    return { failure: error.killed ? `not ready after ${longestMs / 1000} s` : 'the process ended' };
  }
}

/** @returns The last line that the script printed. */
async function runFresh(
  /** @type {string} */ executable,
  /** @type {string} */ script,
  /** @type {string[]} */ ...scriptArgs
) {
  const [command, ...args] = [...onServerCore(executable), scriptPath(script), ...scriptArgs];
  const { stdout } = await run(command, args, { env, timeout: longestMs });
  return stdout.trim().split('\n').at(-1);
}

function addSample(samples, measures, result) {
  if (result.failure !== undefined) samples.failure = result.failure;
  else for (const measure of measures) samples[measure].push(result[measure]);
}
