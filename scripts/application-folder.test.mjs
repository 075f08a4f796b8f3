import { expect, test } from 'vitest';
import { findApplicationFolder } from './application-folder.mjs';

test.each([
  [['../api']],
  [['../api', '--template', 'service']],
  [['--template', 'service', '../api']],
  [['-t', 'service', '-r', 'bun', '../api']],
  [['--runtime', 'cloudflare', '../api', '--javascript']],
  [['--runtime=deno', '--yes', '../api']],
])('npm run create -- %j creates ../api', (args) => {
  expect(findApplicationFolder(args)).toBe('../api');
});

test('there is no folder if all arguments are options and their values', () => {
  expect(findApplicationFolder(['--template', 'service', '--runtime', 'bun', '--yes'])).toBeUndefined();
});
