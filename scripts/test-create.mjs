// `npm run test:create`: tests what create-ambit creates, from the packed packages and on every version of Node that
// runs it, with each package manager. On Debian, it installs Postgres.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPackages } from './debian.mjs';
import { installWhenNeeded } from './install.mjs';
import { runScript, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

function runTests() {
  const env = { ...process.env, TEST_COUNTS_RUN: 'create' };
  const args = [`${root}node_modules/vitest/vitest.mjs`, 'run', '--root', 'interop/create'];
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
}

if (!installPackages(['postgresql'])) {
  console.error('test:create needs Postgres: on Debian, run it as root, or install the package postgresql');
  process.exit(1);
}
installWhenNeeded();
// Its package managers.
installWhenNeeded('interop');
process.exitCode = runScript('build', 'build') && runStep('tests: create', runTests) ? 0 : 1;
