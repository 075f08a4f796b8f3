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

/** Checks a file of which some lines say what they lack. */
function expectProblems(source, path = 'index.d.ts', others = {}) {
  const expected = source.split('\n').flatMap((text, i) => {
    const [, problem] = / \/\/ (?=no|wrong)(.*)/.exec(text) ?? [];
    return problem === undefined ? [] : [`${path}:${i + 1}: ${problem}`];
  });
  expect(check({ [path]: source, ...others }, [path])).toEqual(expected);
}

test('a declaration or a member without a doc comment of its own is a problem', () => {
  expectProblems(`// Not for editors.
export declare function f(): void; // no doc comment: \`f\`
/* Neither. */
export type T = string; // no doc comment: \`T\`
/** About a constant that is not exported. */
declare const inner: string;
export declare const c: typeof inner; // no doc comment: \`c\`
export declare class C {} // no doc comment: \`C\`
/** All. */
export interface All {
  /** Runs. */
  run(): void;
  run(later: boolean): void; // no doc comment: \`All.run\`
  size: number; // no doc comment: \`All.size\`
  (): void; // no doc comment: \`All.call\`
}
/** Options. */
export type Options = { name?: string }; // no doc comment: \`Options.name\`
/** Runs. @param a One. */
export declare function run(a: number, b?: number): void; // no @param: \`b\` of \`run\`
/** Stops. @param c No longer there. @param d The other. */
export declare function stop(d: number): void; // wrong @param: \`stop\` has no parameter \`c\``);
});

test('the export of a CommonJS module, and the namespace with the same name, are checked', () => {
  const options = 'export interface Options {}';
  expectProblems(
    `import type { Options } from './options.cjs';
declare namespace make {
  export const version: string; // no doc comment: \`version\`
}
/** Makes. */
declare function make(): void;
export = make;`,
    'index.d.cts',
    { 'options.d.cts': options },
  );
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
