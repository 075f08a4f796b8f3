// Tests that each kind of missing doc comment is found, that complete doc comments are accepted, and that the names of the public
// API change only on purpose: `npx vitest run scripts/doc-comments.test.mjs -u` writes the list beside this test.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUndocumented, listExports } from './doc-comments.mjs';

/** Checks files of which some lines say what they lack. The first one is the entry point. */
function expectProblems(files) {
  const expected = Object.entries(files).flatMap(([path, source]) =>
    source.split('\n').flatMap((text, i) => {
      const problem = / \/\/ ((?:no|wrong) .*)/.exec(text)?.[1];
      return problem === undefined ? [] : [`${path}:${i + 1}: ${problem}`];
    }),
  );
  const found = findUndocumented((path) => files[path], Object.keys(files).slice(0, 1));
  expect(found.sort()).toEqual(expected.sort());
}

test('a declaration or a member without a doc comment of its own is a problem, and so are wrong parameters', () => {
  const source = `// Not for editors.
export declare function f(): void; // no doc comment: \`f\`
/* Neither. */
export type T = string; // no doc comment: \`T\`
/** About a constant that is not exported. */
declare const inner: string;
export declare const c: typeof inner; // no doc comment: \`c\`
/** One doc comment is enough for overloads. */
export declare function make(): void;
export declare function make(later: true): void;
/** All. */
export interface All {
  /** Draws it. @param on The canvas. */
  draw(this: unknown, on: object): void;
  draw(later: boolean): void; // no doc comment: \`All.draw\`
  size: number; // no doc comment: \`All.size\`
  (): void; // no doc comment: \`All.call\`
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
/** Options. */
export type Options = { name?: string }; // no doc comment: \`Options.name\`
/** Runs. @param a One. */
export declare function run(a: number, b?: number): void; // no @param: \`b\` of \`run\`
/** Stops. @param c No longer there. @param d The other. */
export declare function stop(d: number): void; // wrong @param: \`stop\` has no parameter \`c\`
export * from 'other';
export type { Other } from 'other';`;
  expectProblems({ 'index.d.ts': source });
});

test('the export of a CommonJS module, and the namespace with the same name, are checked', () => {
  const source = `import type { Options } from './options.cjs';
declare namespace make {
  export const version: string; // no doc comment: \`version\`
}
/** Makes. */
declare function make(): void;
export = make;`;
  expectProblems({ 'index.d.cts': source, 'options.d.cts': 'export interface Options {}' });
});

test('re-exported declarations, namespaces, and interfaces that others extend are checked in their own file', () => {
  expectProblems({
    'index.d.ts':
      "export * from './a.js';\nexport { hidden as shown } from './b.ts';\nexport * as errors from './c.js';",
    'a.d.ts': "import type { Base } from './b.js';\n/** A. */\nexport interface A extends Base {}",
    'b.d.ts': `export interface Base { // no doc comment: \`Base\`
  x: number // no doc comment: \`Base.x\`
}
export declare const hidden: 1; // no doc comment: \`shown\`
export declare const free: 2;`,
    'c.d.ts': 'export declare const NotFound: string; // no doc comment: `NotFound`',
  });
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
