// Tests that each kind of missing doc comment is found, that complete doc comments are accepted, and that the names of the public
// API change only on purpose: `npx vitest run scripts/doc-comments.test.mjs -u` writes the list beside this test.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUndocumented, listExports } from './doc-comments.mjs';

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
    /** One doc comment is enough for overloads. */
    export declare function make(): void;
    export declare function make(later: true): void;
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
    }
    export * from 'other';
    export type { Other } from 'other';`;
  expect(check({ 'index.d.ts': source })).toEqual([]);
});

test('a declaration or a member without a doc comment of its own is a problem', () => {
  const source = `// Not for editors.
export declare function f(): void;
/* Neither. */
export type T = string;
/** About a constant that is not exported. */
declare const inner: string;
export declare const c: typeof inner;
export declare class C {}
/** All. */
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
    'index.d.ts:2: no doc comment: `f`',
    'index.d.ts:4: no doc comment: `T`',
    'index.d.ts:7: no doc comment: `c`',
    'index.d.ts:8: no doc comment: `C`',
    'index.d.ts:13: no doc comment: `All.run`',
    'index.d.ts:14: no doc comment: `All.size`',
    'index.d.ts:15: no doc comment: `All.call`',
    'index.d.ts:18: no doc comment: `Options.name`',
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

test('re-exported declarations, namespaces, and interfaces that others extend are checked in their own file', () => {
  const files = {
    'index.d.ts':
      "export * from './a.js';\nexport { hidden as shown } from './b.ts';\nexport * as errors from './c.js';",
    'a.d.ts': "import type { Base } from './b.js';\n/** A. */\nexport interface A extends Base {}",
    'b.d.ts':
      'export interface Base { x: number }\nexport declare const hidden: 1;\nexport declare const free: 2;',
    'c.d.ts': 'export declare const NotFound: string;',
  };
  expect(check(files)).toEqual([
    'b.d.ts:2: no doc comment: `shown`',
    'b.d.ts:1: no doc comment: `Base`',
    'b.d.ts:1: no doc comment: `Base.x`',
    'c.d.ts:1: no doc comment: `NotFound`',
  ]);
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

test('ambit and its client export the names of the list', async () => {
  const read = (path) => readFileSync(new URL(`../packages/ambit/${path}`, import.meta.url), 'utf8');
  const lists = ['dist/index.d.ts', 'dist/client/client.d.ts'].map((entry) => {
    const lines = listExports(read, entry)
      .join(' ')
      .match(/.{1,109}(?: |$)/g);
    return `${entry}\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
  });
  await expect(lists.join('\n')).toMatchFileSnapshot('public-names.txt');
});
