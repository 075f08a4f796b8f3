// What `npm pack` and `npm publish` run first in each package: a package without its build would install, and not load.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm reads a list of the packed files from its standard output, so the build writes to standard error.
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [build], {
  stdio: ['ignore', process.stderr, process.stderr],
});
process.exitCode = status ?? 1;
