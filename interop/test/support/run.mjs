// Owns how the tests start programs, and where things are.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { provideNode } from '../../../scripts/provide-node.mjs';

export const interop = fileURLToPath(new URL('../..', import.meta.url));
export const application = `${interop}.application`;
export const tarballs = `${interop}.tarballs`;

/** The binary of a major version of node. */
export function nodeOf(major) {
  const binary = provideNode(major);
  if (binary === undefined) throw new Error(`the npm package node@${major} brought no binary that runs here`);
  return binary;
}

/** @returns What it printed to stdout. @throws When it fails, with all that it printed. */
export async function run(cwd, command, args, env = {}) {
  const { stdout } = await runToEnd(cwd, command, args, env);
  return stdout;
}

/** @returns What it printed: to stdout, and `all` with stderr. @throws When it fails, with all that it printed. */
export async function runToEnd(cwd, command, args, env = {}) {
  // The runner of these tests is not the one that is tested.
  const { NODE_OPTIONS: _, VITEST: __, NODE_ENV: ___, CI: ____, ...outer } = process.env;
  const child = spawn(command, args, { cwd, env: { ...outer, ...env }, shell: false });
  let stdout = '';
  let all = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    all += chunk;
  });
  child.stderr.on('data', (chunk) => {
    all += chunk;
  });
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${all}`);
  return { stdout, all };
}
