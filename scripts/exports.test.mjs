// Tests that each kind of unused export is found, and that used exports are not reported.
import { expect, test } from 'vitest';
import { findUnusedExports } from './exports.mjs';

const check = (sources, entryPoints = ['index.ts']) =>
  findUnusedExports(new Map(Object.entries(sources)), entryPoints);

test('an export that another file imports is used', () => {
  const sources = {
    'index.ts': "import { a } from './a.ts';\nimport type { B } from './a.ts';\nexport const c: B = a;",
    'a.ts': 'export const a = 1;\nexport type B = number;',
  };
  expect(check(sources)).toEqual([]);
});

test('the exports and re-exports of an entry point are public', () => {
  const sources = {
    'index.ts': "export const a = 1;\nexport * from './b.ts';\nexport * as errors from './c.ts';",
    'b.ts': "export const b = 1;\nexport * from './d.ts';",
    'c.ts': "export * from './d.ts';\nexport const c = 1;",
    'd.ts': 'export class D {}',
  };
  expect(check(sources)).toEqual([]);
});

test('an export that nothing uses is dead, whether it is a value or a type', () => {
  const sources = { 'index.ts': '', 'a.ts': 'export const a = 1;\nexport type B = number;' };
  expect(check(sources)).toEqual([
    'a.ts:1: dead export: nothing uses `a`',
    'a.ts:2: dead export: nothing uses `B`',
  ]);
});

test('code that only tests use is dead', () => {
  const sources = {
    'index.ts': '',
    'a.ts': 'export function a() {}',
    'a.test.ts': "import { a } from './a.ts';\na();",
  };
  expect(check(sources)).toEqual(['a.ts:1: dead export: nothing uses `a`']);
});

test('an exported value that only its own file uses is reported; a type, and a value that a test imports, are not', () => {
  const sources = {
    'index.ts': "import './a.ts';",
    'a.ts': 'export const a = 1;\nexport const b = a;\nexport type C = typeof b;\nconst c: C = b;\nvoid c;',
    'a.test.ts': "import { b } from './a.ts';\nvoid b;",
  };
  expect(check(sources)).toEqual(['a.ts:1: unneeded export: only this file uses `a`']);
});

test('an export that is imported through `export *` of another file is used', () => {
  const sources = {
    'index.ts': "import { a } from './all.ts';\nvoid a;",
    'all.ts': "export * from './a.ts';",
    'a.ts': 'export const a = 1;\nexport const b = 2;',
  };
  expect(check(sources)).toEqual(['a.ts:2: dead export: nothing uses `b`']);
});

test('a module that is imported dynamically or by a type is used', () => {
  const sources = {
    'index.ts': "export type A = import('./a.ts').A;\nvoid import('./b.ts');",
    'a.ts': 'export type A = number;',
    'b.ts': 'export const b = 1;',
  };
  expect(check(sources)).toEqual([]);
});

test('an entry point that does not exist fails the check', () => {
  expect(() => check({ 'a.ts': '' })).toThrow('there is no entry point index.ts');
});
