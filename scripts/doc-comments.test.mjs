// Tests that each kind of missing doc comment is found, and that complete doc comments are accepted.
import { expect, test } from 'vitest';
import { findUndocumented } from './doc-comments.mjs';

const check = (files, entryPoints = ['index.d.ts']) => findUndocumented((path) => files[path], entryPoints);

test('documented functions, types and members have no problems', () => {
  const source = `
    /**
     * Adds.
     *
     * @param a One number.
     * @param b The other.
     */
    export declare function add(a: number, b: number): number;
    /** A point. */
    export interface Point {
      /** Its distance. */
      readonly x: number;
      /** Draws it. @param on The canvas. */
      draw(this: unknown, on: object): void;
      readonly '~types'?: unknown;
      [name: string]: unknown;
    }
    /** A class. */
    export declare class Shape {
      #private;
      constructor();
      private secret: number;
      /** Its size. */
      get size(): number;
      set size(size: number);
    }`;
  expect(check({ 'index.d.ts': source })).toEqual([]);
});

test('an exported function, type, constant and class without a doc comment is a problem', () => {
  const source = [
    'export declare function f(): void;',
    'export type T = string;',
    'export declare const c: number;',
    'export declare class C {}',
    'declare const inner: string;',
  ].join('\n');
  expect(check({ 'index.d.ts': source })).toEqual([
    'index.d.ts:1: no doc comment: `f`',
    'index.d.ts:2: no doc comment: `T`',
    'index.d.ts:3: no doc comment: `c`',
    'index.d.ts:4: no doc comment: `C`',
  ]);
});

test('a method, a property, a call signature and an overload without a doc comment is a problem', () => {
  const source = `/** All. */
export interface All {
  /** Runs. */
  run(): void;
  run(later: boolean): void;
  size: number;
  (): void;
}
/** Options. */
export type Options = { name?: string };`;
  expect(check({ 'index.d.ts': source })).toEqual([
    'index.d.ts:5: no doc comment: `All.run`',
    'index.d.ts:6: no doc comment: `All.size`',
    'index.d.ts:7: no doc comment: `All.call`',
    'index.d.ts:10: no doc comment: `Options.name`',
  ]);
});

test('a parameter without an @param, and an @param without a parameter, is a problem', () => {
  const source = `/** Runs. @param a One. @param c No longer there. */
export declare function run(a: number, b?: number): void;`;
  expect(check({ 'index.d.ts': source })).toEqual([
    'index.d.ts:2: no @param: `b` of `run`',
    'index.d.ts:2: wrong @param: `run` has no parameter `c`',
  ]);
});

test('a comment that is not a doc comment, or belongs to another declaration, does not count', () => {
  const source = `// Not for editors.
export declare function a(): void;
/* Neither. */
export declare function b(): void;
/** About a constant that is not exported. */
declare const c: number;
export declare function d(): typeof c;`;
  expect(check({ 'index.d.ts': source })).toEqual([
    'index.d.ts:2: no doc comment: `a`',
    'index.d.ts:4: no doc comment: `b`',
    'index.d.ts:7: no doc comment: `d`',
  ]);
});

test('one doc comment is enough for the overloads of a function', () => {
  const source = `/** Makes one. */
export declare function make(): void;
export declare function make(later: true): void;`;
  expect(check({ 'index.d.ts': source })).toEqual([]);
});

test('re-exported declarations, and interfaces that an exported interface extends, are checked in their own file', () => {
  const files = {
    'index.d.ts': "export * from './a.js';\nexport { hidden as shown } from './b.ts';",
    'a.d.ts': "import type { Base } from './b.js';\n/** A. */\nexport interface A extends Base {}",
    'b.d.ts':
      'export interface Base { x: number }\nexport declare const hidden: 1;\nexport declare const free: 2;',
  };
  expect(check(files)).toEqual([
    'b.d.ts:2: no doc comment: `shown`',
    'b.d.ts:1: no doc comment: `Base`',
    'b.d.ts:1: no doc comment: `Base.x`',
  ]);
});

test('the exports of an exported namespace are checked', () => {
  const files = {
    'index.d.ts': "export * as errors from './errors.js';",
    'errors.d.ts': 'export declare const NotFound: string;',
  };
  expect(check(files)).toEqual(['errors.d.ts:1: no doc comment: `NotFound`']);
});

test('types of other packages are not checked', () => {
  const source = "export * from 'other';\nexport type { Other } from 'other';";
  expect(check({ 'index.d.ts': source })).toEqual([]);
});

test('the export of a CommonJS module, and the namespace with the same name, are checked', () => {
  const files = {
    'index.d.cts': `import type { Options } from './options.cjs';
declare namespace make {
  export type { Options };
  export const version: string;
}
declare function make(): void;
export = make;`,
    'options.d.cts': 'export interface Options { name: string }',
  };
  expect(check(files, ['index.d.cts'])).toEqual([
    'options.d.cts:1: no doc comment: `Options`',
    'options.d.cts:1: no doc comment: `Options.name`',
    'index.d.cts:4: no doc comment: `version`',
    'index.d.cts:2: no doc comment: `make`',
  ]);
});

test('a file that does not exist, or does not parse, fails the check', () => {
  expect(() => check({})).toThrow('there is no index.d.ts');
  expect(() => check({ 'index.d.ts': 'export type = ;' })).toThrow('index.d.ts: ');
});
