// Installs other versions of Node from the npm package `node`, which contains the binaries, to `.cache`.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { isProgram, isWindows, npm, root } from './steps.mjs';

/**
 * @param {number | string} version A major version, such as `24`, or one with its minor version, such as `22.18`.
 * @returns The path of its binary, which is installed if needed; undefined if no such binary runs on this machine.
 */
export function provideNode(version) {
  const isWanted = (/** @type {string | undefined} */ found) => found?.startsWith(`${version}.`);
  if (isWanted(process.versions.node)) return process.execPath;
  const folder = `${root}.cache/node-${version}`;
  const binary = `${folder}/node_modules/node/bin/node${isWindows ? '.exe' : ''}`;
  if (isWanted(readVersion(binary))) return binary;
  mkdirSync(folder, { recursive: true });
  // The package links its binary in an install script, which the user's npm may not run.
  const flags = ['--ignore-scripts=false', '--no-save', '--loglevel=error'];
  npm(['install', '--prefix', folder, ...flags, `node@${version}`]);
  return isWanted(readVersion(binary)) ? binary : undefined;
}

/** @returns `26.10.0`; undefined if the binary does not run. */
export function readVersion(/** @type {string} */ binary) {
  const { stdout, status } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().slice(1) : undefined;
}

// If this file runs as a program: `node scripts/provide-node.mjs 22 24 26`.
if (isProgram(import.meta.url))
  for (const version of process.argv.slice(2)) if (provideNode(version) === undefined) process.exitCode = 1;
