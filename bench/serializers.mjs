/**
 * The runs of the serializer's own benchmark (packages/json-serializer/bench), on the servers' core.
 *
 * @typedef {{ name: string, ns: number, overNative: number, overPeer: number }} WritingResult How many times as fast as
 *   the other ones.
 * @typedef {{ name: string, compile: number, compileAndWrite: number }} CompilingResult The time divided by that of the
 *   other serializer.
 * @typedef {{ writing: { results: WritingResult[] }, compiling: { results: CompilingResult[] } }} SerializerRound
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onServerCore } from './pinning.mjs';

const run = promisify(execFile);
const folder = new URL('../packages/json-serializer/bench/', import.meta.url);

/**
 * Starts new processes for each round, because all turns in one process run the same optimized code.
 *
 * @param {number} rounds
 * @param {number} turns The number of turns of each shape in a round.
 * @param {string} executable The Node that runs it.
 * @param {(round: number) => void} onRound Called before each round.
 * @returns {Promise<SerializerRound[]>}
 */
export async function measureSerializers(rounds, turns, executable, onRound) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    const writing = await runScript(executable, 'run.mjs', turns);
    results.push({ writing, compiling: await runScript(executable, 'compile-time.mjs', turns) });
  }
  return results;
}

async function runScript(executable, name, turns) {
  const script = fileURLToPath(new URL(name, folder));
  const [command, ...args] = [...onServerCore(executable), script, '--json', '--turns', `${turns}`];
  const { stdout } = await run(command, args, { env: { ...process.env, NODE_ENV: 'production' } });
  return JSON.parse(stdout);
}
