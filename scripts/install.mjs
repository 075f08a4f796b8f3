// Installs an npm project of the repository if needed: in a new clone, or if its lock file or the major version of Node
// has changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram, npm, root, runStep } from './steps.mjs';

/**
 * Ends the process with a message if the version of Node is too old, or if npm fails.
 *
 * @param folder The folder of the project below the root, by default the root itself: the workspace of the packages.
 * @param flags More flags of npm.
 */
export function installWhenNeeded(folder = '.', ...flags) {
  requireNode();
  const project = join(root, folder);
  const stampFile = join(project, 'node_modules/.install-stamp');
  const stamp = describeInstall(project);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const command = ['ci', '--prefix', project, '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  if (!runStep(`install ${folder}`, () => npm(command))) process.exit(1);
  writeFileSync(stampFile, stamp);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Ambit needs Node 20.19 or newer; this is ${process.version}.`);
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
if (isProgram(import.meta.url)) for (const folder of process.argv.slice(2)) installWhenNeeded(folder);
