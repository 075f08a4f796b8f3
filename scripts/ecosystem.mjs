// Runs the test projects outside the workspace with the built packages: `node scripts/ecosystem.mjs ecosystem`,
// `browser` or `interop`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';
import { installPackages } from './debian.mjs';
import { installWhenNeeded } from './install.mjs';
import { provideNode } from './provide-node.mjs';
import { runScript, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [project] = process.argv.slice(2);
process.chdir(root);

function run(title, script, ...args) {
  const env = { ...process.env, TEST_COUNTS_RUN: project };
  const command = [`${root}node_modules/${script}`, ...args];
  return runStep(title, () => spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1);
}

if (!['ecosystem', 'browser', 'interop'].includes(project))
  throw new Error('usage: ecosystem.mjs ecosystem|browser|interop');
if (project === 'browser' && findChromium() === undefined) {
  console.error('test:browser needs Chromium: /usr/bin/chromium, or the path in the variable CHROMIUM');
  process.exit(1);
}
installWhenNeeded();
const folder = project === 'interop' ? 'interop' : 'ecosystem';
installWhenNeeded(folder);
if (project === 'ecosystem') {
  // Once, because several test files need them, and run at the same time.
  provideNode('24');
  installPackages(['redis-server']);
}
const passed =
  runScript('build', 'build') &&
  (folder === 'interop' || run('types of the tests', 'typescript/bin/tsc', '-p', folder)) &&
  run(`tests: ${project}`, 'vitest/vitest.mjs', 'run', '--root', folder, '--project', project);
process.exitCode = passed ? 0 : 1;
