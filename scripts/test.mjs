// `npm test`: installs and builds if needed, then runs everything that CI runs, except on other versions of Node.
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, runScript } from './steps.mjs';

const checks = [
  ['format and lint', 'lint'],
  ['layers', 'check:layers'],
  ['types of the tests', 'check:types'],
  ['tests', 'test:unit'],
  ['code blocks of the docs', 'check:docs'],
  ['packaging', 'check:package'],
];

const startedMs = performance.now();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installWhenNeeded();

// If the build fails, other results are not reliable, so the run ends. The checks do not depend on one another.
const count = checks.length + 1;
const failed = runScript(`[1/${count}] build`, 'build')
  ? checks
      .filter(([title, script], i) => !runScript(`[${i + 2}/${count}] ${title}`, script))
      .map(([title]) => title)
  : ['build'];

console.log(`\n=== ${failed.length === 0 ? 'all steps passed' : `FAILED: ${failed.join(', ')}`}`);
console.log(`--- total ${formatDuration(startedMs)}`);
process.exitCode = failed.length === 0 ? 0 : 1;
