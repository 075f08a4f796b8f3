import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listUnsupported } from './engines.mjs';

const root = new URL('../', import.meta.url);
const readJson = (file) => JSON.parse(readFileSync(fileURLToPath(new URL(file, root)), 'utf8'));

test('a package that needs a newer version of Node is reported with that version', () => {
  const packages = {
    'node_modules/old': { version: '1.0.0', engines: { node: '>=18' } },
    'node_modules/any': { version: '1.0.0' },
    'node_modules/new': { version: '2.0.0', engines: { node: '>=22' } },
    'node_modules/tool': { version: '2.0.0', engines: { node: '>=22' }, dev: true },
    'node_modules/extra': { version: '2.0.0', engines: { node: '>=22' }, optional: true },
  };
  expect(listUnsupported({ packages }, '>=20.19.0')).toEqual([
    'node_modules/new@2.0.0 needs node >=22, but we support >=20.19.0',
    'node_modules/tool@2.0.0 needs node >=22, but we support >=20.19.0',
  ]);
});

test('every package that `npm ci` installs supports the oldest version of Node that we support', () => {
  expect(listUnsupported(readJson('package-lock.json'), readJson('package.json').engines.node)).toEqual([]);
});
