import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listUnfit } from './engines.mjs';

const root = new URL('../', import.meta.url);
const readJson = (file) => JSON.parse(readFileSync(fileURLToPath(new URL(file, root)), 'utf8'));

test('a package that wants a newer Node is named, with what it wants', () => {
  const packages = {
    'node_modules/old': { version: '1.0.0', engines: { node: '>=18' } },
    'node_modules/any': { version: '1.0.0' },
    'node_modules/new': { version: '2.0.0', engines: { node: '>=22' } },
    'node_modules/tool': { version: '2.0.0', engines: { node: '>=22' }, dev: true },
    'node_modules/extra': { version: '2.0.0', engines: { node: '>=22' }, optional: true },
  };
  expect(listUnfit({ packages }, '>=20.19.0')).toEqual([
    'node_modules/new@2.0.0 wants node >=22, and we promise >=20.19.0',
    'node_modules/tool@2.0.0 wants node >=22, and we promise >=20.19.0',
  ]);
});

test('all that `npm ci` installs runs on the oldest Node that we promise', () => {
  expect(listUnfit(readJson('package-lock.json'), readJson('package.json').engines.node)).toEqual([]);
});
