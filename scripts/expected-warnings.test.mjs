// Tests that a run does not print warnings that tests cause on purpose, and prints all others.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  [{ type: 'AmbitWarning', code: 'AMBWRN001' }, false],
  [{ type: 'FastifySecurity', code: 'FSTSEC002' }, false],
  [{ type: 'FastifyDeprecation', code: 'FSTDEP023' }, false],
  [{ type: 'MaxListenersExceededWarning' }, true],
])('%j is printed: %j', (options, isPrinted) => {
  const program = `process.emitWarning('a warning', ${JSON.stringify(options)})`;
  const setup = new URL('expected-warnings.mjs', import.meta.url);
  const { stderr } = spawnSync(process.execPath, ['--import', setup, '-e', program], { encoding: 'utf8' });
  expect(stderr.includes('a warning')).toBe(isPrinted);
});
