// Proves that each kind of unused export is found, and that what is used is not.
import { expect, test } from 'vitest';
import { findUnusedExports } from './exports.mjs';

const check = (sources, entrances = ['index.ts']) =>
  findUnusedExports(new Map(Object.entries(sources)), entrances);

test('an export that another file imports is used', () => {
  const sources = {
    'index.ts': "import { a } from './a.ts';\nimport type { B } from './a.ts';\nexport const c: B = a;",
    'a.ts': 'export const a = 1;\nexport type B = number;',
  };
  expect(check(sources)).toEqual([]);
});

test('the exports of an entrance are public, and so is what it re-exports', () => {
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

test('a value that only its own file uses need not be exported; a type may be, and what a test imports', () => {
  const sources = {
    'index.ts': "import './a.ts';",
    'a.ts': 'export const a = 1;\nexport const b = a;\nexport type C = typeof b;\nconst c: C = b;\nvoid c;',
    'a.test.ts': "import { b } from './a.ts';\nvoid b;",
  };
  expect(check(sources)).toEqual(['a.ts:1: needless export: only this file uses `a`']);
});

test('names that pass through a file that exports everything are used where they are declared', () => {
  const sources = {
    'index.ts': "import { a } from './all.ts';\nvoid a;",
    'all.ts': "export * from './a.ts';",
    'a.ts': 'export const a = 1;\nexport const b = 2;',
  };
  expect(check(sources)).toEqual(['a.ts:2: dead export: nothing uses `b`']);
});

test('a module that is loaded later, or named in a type, is used', () => {
  const sources = {
    'index.ts': "export type A = import('./a.ts').A;\nvoid import('./b.ts');",
    'a.ts': 'export type A = number;',
    'b.ts': 'export const b = 1;',
  };
  expect(check(sources)).toEqual([]);
});

test('an entrance that is not there fails the check', () => {
  expect(() => check({ 'a.ts': '' })).toThrow('there is no entrance index.ts');
});
