// `npm run test:clients`: tests that the HTTP engine itself serves curl, undici, Python's requests, Go's net/http and
// Chromium. On Debian, it installs clients that are missing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPackages } from './debian.mjs';
import { installWhenNeeded } from './install.mjs';
import { runScript, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

function runTests() {
  const env = { ...process.env, TEST_COUNTS_RUN: 'clients' };
  const args = [`${root}node_modules/vitest/vitest.mjs`, 'run', '--root', 'interop/clients'];
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
}

const packages = ['curl', 'python3-requests', 'golang-go', ...(process.env.CHROMIUM ? [] : ['chromium'])];
if (!installPackages(packages)) {
  console.error(`test:clients needs ${packages.join(', ')}: on Debian, run it as root, or install them`);
  process.exit(1);
}
installWhenNeeded();
process.exitCode = runScript('build', 'build') && runStep('tests: clients', runTests) ? 0 : 1;
