// Tests how statements of an ES module become CommonJS. The modules of the build show the rest (bundle.test.mjs).
import { expect, test } from 'vitest';
import { toCommonJs } from './common-js.mjs';

const files = { 'a-library': './libraries/a-library.cjs' };
const write = (code) => toCommonJs('a.js', code, files).replace('"use strict"; ', '');

test.each([
  ['import * as fs from "node:fs";', 'const fs = require("node:fs");'],
  ['import { join, sep as slash } from "node:path";', 'const { join, sep: slash } = require("node:path");'],
  ['import http, { a } from "http";', 'const http = require("http"), { a } = require("http");'],
  ['import { default as avvio } from "avvio";', 'const avvio = require("avvio");'],
  ['import "avvio";', 'require("avvio");'],
  ['import { one } from "a-library";', 'const { one } = require("./libraries/a-library.cjs");'],
  ['const a = 1;\nexport { a, a as b };', 'const a = 1;\nexports.a = a; exports.b = a;'],
  [
    'function f() {}\nexport { f, f as default, f as "module.exports" };',
    'function f() {}\nmodule.exports = f; module.exports.f = f;',
  ],
  ['const load$1 = createRequire(import.meta.url);\nload$1("ajv");', '\nrequire("ajv");'],
  ['const own = createRequire(import.meta.url)("a");', 'const own = require("a");'],
  ['const text = `import http from "node:http";`;', 'const text = `import http from "node:http";`;'],
])('%s becomes %s', (statement, expected) => {
  expect(write(statement)).toBe(expected);
});

test('import.meta.url is the URL of the file, and file:/// if there is no __filename', () => {
  const evaluate = (name) =>
    new Function('exports', 'require', name, `${write('const url = import.meta.url;')} return url;`)(
      {},
      process.getBuiltinModule('node:module').createRequire(import.meta.url),
      '/a/b.cjs',
    );
  expect(evaluate('__filename')).toBe('file:///a/b.cjs');
  expect(evaluate('unknown')).toBe('file:///');
});

test('a namespace is an object with values if they are declared before it, and an object with getters if not', () => {
  const values = 'var A = 1;\nconst c = 2;\n';
  const all = 'var all = __exportAll({\n\tA: () => A,\n\tb: () => c\n});\n';
  const frozen = 'var all = Object.freeze({ __proto__: null, A: A, b: c })\n\n\n;\n';
  expect(write(values + all)).toBe(values + frozen);
  expect(write(all + values)).toBe(all + values);
});

test.each([
  ['const a = 1;\nexport { METHODS } from "node:http";', 'not CommonJS'],
  ['const name = "a";\nimport(name);', 'import() is not supported, use require'],
  ['import("./other.js");', 'import() is not supported, use require'],
  ['await 1;', 'not CommonJS'],
  ['import.meta.dirname;', 'not CommonJS'],
])('%s cannot be converted to CommonJS, and throws', (statement, problem) => {
  expect(() => toCommonJs('a.js', statement)).toThrow(`a.js: ${problem}`);
});
