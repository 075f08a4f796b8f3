// `npm run bench`: installs and builds if needed, then measures. Arguments after `--` go to bench/run.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';
import { runScript } from './steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installWhenNeeded();
installWhenNeeded('bench');
if (!runScript('build', 'build')) process.exit(1);
const { status } = spawnSync(process.execPath, ['bench/run.mjs', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
