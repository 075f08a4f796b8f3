// Builds what packages load when they first need it: `require` knows nothing of the aliases by which tests see the sources.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lazyPackages = ['packages/json-serializer'];

export default function buildLazyPackages() {
  const command = ['node_modules/typescript/bin/tsc', '-b', ...lazyPackages];
  const { status, stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${lazyPackages.join(', ')}: the build failed\n${stdout}`);
}
