// Tests how statements of an ES module become CommonJS.
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { toCommonJs } from './common-js.mjs';

const write = (code) => toCommonJs('a.js', code).replace('"use strict"; ', '');

test.each([
  ['import http from "node:http";', 'const http = require("node:http");'],
  ['import * as fs from "node:fs";', 'const fs = require("node:fs");'],
  ['import { join, sep as slash } from "node:path";', 'const { join, sep: slash } = require("node:path");'],
  [
    'import http, { METHODS } from "node:http";',
    'const http = require("node:http"), { METHODS } = require("node:http");',
  ],
  ['import { default as avvio } from "avvio";', 'const avvio = require("avvio");'],
  ['import "avvio";', 'require("avvio");'],
  ['import { a } from "./a.js";', 'const { a } = require("./a.js");'],
  ['const a = 1; export { a, a as b };', 'const a = 1; exports.a = a; exports.b = a;'],
  ['import { a } from "./a.js"; export { a };', 'const { a } = require("./a.js"); exports.a = a;'],
  [
    'function f() {} export { f, f as default, f as "module.exports" };',
    'function f() {} module.exports = f; module.exports.f = f;',
  ],
  [
    'import { createRequire } from "node:module"; const load = createRequire(import.meta.url); load("ajv");',
    '  require("ajv");',
  ],
  ['const own = createRequire(import.meta.url)("a");', 'const own = require("a");'],
  ['const text = `import http from "node:http";`;', 'const text = `import http from "node:http";`;'],
])('%s becomes %s', (statement, expected) => {
  expect(write(statement)).toBe(expected);
});

test('import.meta.url is the URL of the file, and file:/// if there is no __filename', () => {
  const require = createRequire(import.meta.url);
  const code = write('const url = import.meta.url; export { url };');
  const evaluate = (name) => {
    const exports = {};
    new Function('exports', 'require', name, code)(exports, require, '/a/b.cjs');
    return exports.url;
  };
  expect(evaluate('__filename')).toBe('file:///a/b.cjs');
  expect(evaluate('unknown')).toBe('file:///');
});

test('a library that is included in the package is loaded from its file', () => {
  const code = 'const require = createRequire(import.meta.url);\nconst load = () => require("a-library");';
  expect(toCommonJs('a.js', code, { 'a-library': './libraries/a-library.cjs' })).toBe(
    '"use strict"; \nconst load = () => require("./libraries/a-library.cjs");',
  );
  expect(
    toCommonJs('a.js', 'import { one } from "a-library";', { 'a-library': './libraries/a-library.cjs' }),
  ).toBe('"use strict"; const { one } = require("./libraries/a-library.cjs");');
});

test('a namespace is an object with values if they are declared before it, and an object with getters if not', () => {
  const namespace = (before, after) =>
    `${before}var all = /* @__PURE__ */ __exportAll({ A: () => A, b: () => c });${after} exports.all = all;`;
  const values = 'var A = 1; const c = 2; ';
  expect(write(namespace(values, ''))).toBe(
    `${values}var all = /* @__PURE__ */ Object.freeze({ __proto__: null, A: A, b: c }); exports.all = all;`,
  );
  expect(write(namespace('', values))).toBe(namespace('', values));
});

test('statements keep their line numbers', () => {
  const code =
    'import a from "a";\nimport {\n  join,\n  sep\n} from "node:path";\nimport "avvio";\na(join, sep);\nexport {\n  a\n};\n';
  expect(toCommonJs('a.js', code).split('\n')).toEqual([
    '"use strict"; const a = require("a");',
    'const { join, sep } = require("node:path");',
    '',
    '',
    '',
    'require("avvio");',
    'a(join, sep);',
    'exports.a = a;',
    '',
    '',
    '',
  ]);
});

test.each([
  ['export { METHODS } from "node:http";', 'export as'],
  ['export * from "node:http";', 'export as'],
  ['export const a = 1;', 'export as'],
  ['export default 1;', 'export as'],
  ['import a from "./a.js";', 'import from ./a.js by name'],
  ['const { lookup } = await import("node:dns/promises");', 'import() is not supported, use require'],
  ['await 1;', 'not CommonJS'],
  ['import.meta.dirname;', 'not CommonJS'],
])('%s cannot be converted to CommonJS, and throws', (statement, problem) => {
  expect(() => toCommonJs('a.js', statement)).toThrow(`a.js: ${problem}`);
});
