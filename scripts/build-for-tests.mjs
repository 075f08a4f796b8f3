// Builds what tests cannot load from the sources: modules that packages load later with `require`, and code that runs
// in its own process. Neither knows the aliases with which tests import the sources.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('build.mjs', import.meta.url));

export default function buildForTests() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [build], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed\n${stdout}${stderr}`);
}
