// Installs an npm project of the repository if needed: in a new clone, or if its lock file or the major version of Node
// has changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { npm, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Ends the process with a message if the version of Node is too old, or if npm fails.
 *
 * @param folder The folder of the project below the root, by default the root itself: the workspace of the packages.
 * @param flags More flags of npm.
 */
export function installWhenNeeded(folder = '.', ...flags) {
  requireNode(20, 19);
  const project = join(root, folder);
  const stampFile = join(project, 'node_modules/.install-stamp');
  const stamp = describeInstall(project);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const command = ['ci', '--prefix', project, '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  if (!runStep(`install ${folder}`, () => npm(command))) process.exit(1);
  writeFileSync(stampFile, stamp);
}

function requireNode(major, minor) {
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return;
  console.error(`Ambit needs Node ${major}.${minor} or newer; this is ${process.version}.`);
  process.exit(1);
}

// The stamp is inside node_modules, so deleting that folder deletes it too.
function describeInstall(project) {
  const lockHash = createHash('sha256')
    .update(readFileSync(join(project, 'package-lock.json')))
    .digest('hex');
  const [major] = process.versions.node.split('.');
  return `${lockHash} node-${major} ${process.platform}-${process.arch}\n`;
}

// If this file runs as a program: `node scripts/install.mjs . ecosystem`.
if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const folder of process.argv.slice(2)) installWhenNeeded(folder);
