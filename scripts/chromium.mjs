// Finds the Chromium that the browser tests run. `node scripts/chromium.mjs --install` installs Debian's where there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { runStep } from './steps.mjs';

/** Where it is on Debian; `CHROMIUM` names another. */
const binary = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Path of the binary; undefined when there is none. */
export function findChromium() {
  return existsSync(binary) ? binary : undefined;
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status ?? 1;
}

function install() {
  const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version') && !process.env.CHROMIUM;
  if (canInstall) runStep('install chromium', () => apt('update') || apt('install', '-y', 'chromium'));
}

// As a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (findChromium() === undefined && process.argv.includes('--install')) install();
  if (findChromium() === undefined) {
    console.error(
      `chromium: there is no ${binary}; on Debian, \`apt-get install chromium\` as root brings it`,
    );
    process.exitCode = 1;
  }
}
