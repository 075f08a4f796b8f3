// Builds what tests do not see as sources: what packages load when they first need it, and what runs in processes of its own.
// Neither knows of the aliases by which tests see the sources.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['packages/ambit'];

export default function buildForTests() {
  const command = ['node_modules/typescript/bin/tsc', '-b', ...packages];
  const { status, stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${packages.join(', ')}: the build failed\n${stdout}`);
}
