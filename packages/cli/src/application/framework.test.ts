/** Applications with more than one copy of ambit, whose functions know only the applications of their own copy. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder, runCommand } from '../../test/support/command.ts';

const ambit = fileURLToPath(new URL('../../../ambit/', import.meta.url));

/** Installs another copy of ambit in a folder. */
function installCopy(folder: string): void {
  for (const path of ['package.json', 'dist'])
    cpSync(join(ambit, path), join(folder, 'node_modules/ambit', path), {
      recursive: true,
      filter: (file) => !/\.(map|d\.ts)$/.test(file),
    });
}

const source =
  "import { ambit } from 'ambit';\nconst app = ambit();\napp.get('/', () => 'ok');\nexport default app;\n";

test('the application’s copy of ambit is used, not that of the command', async () => {
  const folder = makeFolder({ 'app.js': source });
  installCopy(folder);
  const { code, stdout, stderr } = await runCommand(folder, ['routes', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject([{ method: 'GET', url: '/' }]);
});

test('an application whose copy of ambit cannot be found is rejected, and the message says what to do', async () => {
  const folder = makeFolder({ 'app.js': "export { default } from './lib/app.js';", 'lib/app.js': source });
  installCopy(join(folder, 'lib'));
  const { code, stdout, stderr } = await runCommand(folder, ['routes']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^ambit: app\.js: another copy of ambit has made the application than .*ambit.*\. `npm ls ambit` shows the copies; `npm dedupe` leaves one\.\n$/,
  );
});
