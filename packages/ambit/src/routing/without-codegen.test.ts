import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../test/fixtures/routing-program.mjs', import.meta.url));

function run(...flags: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, program], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

test('routing is the same if code generation is forbidden', () => {
  const expected = run();
  expect(expected.split('\n').length).toBeGreaterThan(50);
  expect(run('--disallow-code-generation-from-strings')).toBe(expected);
});
