// Builds the packages before the tests, because some code cannot be loaded from the sources: modules that packages load
// later with `require`, and programs that run in their own process. Both do not use the aliases of vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('build.mjs', import.meta.url));

export default function buildForTests() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [build], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed\n${stdout}${stderr}`);
}
