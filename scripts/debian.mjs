// Installs Debian packages that tests and benchmarks need: `node scripts/debian.mjs wrk nginx haproxy`, as root.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isProgram, runStep } from './steps.mjs';

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** @returns {boolean} Whether all packages are installed now. Packages that are already installed are not downloaded again. */
export function installPackages(/** @type {string[]} */ names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return true;
  if (!canInstall()) return false;
  return runStep(`install ${missing.join(', ')}`, () => apt('update') || apt('install', '-y', ...missing));
}

function isInstalled(/** @type {string} */ name) {
  const { status, stdout } = spawnSync('dpkg', ['-s', name], { encoding: 'utf8' });
  return status === 0 && /^Status: install ok installed$/m.test(stdout);
}

function apt(/** @type {string[]} */ ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status ?? 1;
}

if (isProgram(import.meta.url)) {
  const names = process.argv.slice(2);
  if (!installPackages(names)) {
    console.error(`debian: on Debian, install them with \`apt-get install ${names.join(' ')}\` as root`);
    process.exitCode = 1;
  }
}
