// Tests that a run does not print warnings that tests cause on purpose, and prints all others.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const setup = fileURLToPath(new URL('expected-warnings.mjs', import.meta.url));

/** The output of a process with this setup that emits a warning. */
function printed(text, options) {
  const program = `process.emitWarning(${JSON.stringify(text)}, ${JSON.stringify(options)})`;
  const args = ['--import', `file://${setup}`, '--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr;
}

for (const [type, code] of [
  ['AmbitWarning', 'AMBWRN001'],
  ['FastifySecurity', 'FSTSEC002'],
  ['FastifyDeprecation', 'FSTDEP023'],
]) {
  test(`the warning ${code}, which tests cause on purpose, is not printed`, () => {
    expect(printed('provoked', { type, code })).toBe('');
  });
}

test('any other warning is printed', () => {
  expect(printed('a leak', { type: 'MaxListenersExceededWarning' })).toContain('a leak');
});
