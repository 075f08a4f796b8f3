// Proves that each rule of the layers finds violations, and accepts everything else.
import { expect, test } from 'vitest';
import { findCircularImports, findViolations } from './check-layers.mjs';

const check = (sources) => findViolations(new Map(Object.entries(sources)));

const validSources = {
  'index.ts': "export { ambit } from './app.js';",
  'app.ts': "import { plan } from './compile/plan.js';\nimport { kind } from './shared/kind.js';",
  'compile/plan.ts': "import { send } from '../runtime/send.js';\nimport { step } from './step.js';",
  'compile/step.ts': "import type { Plan } from '../types/plan.js';",
  'runtime/send.ts': "import type { Exchange } from '../types/exchange.js';\nexport const secure = 'https';",
  'types/plan.ts': "import { kind } from '../shared/kind.js';",
  'types/exchange.ts': "import type { IncomingMessage } from 'node:http';",
  'shared/kind.ts': "import { format } from 'node:util';",
  'runtime/a.test.ts': "import { ambit } from 'ambit';\nimport http from 'node:http';",
  'runtime/a.test-d.ts': "import { ambit } from 'ambit';",
};

test('sources that follow the rules have no violations, and test files are outside the layers', () => {
  expect(check(validSources)).toEqual([]);
});

/** Sources by what their violation is reported as. */
const violations = `
shared/a.ts:1: upward        import type { X } from '../app.js';
shared/a.ts:1: upward        type X = import('../app.js').X;
shared/a.ts:1: upward        import { type X } from '../app.js';
shared/a.ts:1: upward        export * from '../app.js';
shared/a.ts:1: upward        export type { X } from '../app.js';
shared/a.ts:1: upward        await import('../app.js');
shared/a.ts:1: upward        await import(\`../app.js\`);
shared/a.ts:1: upward        declare module '../app.js' {}
shared/a.ts:1: upward        import { x } from '../app.ts';
shared/a.ts:1: upward        const x = require('../app.js');
shared/a.ts:2: upward        ↵import { x } from '../types/x.js';
context/a.ts:1: sideways     import { x } from '../transport/x.js';
app.ts:1: barrel             import { x } from './index.js';
app.ts:1: barrel             import { x } from './shared/index.js';
shared/a.ts:1: barrel        import { ambit } from 'ambit';
shared/a.ts:1: outside       import x from '../../x.js';
runtime/a.ts:1: HTTP module in runtime         import http from 'node:http';
runtime/a.ts:1: HTTP module in runtime         import https from 'https';
runtime/a.ts:2: HTTP module in runtime         ↵// node:http2
routing/a.ts:1: HTTP module in routing         import net from 'node:net';
compile/a.ts:1: HTTP module in compile         import type { Http2Server } from 'node:http2';
types/exchange.ts:1: HTTP module in types      import { ServerResponse } from 'node:http';
types/exchange.ts:1: HTTP module in types      import type { IncomingMessage, Server } from 'node:http';
transport/a.ts:1: routes in transport          import { Router } from '../routing/router.js';
transport/a.ts:1: routes in transport          import type { Plan } from '../types/plan.js';
helper.ts:1: stray file      export {};
utils/a.ts:1: unknown folder       export {};
`;

test.each([...violations.matchAll(/^(.+?) {2,}(.+)$/gm)].map(([, message, source]) => [message, source]))(
  '%s: %s',
  (message, source) => {
    const [path] = message.split(':');
    expect(check({ [path]: source.replace('↵', '\n') })).toEqual([expect.stringContaining(`${message}: `)]);
  },
);

test('circular imports of values are violations, each reported once with all its files; types of one folder may refer to one another', () => {
  const sources = {
    'shared/a.ts': "import { b } from './b.js';",
    'shared/b.ts': "import { c } from './c.js';\nexport type { A } from './a.js';",
    'shared/c.ts': "\nimport { a } from './a.js';\nimport { d } from './d.js';",
    'shared/d.ts': "export type A = import('./a.js').A;",
  };
  expect(check(sources)).toEqual([
    'shared/c.ts:2: cycle: shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts',
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

test('a folder without sources, and a source that does not parse, fail the check', () => {
  expect(() => check({ 'shared/a.test.ts': '' })).toThrow('there is no source to check');
  expect(() => check({ 'shared/a.ts': 'import {' })).toThrow(/^shared\/a\.ts: /);
});
