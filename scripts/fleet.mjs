// `npm run test:fleet`: starts the example `fleet` with its servers, causes failures under load, and counts the requests
// that they affect. On Debian, it installs servers that are missing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPackages } from './debian.mjs';
import { installWhenNeeded } from './install.mjs';
import { runScript, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

function runTests() {
  const env = { ...process.env, TEST_COUNTS_RUN: 'fleet' };
  const args = [`${root}node_modules/vitest/vitest.mjs`, 'run', '--root', 'examples/fleet/integration'];
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
}

const packages = ['haproxy', 'postgresql', 'redis-server'];
if (!installPackages(packages)) {
  console.error(`test:fleet needs ${packages.join(', ')}: on Debian, run it as root, or install them`);
  process.exit(1);
}
installWhenNeeded();
process.exitCode = runScript('build', 'build') && runStep('tests: fleet', runTests) ? 0 : 1;
