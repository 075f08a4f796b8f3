// The statements that a bundle may begin with, and what stands there instead.
import { expect, test } from 'vitest';
import { replaceImports } from './require-externals.mjs';

const isRequired = (id) => !id.startsWith('.') && id !== 'esm-only';
const header =
  'import { createRequire as createRequireExternal } from "node:module"; ' +
  'const requireExternal = createRequireExternal(import.meta.url); ';

test.each([
  ['import http from "node:http";', 'const http = requireExternal("node:http");'],
  ['import * as fs from "node:fs";', 'const fs = requireExternal("node:fs");'],
  [
    'import { join, sep as slash } from "node:path";',
    'const { join, sep: slash } = requireExternal("node:path");',
  ],
  [
    'import http, { METHODS } from "node:http";',
    'const http = requireExternal("node:http"), { METHODS } = requireExternal("node:http");',
  ],
  ['import { default as avvio } from "avvio";', 'const avvio = requireExternal("avvio");'],
  ['import "avvio";', 'requireExternal("avvio");'],
])('%s becomes %s', (statement, expected) => {
  expect(replaceImports('a.js', statement, isRequired)).toBe(header + expected);
});

test.each([
  'import { a } from "./a.js";',
  'import esm from "esm-only";',
  'import { createRequire } from "node:module";',
  'const { lookup } = await import("node:dns/promises");',
  'const text = `import http from "node:http";`;',
  'export { a } from "./a.js";',
])('%s stays', (statement) => {
  expect(replaceImports('a.js', statement, isRequired)).toBe(statement);
});

test('what follows keeps its line', () => {
  const code =
    'import a from "./a.js";\nimport {\n  join,\n  sep\n} from "node:path";\nimport "avvio";\na(join, sep);\n';
  const lines = replaceImports('a.js', code, isRequired).split('\n');
  expect(lines).toEqual([
    'import a from "./a.js";',
    `${header}const { join, sep } = requireExternal("node:path");`,
    '',
    '',
    '',
    'requireExternal("avvio");',
    'a(join, sep);',
    '',
  ]);
});

test.each(['export { METHODS } from "node:http";', 'export * from "node:http";'])(
  '%s has no form with require, and is refused',
  (statement) => {
    expect(() => replaceImports('a.js', statement, isRequired)).toThrow('node:http');
  },
);
