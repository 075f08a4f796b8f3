// Owns an application that was created from the packed package: how it is created, and how its scripts run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { provideNode } from '../../../scripts/provide-node.mjs';
import { run } from '../../test/support/run.mjs';

/** An empty folder, and what removes it. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-created-'));
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

/** The environment in which `node` is this version, and packages come from our registry. */
export function environmentOf(version) {
  const binary = provideNode(version);
  if (binary === undefined)
    throw new Error(`the npm package node@${version} brought no binary that runs here`);
  return {
    PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`,
    npm_config_registry: inject('registry'),
    npm_config_user_agent: '',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

/** Runs the program of the packed package. @returns What it printed. */
export function create(folder, version, ...args) {
  return run(folder, 'node', [inject('program'), ...args], environmentOf(version));
}

/** Runs a script of the application. @returns What it printed. */
export function runScript(folder, version, name, env = {}) {
  return run(folder, 'npm', ['run', '--silent', name], { ...environmentOf(version), ...env });
}

/** Starts the application with one of its scripts, on a free port. @returns Its address, and what stops it. */
export function startApplication(folder, version, script) {
  const env = { ...environmentOf(version), PORT: '0', DATABASE_FILE: ':memory:' };
  return startServer(folder, ['npm', 'run', '--silent', script], env);
}

const listens = /^ambit: .*?(http:\/\/[\w.:[\]]+)/;

/** Starts a command that serves, and prints its address. @returns The address, and what stops it. */
export async function startServer(folder, [program, ...args], env, findOrigin = listens) {
  const { NODE_ENV: _, VITEST: __, ...outer } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...outer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a package manager, its shell and node get a signal together, as from a terminal.
    detached: true,
  });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = findOrigin.exec(line) ?? [];
      if (found) resolve(found);
    });
    child.once('error', reject);
    exited.then(() => reject(new Error(`\`${program} ${args.join(' ')}\` did not listen\n${complaints}`)));
  });
  return {
    origin,
    /** @returns What it has written to standard error, and its exit code. */
    async stop(signal = 'SIGINT') {
      process.kill(-child.pid, signal);
      const [status] = await exited;
      return { status, complaints };
    },
  };
}
