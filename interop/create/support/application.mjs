// Owns an application that was created from the packed package: how it is created, and how its scripts run.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inject } from 'vitest';
import { provideNode } from '../../../scripts/provide-node.mjs';
import { run } from '../../test/support/run.mjs';
import { startServer } from '../../test/support/start-server.mjs';

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
export function startApplication(folder, version, script, env = {}) {
  const given = { ...environmentOf(version), PORT: '0', DATABASE_FILE: ':memory:', ...env };
  return startServer(folder, ['npm', 'run', '--silent', script], given);
}
