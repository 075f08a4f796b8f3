// Installs the workspace when it has to: on a fresh clone, and when the lock file or the Node major changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { npm, runStep } from './steps.mjs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const stampFile = new URL('../node_modules/.install-stamp', import.meta.url);

/** Leaves the process with a message when the machine is not fit, or when npm fails. */
export function installWhenNeeded() {
  requireNode(20, 19);
  const stamp = describeInstall();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  if (!runStep('install', () => npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']))) process.exit(1);
  writeFileSync(stampFile, stamp);
}

function requireNode(major, minor) {
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return;
  console.error(`Ambit needs Node ${major}.${minor} or newer; this is ${process.version}.`);
  process.exit(1);
}

// The stamp lives inside node_modules, so deleting that folder deletes it too.
function describeInstall() {
  const lockHash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const [major] = process.versions.node.split('.');
  return `${lockHash} node-${major} ${process.platform}-${process.arch}\n`;
}
