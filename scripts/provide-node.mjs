// Brings other Node majors: the npm package `node` has their binaries, kept in .cache, away from the workspace's dependencies.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isWindows, npm } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns Path of a Node major's binary, installed on first use; undefined when no binary of that major runs here. */
export function provideNode(/** @type {number | string} */ major) {
  if (process.versions.node.split('.')[0] === `${major}`) return process.execPath;
  const folder = `${root}.cache/node-${major}`;
  const binary = `${folder}/node_modules/node/bin/node${isWindows ? '.exe' : ''}`;
  if (readVersion(binary)?.split('.')[0] === `${major}`) return binary;
  mkdirSync(folder, { recursive: true });
  // The package links its binary in an install script, which a user's npm may switch off.
  const flags = ['--ignore-scripts=false', '--no-save', '--loglevel=error'];
  npm(['install', '--prefix', folder, ...flags, `node@${major}`]);
  return readVersion(binary)?.split('.')[0] === `${major}` ? binary : undefined;
}

/** @returns `26.10.0`; undefined where the binary does not run. */
export function readVersion(/** @type {string} */ binary) {
  const { stdout, status } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().slice(1) : undefined;
}
