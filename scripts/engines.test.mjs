import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listUnsupported } from './engines.mjs';

const readJson = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));

test('a package that needs a newer version of Node is reported with that version, unless it is optional', () => {
  const needs = (node, others) => ({ version: '2.0.0', engines: { node }, ...others });
  const packages = {
    old: needs('>=18'),
    any: {},
    new: needs('>=22'),
    extra: needs('>=22', { optional: true }),
  };
  expect(listUnsupported({ packages }, '>=20.19.0')).toEqual([
    'new@2.0.0 needs node >=22, but we support >=20.19.0',
  ]);
});

test('every package that `npm ci` installs supports the oldest version of Node that we support', () => {
  expect(listUnsupported(readJson('package-lock.json'), readJson('package.json').engines.node)).toEqual([]);
});
