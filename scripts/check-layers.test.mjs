// Proves that each rule of the layers finds violations, and accepts everything else.
import { expect, test } from 'vitest';
import { findCircularImports, findViolations } from './layers.mjs';

const check = (sources) => findViolations(new Map(Object.entries(sources)));

const validSources = {
  'index.ts': "export { ambit } from './app.js';",
  'app.ts': "import { plan } from './compile/plan.js';\nimport { kind } from './shared/kind.js';",
  'compile/plan.ts': "import { send } from '../runtime/send.js';\nimport { step } from './step.js';",
  'compile/step.ts': "import type { Plan } from '../types/plan.js';",
  'runtime/send.ts': "import type { Exchange } from '../types/exchange.js';",
  'types/plan.ts': "import { kind } from '../shared/kind.js';",
  'types/exchange.ts': "import type { IncomingMessage } from 'node:http';",
  'shared/kind.ts': "import { format } from 'node:util';",
};

const violations = [
  ['an upward import', 'shared/a.ts', "\nimport { x } from '../types/x.js';", 'shared/a.ts:2: upward'],
  [
    'an upward type-only import',
    'shared/a.ts',
    "import type { X } from '../app.js';",
    'shared/a.ts:1: upward',
  ],
  ['an upward inline type', 'shared/a.ts', "type X = import('../app.js').X;", 'shared/a.ts:1: upward'],
  ['an upward type-only name', 'shared/a.ts', "import { type X } from '../app.js';", 'shared/a.ts:1: upward'],
  ['an upward re-export', 'shared/a.ts', "export * from '../app.js';", 'shared/a.ts:1: upward'],
  [
    'an upward named re-export',
    'shared/a.ts',
    "export type { X } from '../app.js';",
    'shared/a.ts:1: upward',
  ],
  ['an upward dynamic import', 'shared/a.ts', "\n\nawait import('../app.js');", 'shared/a.ts:3: upward'],
  ['an upward template import', 'shared/a.ts', 'await import(`../app.js`);', 'shared/a.ts:1: upward'],
  ['an upward augmentation', 'shared/a.ts', "declare module '../app.js' {}", 'shared/a.ts:1: upward'],
  ['an upward import by .ts', 'shared/a.ts', "import { x } from '../app.ts';", 'shared/a.ts:1: upward'],
  ['an upward require', 'shared/a.ts', "const x = require('../app.js');", 'shared/a.ts:1: upward'],
  ['a sideways import', 'context/a.ts', "import { x } from '../transport/x.js';", 'context/a.ts:1: sideways'],
  ['an import of index.ts', 'app.ts', "import { x } from './index.js';", 'app.ts:1: barrel'],
  ['an import of a folder barrel', 'app.ts', "import { x } from './shared/index.js';", 'app.ts:1: barrel'],
  ['an import of its own package', 'shared/a.ts', "import { ambit } from 'ambit';", 'shared/a.ts:1: barrel'],
  ['an import from outside src', 'shared/a.ts', "import x from '../../x.js';", 'shared/a.ts:1: outside'],
  [
    'node:http in runtime',
    'runtime/a.ts',
    "import http from 'node:http';",
    'runtime/a.ts:1: HTTP module in runtime',
  ],
  [
    'a comment on node:http2 in runtime',
    'runtime/a.ts',
    '\n// node:http2',
    'runtime/a.ts:2: HTTP module in runtime',
  ],
  [
    'a bare https in runtime',
    'runtime/a.ts',
    "import https from 'https';",
    'runtime/a.ts:1: HTTP module in runtime',
  ],
  [
    'the router in transport',
    'transport/a.ts',
    "import { Router } from '../routing/router.js';",
    'transport/a.ts:1: routes in transport',
  ],
  [
    'a plan in transport',
    'transport/a.ts',
    "import type { Plan } from '../types/plan.js';",
    'transport/a.ts:1: routes in transport',
  ],
  [
    'node:net in routing',
    'routing/a.ts',
    "import net from 'node:net';",
    'routing/a.ts:1: HTTP module in routing',
  ],
  [
    'a type of node:http2 in compile',
    'compile/a.ts',
    "import type { Http2Server } from 'node:http2';",
    'compile/a.ts:1: HTTP module in compile',
  ],
  [
    'a value of node:http in types/exchange.ts',
    'types/exchange.ts',
    "import { ServerResponse } from 'node:http';",
    'types/exchange.ts:1: HTTP module in types',
  ],
  [
    'a type of node:http that is not allowed in types/exchange.ts',
    'types/exchange.ts',
    "import type { IncomingMessage, Server } from 'node:http';",
    'types/exchange.ts:1: HTTP module in types',
  ],
  ['a file beside app.ts', 'helper.ts', '', 'helper.ts:1: stray file'],
  ['a folder outside the layers', 'utils/a.ts', '', 'utils/a.ts:1: unknown folder'],
];

test('sources that follow the rules of the layers have no violations', () => {
  expect(check(validSources)).toEqual([]);
});

for (const [what, path, source, message] of violations) {
  test(`${what} is a violation, which is reported with its location and rule`, () => {
    expect(check({ [path]: source })).toEqual([expect.stringContaining(`${message}: `)]);
  });
}

test('a circular import of values between two files of one folder is a violation', () => {
  const sources = {
    'shared/a.ts': "import { type B, b } from './b.js';",
    'shared/b.ts': "import { a } from './a.js';",
  };
  expect(check(sources)).toEqual(['shared/b.ts:1: cycle: shared/a.ts → shared/b.ts → shared/a.ts']);
});

test('types of one folder may refer to one another', () => {
  const sources = {
    'shared/a.ts': "import type { B } from './b.js';",
    'shared/b.ts': "import { a } from './a.js';\nexport type { C } from './c.js';",
    'shared/c.ts': "export type A = import('./a.js').A;",
  };
  expect(check(sources)).toEqual([]);
});

test('a circular import of values over three folders is a violation', () => {
  const sources = {
    'types/a.ts': "import { b } from '../shared/b.js';",
    'shared/b.ts': "import { c } from './c.js';",
    'shared/c.ts': "import { a } from '../types/a.js';",
  };
  expect(check(sources)).toEqual([
    'types/a.ts:1: cycle: shared/b.ts → shared/c.ts → types/a.ts → shared/b.ts',
    'shared/c.ts:1: upward: shared/ must not import `types/a.ts`',
  ]);
});

test('a circular import of types between two folders is a violation', () => {
  const sources = {
    'types/a.ts': "import type { B } from '../shared/b.js';",
    'shared/b.ts': "import type { A } from '../types/a.js';",
  };
  expect(check(sources)).toEqual([
    'types/a.ts:1: cycle: shared/b.ts → types/a.ts → shared/b.ts',
    'shared/b.ts:1: upward: shared/ must not import `types/a.ts`',
  ]);
});

test('in a package without layers, only circular imports are violations', () => {
  const sources = new Map([
    ['deep/a.ts', "import { b } from '../b.js';"],
    ['b.ts', "import type { A } from './deep/a.js';"],
    ['utils/c.ts', "import { b } from '../b.js';"],
  ]);
  expect(findCircularImports(sources)).toEqual(['deep/a.ts:1: cycle: b.ts → deep/a.ts → b.ts']);
});

test('a longer cycle is reported once, with all its files', () => {
  const sources = {
    'shared/a.ts': "import { b } from './b.js';",
    'shared/b.ts': "import { c } from './c.js';",
    'shared/c.ts': "\nimport { a } from './a.js';\nimport { d } from './d.js';",
    'shared/d.ts': '',
  };
  expect(check(sources)).toEqual([
    'shared/c.ts:2: cycle: shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts',
  ]);
});

test('test files are outside the layers', () => {
  const test = "import { ambit } from 'ambit';\nimport http from 'node:http';";
  expect(check({ ...validSources, 'runtime/a.test.ts': test, 'runtime/a.test-d.ts': test })).toEqual([]);
});

test('a string such as https in runtime is not an import of an HTTP module', () => {
  expect(check({ 'runtime/a.ts': "export const secure = 'https';" })).toEqual([]);
});

test('a folder without sources fails the check', () => {
  expect(() => check({})).toThrow('there is no source to check');
  expect(() => check({ 'shared/a.test.ts': '' })).toThrow('there is no source to check');
});

test('a source that does not parse fails the check', () => {
  expect(() => check({ 'shared/a.ts': 'import {' })).toThrow(/^shared\/a\.ts: /);
});
