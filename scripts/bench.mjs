// `npm run bench`: installs and builds if needed, then measures. Arguments after `--` go to bench/run.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';
import { runScript } from './steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
installWhenNeeded();
installWhenNeeded('bench');
if (!args.includes('--help') && !runScript('build', 'build')) process.exit(1);
const { status } = spawnSync(process.execPath, ['bench/run.mjs', ...args], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
