// The public API does not change by accident: a name that is added or removed shows in the list beside this test, which
// `npx vitest run scripts/public-names.test.mjs -u` writes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listExports } from './doc-comments.mjs';

test('ambit and its client export the names of the list', async () => {
  const read = (path) => readFileSync(new URL(`../packages/ambit/${path}`, import.meta.url), 'utf8');
  const lists = ['dist/index.d.ts', 'dist/client/client.d.ts'].map(
    (entry) => `${entry}\n${listExports(read, entry).join('\n')}\n`,
  );
  await expect(lists.join('\n')).toMatchFileSnapshot('public-names.txt');
});
