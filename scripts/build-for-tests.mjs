// Builds what tests do not see as sources: what packages load when they first need it, and what runs in processes of its own.
// Neither knows of the aliases by which tests see the sources.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('build.mjs', import.meta.url));

export default function buildForTests() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [build], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed\n${stdout}${stderr}`);
}
