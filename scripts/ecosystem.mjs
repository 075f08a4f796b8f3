// Runs published plugins on both faces of the built packages: `node scripts/ecosystem.mjs ecosystem` or `browser`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';
import { installWhenNeeded } from './install.mjs';
import { runScript, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [project] = process.argv.slice(2);
process.chdir(root);

function run(title, script, ...args) {
  const env = { ...process.env, TEST_COUNTS_RUN: project };
  const command = [`${root}node_modules/${script}`, ...args];
  return runStep(title, () => spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1);
}

if (!['ecosystem', 'browser'].includes(project)) throw new Error('usage: ecosystem.mjs ecosystem|browser');
if (project === 'browser' && findChromium() === undefined) {
  console.error('test:browser needs Chromium: /usr/bin/chromium, or the path in the variable CHROMIUM');
  process.exit(1);
}
installWhenNeeded();
installWhenNeeded('ecosystem');
const passed =
  runScript('build', 'build') &&
  run('types of the tests', 'typescript/bin/tsc', '-p', 'ecosystem') &&
  run(`tests: ${project}`, 'vitest/vitest.mjs', 'run', '--root', 'ecosystem', '--project', project);
process.exitCode = passed ? 0 : 1;
