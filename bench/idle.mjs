// Measures the memory of idle connections, with the benchmark of the HTTP engine in its own process.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../packages/http-engine/bench/idle.mjs', import.meta.url));

/** @typedef {{ connections: number, bytes: Record<'engine' | 'node' | 'fastify', number> }} IdleResult `bytes` of each connection. */

/** @returns {Promise<IdleResult>} */
export async function measureIdle(/** @type {string} */ executable) {
  const { stdout } = await run(executable, [script, '--json']);
  return JSON.parse(stdout);
}
