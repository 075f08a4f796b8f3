// Tests that the check finds each kind of problem.
import { expect, test } from 'vitest';
import { findAny, findUnexported } from './declarations.mjs';

test('each `any` is found and reported with its line', () => {
  const source = [
    'export interface A { kind: "any"; /* any */ value: unknown }',
    'export declare function f<T extends any[]>(x: T): Record<string, any>;',
    'export type B = { [name: string]: any };',
  ].join('\n');
  expect(findAny('a.d.ts', source).map((line) => line.slice(0, 12))).toEqual([
    'a.d.ts:2: an',
    'a.d.ts:2: an',
    'a.d.ts:3: an',
  ]);
});

test('the word `any` in comments, names and strings is not reported', () => {
  expect(findAny('a.d.ts', '/** any */ export declare const any: "any";')).toEqual([]);
});

test('a source that does not parse throws', () => {
  expect(() => findAny('a.d.ts', 'export type = ;')).toThrow('a.d.ts');
});

test('a type that is imported from a file is reported, a type that is imported from a package is not', () => {
  const source = [
    'import type { Context } from "ambit";',
    'export declare const app: import("ambit").Context<import("../dist/types/route-types.js").Empty>;',
  ].join('\n');
  expect(findUnexported('app.d.ts', source)).toEqual([
    "app.d.ts:2: ../dist/types/route-types.js: export the type from the package's entry",
  ]);
});
