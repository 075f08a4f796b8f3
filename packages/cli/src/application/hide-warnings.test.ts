import { expect, test } from 'vitest';
import { makeFolder, runCommand } from '../../test/support/command.ts';

const warn = (text: string) => `process.emitWarning(${JSON.stringify(text)}, 'ExperimentalWarning');\n`;

test('features that Ambit uses on purpose cause no warning of Node, and other features do', async () => {
  const folder = makeFolder({
    'app.js': `${warn('SQLite is an experimental feature and might change at any time')}${warn('Type Stripping is an experimental feature and might change at any time')}${warn('Something is an experimental feature')}
import { ambit } from 'ambit';
export default ambit();`,
  });
  const { code, stderr } = await runCommand(folder, ['routes']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^\(node:\d+\) ExperimentalWarning: Something is an experimental feature\n/);
  expect(stderr).not.toMatch(/SQLite|Stripping/);
});
