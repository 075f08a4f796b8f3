// What `npm pack` and `npm publish` run first in each package: a package without its build would install, and not load.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm reads a list of what was packed from its own standard output: the build says what it has to say on the other one.
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [build], {
  stdio: ['ignore', process.stderr, process.stderr],
});
process.exitCode = status ?? 1;
