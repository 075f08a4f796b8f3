// Builds the packages before `npm pack` and `npm publish`, because a package without its build could be installed but not loaded, and
// before the tests, because some code cannot be loaded from the sources: modules that packages load later with `require`, and
// programs that run in their own process. Both do not use the aliases of vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { isProgram, root } from './steps.mjs';

/** Its output goes to stderr, because npm reads the list of packed files from stdout. */
export default function build() {
  const stdio = ['ignore', process.stderr, process.stderr];
  if (spawnSync(process.execPath, [`${root}scripts/build.mjs`], { stdio }).status !== 0)
    throw new Error('the build failed');
}

// If npm runs this file.
if (isProgram(import.meta.url)) build();
