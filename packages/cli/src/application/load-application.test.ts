import { expect, test } from 'vitest';
import { makeFolder, runCommand, runShared } from '../../test/support/command.ts';

const make = "import { ambit } from 'ambit';\nconst app = ambit();\napp.get('/', () => 'ok');\n";

for (const [what, files] of [
  ['an app', { 'app.js': `${make}export default app;` }],
  ['a function that makes it', { 'app.js': `${make}export default () => app;` }],
  ['an async function that makes it', { 'app.js': `${make}export default async () => app;` }],
  ['an app after an await at the top', { 'app.js': `${make}await Promise.resolve();\nexport default app;` }],
  [
    'an app with a decorator `fastify`',
    { 'app.js': `${make}app.decorate('fastify', 5);\nexport default app;` },
  ],
  ['an app that has booted', { 'app.js': `${make}await app.ready();\nexport default app;` }],
  [
    'an app of the facade',
    {
      'app.js':
        "import fastify from '@ambit/fastify';\nconst app = fastify();\napp.get('/', () => 'ok');\nexport default app;",
    },
  ],
  [
    'module.exports of CommonJS',
    {
      'package.json': '{}',
      'app.js':
        "const fastify = require('@ambit/fastify');\nconst app = fastify();\napp.get('/', () => 'ok');\nmodule.exports = app;",
    },
  ],
  [
    'what a compiler makes of a default export in CommonJS',
    {
      'package.json': '{}',
      'app.js':
        "const { ambit } = require('ambit');\nObject.defineProperty(exports, '__esModule', { value: true });\nexports.default = () => ambit().get('/', () => 'ok');",
    },
  ],
  [
    'an app that listens only as the main module',
    {
      'app.js': `${make}if (process.argv[1] === import.meta.filename) await app.listen({ port: 0 });\nexport default app;`,
    },
  ],
  ['a program that listens', { 'app.js': `${make}await app.listen({ port: 3000 });` }],
  ['a program that listens and does not wait', { 'app.js': `${make}app.listen({ port: 3000 });` }],
  [
    'a program that listens with a callback',
    { 'app.js': `${make}app.listen({ port: 3000 }, (error) => { if (error) process.exit(1); });` },
  ],
  [
    'a program that listens after its import has ended',
    {
      'app.js': `${make}async function main() {\n  await import('./wait.js');\n  await app.listen();\n}\nmain();`,
      'wait.js': '',
    },
  ],
  [
    'the first of several apps that listens',
    { 'app.js': `${make}const other = ambit();\napp.listen({ port: 3000 });\nexport default other;` },
  ],
  [
    'a program in CommonJS that listens',
    {
      'package.json': '{}',
      'app.js': "const { ambit } = require('ambit');\nambit().get('/', () => 'ok').listen({ port: 3000 });",
    },
  ],
] as const) {
  test(`${what} is an application`, async () => {
    expect(await runShared(makeFolder(files), ['request', '/'])).toEqual({
      code: 0,
      stdout: 'ok',
      stderr: '',
    });
  });
}

for (const [what, files, message] of [
  [
    'no default export',
    { 'app.js': `${make}export { app };` },
    'app.js: the module has no default export, and does not call `listen`. Export the application as the default: `export default app`.',
  ],
  [
    'an empty module',
    { 'app.js': '' },
    'app.js: the module has no default export, and does not call `listen`. Export the application as the default: `export default app`.',
  ],
  [
    'an object',
    { 'app.js': 'export default { port: 3000 };' },
    'app.js: the default export gives an object with port, not an application. Export what `ambit()` returns, or a function that returns it.',
  ],
  [
    'a function that returns nothing',
    { 'app.js': `${make}export default () => { app; };` },
    'app.js: the default export gives undefined, not an application. Export what `ambit()` returns, or a function that returns it.',
  ],
  [
    'a plugin',
    { 'app.js': "export default async function notes(context) { context.get('/', () => 'ok'); }" },
    'app.js: the default export is a function with parameters, and makes no application without arguments. If it is a plugin, register it: `export default ambit().register(plugin)`.',
  ],
  [
    'a module that throws',
    { 'app.js': "\nthrow new Error('no database');" },
    /^app\.js:2: the module cannot be imported: no database\.$/,
  ],
  [
    'a module that throws a string',
    { 'app.js': "throw 'no database';" },
    'app.js: the module cannot be imported: no database. `--stack` shows where.',
  ],
  [
    'a function that throws',
    { 'app.js': "export default function make() {\n  throw new Error('no database');\n}" },
    /^app\.js:2: the default export fails: no database\.$/,
  ],
  [
    'CommonJS in an ES module',
    { 'app.js': "const { ambit } = require('ambit');\nmodule.exports = ambit();" },
    /^app\.js:1: the module cannot be imported: require is not defined in ES module scope.* Write it as an ES module \(`import`, `export default`\), or name it \.cjs\.$/,
  ],
  [
    'an error of syntax in a module that it imports',
    { 'app.js': "import './notes.js';", 'notes.js': 'const notes = 1;\nconst x = ( => 2;' },
    /^notes\.js:2: the module cannot be imported: Unexpected token '=>'\./,
  ],
  [
    'a package that is not installed',
    { 'app.js': "import 'no-such-package';" },
    /^app\.js: the module cannot be imported: Cannot find package 'no-such-package' .* Check the path, which needs its file extension, or install the package\.$/,
  ],
  [
    'Fastify itself',
    { 'app.js': "import fastify from 'fastify';\nexport default fastify();" },
    'app.js: Fastify has made the application, not Ambit. Install the facade in its place: npm install fastify@npm:@ambit/fastify.',
  ],
  [
    'a module that waits for ever',
    { 'app.js': 'await new Promise(() => {});' },
    'the application awaits something that never happens.',
  ],
] as const) {
  test(`${what} is reported in one line`, async () => {
    const run = /no default export|empty module|waits for ever/.test(what) ? runCommand : runShared;
    const { code, stdout, stderr } = await run(makeFolder(files), ['routes']);
    const [first = '', ...more] = stderr.trimEnd().split('\n');
    expect([code, stdout, more]).toEqual([1, '', []]);
    expect(first.replace('ambit: ', '')).toMatch(message);
  });
}

for (const [args, env] of [
  [['--stack'], {}],
  [[], { DEBUG: '1' }],
] as const) {
  test(`${[...args, ...Object.keys(env)].join()} shows the stack trace of an error`, async () => {
    const folder = makeFolder({
      'app.js': "function connect() { throw new Error('no database'); }\nconnect();",
    });
    const { stderr } = await runCommand(folder, ['routes', ...args], { env });
    expect(stderr).toMatch(/^ambit: app\.js:1: .*\nError: no database\n {4}at connect/);
  });
}

test('an application in TypeScript runs if Node can run it; otherwise the command says what to do', async () => {
  const { typescript } = process.features as { typescript?: unknown };
  const text = `${make}const port: number = 1;\nexport default app;`;
  const { stdout, stderr } = await runCommand(makeFolder({ 'app.ts': text }), ['request', '/']);
  const refusal =
    /^ambit: app\.ts: Node [\d.]+ does not run TypeScript\. Use Node 22\.18 or newer, or compile it/;
  const outcomes = { runs: ['ok', /^$/], isRefused: ['', refusal] } as const;
  const [output, message] = outcomes[typescript ? 'runs' : 'isRefused'];
  expect(stdout).toBe(output);
  expect(stderr).toMatch(message);
});

test('a boot that fails is reported with the lines of the program', async () => {
  const folder = makeFolder({
    'app.js': `${make}app.register(async () => {\n  throw new Error('no database');\n});\nexport default app;`,
  });
  const { code, stderr } = await runShared(folder, ['routes']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Ambit cannot start: no database\.\n\n {2}app\.js:5:9\n.* > 5 \| {3}throw new Error\('no database'\);\n/s,
  );
});
