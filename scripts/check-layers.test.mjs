// Proves that each rule of the layers finds violations, and accepts everything else.
import { expect, test } from 'vitest';
import { findViolations } from './check-layers.mjs';

const check = (sources) => findViolations(new Map(Object.entries(sources)));

test('sources that follow the rules have no violations, and test files are outside the layers', () => {
  const sources = {
    'index.ts': "export { ambit } from './app.ts';",
    'app.ts': "import { plan } from './compile/plan.ts';\nimport { kind } from './shared/kind.ts';",
    'compile/plan.ts': "import { send } from '../runtime/send.ts';\nimport { step } from './step.ts';",
    'runtime/send.ts':
      "/** Not `import a from '../app.ts'`. */\nexport const secure = 'https'; // from '../app.ts'",
    'types/exchange.ts': "import type { IncomingMessage } from 'node:http';",
    'runtime/a.test.ts': "import { ambit } from 'ambit';\nimport http from 'node:http';",
    'runtime/a.test-d.ts': "import { ambit } from 'ambit';",
  };
  expect(check(sources)).toEqual([]);
});

/** Sources by what their violation is reported as. */
const violations = `
shared/a.ts: upward        import type { X } from '../app.ts';
shared/a.ts: upward        type X = import('../app.ts').X;
shared/a.ts: upward        export * from '../app.ts';
shared/a.ts: upward        import '../app.ts';
shared/a.ts: upward        await import('../app.ts');
shared/a.ts: upward        await import(\`../app.ts\`);
shared/a.ts: upward        declare module '../app.ts' {}
shared/a.ts: upward        const x = require('../app.ts');
shared/a.ts: upward        const x = require(↵'../types/x.ts'↵);
context/a.ts: sideways     import { x } from '../transport/x.ts';
app.ts: barrel             import { x } from './index.ts';
shared/a.ts: barrel        import { ambit } from 'ambit';
shared/a.ts: outside       import x from '../../x.ts';
runtime/a.ts: HTTP module in runtime         import https from 'https';
routing/a.ts: HTTP module in routing         import net from 'node:net';
types/exchange.ts: HTTP module in types      import type { Server } from 'node:http';
transport/a.ts: routes in transport          import type { Plan } from '../types/plan.ts';
helper.ts: stray file      export {};
utils/a.ts: unknown folder       export {};
`;

test.each([...violations.matchAll(/^(.+?) {2,}(.+)$/gm)].map(([, message, source]) => [message, source]))(
  '%s: %s',
  (message, source) => {
    const [path] = message.split(':');
    expect(check({ [path]: source.replaceAll('↵', '\n') })).toEqual([
      expect.stringContaining(`${message}: `),
    ]);
  },
);

test('a folder without sources fails the check', () => {
  expect(() => check({ 'shared/a.test.ts': '' })).toThrow('there is no source to check');
});
