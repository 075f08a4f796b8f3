// Owns the run of the serializer's own benchmark (packages/json-serializer/bench), on the servers' core.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onServerCore } from './pinning.mjs';

const run = promisify(execFile);
const folder = new URL('../packages/json-serializer/bench/', import.meta.url);

/** @param {number} turns Of each shape. */
export async function measureSerializers(turns) {
  return {
    writing: await runScript('run.mjs', turns),
    compiling: await runScript('compile-time.mjs', turns),
  };
}

async function runScript(name, turns) {
  const script = fileURLToPath(new URL(name, folder));
  const [command, ...args] = [...onServerCore(process.execPath), script, '--json', '--turns', `${turns}`];
  const { stdout } = await run(command, args, { env: { ...process.env, NODE_ENV: 'production' } });
  return JSON.parse(stdout);
}
