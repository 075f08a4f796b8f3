// `npm pack` and `npm publish` run this first in each package: without its build, a package could be installed but not
// loaded.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The output of the build goes to stderr, because npm reads the list of packed files from stdout.
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [build], {
  stdio: ['ignore', process.stderr, process.stderr],
});
process.exitCode = status ?? 1;
