// What the packed modules of ambit load, and when: each feature's code is loaded by its first use, and by nothing else.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lateChunks, lateImports } from './late-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}packages/ambit/dist/bundle/late`;

/** Each feature, a program that uses it, the chunks that it loads, what runs before the framework is loaded, and options of Node. */
const features = [
  ['an application without schemas, over a socket', 'await listenAndAsk(ambit());', []],
  ['inject', "await ask(ambit(), '/');", []],
  ['plugins, hooks, decorators and errors', 'await useContexts();', []],
  ['a schema', "await withRoute({ schema: { querystring: { type: 'object' } } }).ready();", ['schemas']],
  [
    'a request with a schema',
    "await ask(withRoute({ schema: { querystring: { type: 'object' } } }), '/');",
    ['ajv-instances', 'schemas'],
  ],
  [
    'a schema that may be a mistake',
    "await withRoute({ schema: { querystring: { type: 'object', required: ['a'] } } }).ready();",
    ['schema-mistakes', 'schemas'],
  ],
  [
    'forms',
    `const files = { content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } } } };
    const app = ambit();
    app.post('/', { schema: { body: files } }, ({ body }) => body.file.text());
    const form = new FormData();
    form.set('file', new File(['content'], 'a.txt'));
    await ask(app, { method: 'POST', url: '/', payload: form }, 'content');`,
    ['ajv-instances', 'compile-multipart', 'schema-mistakes', 'schemas'],
  ],
  [
    'streams of items',
    `const app = ambit();
    const items = { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } };
    app.get('/', { schema: { response: { 200: items } } }, async function* () { yield 1; });
    await ask(app, '/', '1\\n');`,
    ['item-stream', 'schema-mistakes', 'schemas'],
  ],
  [
    'web streams',
    `const app = ambit();
    app.get('/', () => new Response('web'));
    await ask(app, '/', 'web');`,
    [],
  ],
  [
    'problem details',
    `const { status } = JSON.parse(await ask(ambit({ errors: 'problem' }), '/none'));
    assert.equal(status, 404);`,
    ['problem-details'],
  ],
  [
    'fetch',
    `const response = await withRoute({}).fetch(new Request('http://localhost/'));
    assert.equal(await response.text(), 'plain');`,
    ['fetch-exchange'],
  ],
  [
    'the server of another runtime',
    'ambit();',
    ['fetch-exchange', 'web-transport'],
    'globalThis.Deno = { serve() {} };',
  ],
  [
    'the server of another runtime, which listens',
    `const app = withRoute({});
    await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await serveRequest(new Request('http://127.0.0.1/'), {});
    assert.equal(await response.text(), 'plain');`,
    ['fetch-exchange', 'web-transport'],
    `globalThis.Deno = {
      serve(options, handler) {
        globalThis.serveRequest = handler;
        return { addr: { hostname: '127.0.0.1', port: 1 }, shutdown: async () => {} };
      },
    };`,
  ],
  [
    'lists for tools',
    'assert.equal(framework.listRoutes(withRoute({ exposeHeadRoute: false })).length, 1);',
    ['inspection', 'schemas'],
  ],
  [
    'watched requests',
    `const app = withRoute({});
    const seen = [];
    framework.watchRequests(app, { onStep: (_request, { name }) => seen.push(name) });
    await ask(app, '/', 'plain');
    assert.ok(seen.includes('handler'));`,
    ['tracing'],
  ],
  [
    'published requests',
    `const seen = [];
    const { subscribe } = require('node:diagnostics_channel');
    subscribe('tracing:ambit.request.step:start', ({ step }) => seen.push(step.name));
    await ask(withRoute({}), '/', 'plain');
    assert.ok(seen.includes('handler'));`,
    ['tracing'],
  ],
  [
    'health',
    `const app = ambit({ health: true });
    await app.ready();
    await app.close();`,
    ['health', 'schemas'],
  ],
  ['signals', 'framework.closeOnSignals(ambit(), {});', ['close-on-signals']],
  [
    'HTTP/2',
    `const app = ambit({ http2: true });
    const client = require('node:http2').connect(await app.listen());
    await new Promise((resolve) => client.request({ ':path': '/' }).once('response', resolve));
    client.close();
    await app.close();`,
    ['http2'],
  ],
  ['overload protection', "await ask(ambit({ overload: true }), '/');", ['overload']],
  [
    'an application that may not generate code',
    "await ask(withRoute({}), '/', 'plain');",
    ['without-codegen'],
    '',
    ['--disallow-code-generation-from-strings'],
  ],
  [
    'an artifact',
    'const compiled = { builtWith: {}, validators: {}, modules: [], serializers: {} }; ambit({ compiled });',
    ['schemas'],
  ],
  [
    'artifacts',
    'assert.match(await framework.compileSchemas(ambit()), /export default/);',
    ['ajv-instances', 'schema-mistakes', 'schemas', 'write-artifact'],
  ],
  ['short forms', "assert.equal(framework.expandSchema({ a: { type: 'string' } }).type, 'object');", []],
  ['descriptions of schemas', 'assert.deepEqual(framework.describeSchemas({}), {});', ['schemas']],
];

const helpers = `
  function withRoute(options) {
    const app = ambit();
    app.get('/', options, () => 'plain');
    return app;
  }
  async function ask(app, request, expected) {
    const { body } = await app.inject(request);
    if (expected !== undefined) assert.equal(body, expected);
    return body;
  }
  async function listenAndAsk(app) {
    app.get('/', () => 'plain');
    app.post('/', ({ body }) => body);
    const origin = await app.listen({ port: 0 });
    assert.equal(await (await fetch(origin)).text(), 'plain');
    const headers = { 'content-type': 'application/json' };
    assert.equal(await (await fetch(origin, { method: 'POST', headers, body: '{"a":1}' })).text(), '{"a":1}');
    assert.equal((await fetch(origin + '/none')).status, 404);
    await app.close();
  }
  async function useContexts() {
    const app = ambit();
    app.decorate('one', 1);
    app.addHook('onRequest', async () => {});
    app.setErrorHandler((error, _request, reply) => reply.code(500).send({ message: error.message }));
    app.register(async (child) => {
      child.get('/', () => { throw new Error('thrown'); });
    });
    await ask(app, '/', '{"message":"thrown"}');
  }`;

const entrances = {
  require: "const framework = require('ambit');",
  import: "const framework = await import('ambit');",
};

/** Runs a program, and returns the late chunks that it has loaded. */
function run(how, program, before = '', flags = []) {
  const code = `
    const assert = require('node:assert/strict');
    ${before}
    ${how === 'require' ? entrances.require : ''}
    (async () => {
      ${how === 'import' ? entrances.import : ''}
      const { ambit } = framework;
      ${helpers}
      ${program}
      const late = Object.keys(require.cache).map((file) => /bundle.late.(.*)[.]cjs$/.exec(file)?.[1]);
      console.log(JSON.stringify(late.filter((name) => name !== undefined).sort()));
    })();`;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

for (const how of ['require', 'import'])
  test.each(features)(
    `%s, after ${how}, loads the code that it needs and no other`,
    (_, program, chunks, before, flags) => {
      expect(run(how, program, before, flags)).toEqual(chunks);
    },
  );

test('each chunk that is loaded late belongs to a feature', () => {
  const written = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const known = new Set(features.flatMap(([, , chunks]) => chunks));
  expect(written.map((name) => name.replace('.cjs', '')).sort()).toEqual([...known].sort());
});

test('a chunk uses the instance of the framework that loads it, also after the cache of modules was emptied', () => {
  const program = `
    for (const file of Object.keys(require.cache)) delete require.cache[file];
    const app = ambit();
    app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => 'typed');
    await ask(app, '/', 'typed');
    const other = Object.keys(require.cache).filter((file) => /ambit.dist.bundle.index/.test(file));
    assert.deepEqual(other, []);`;
  expect(run('require', program)).toEqual(['schema-mistakes', 'schemas']);
});

test('errors of code that is loaded late say which route it is, and no file of the framework', () => {
  const program = `
    const app = ambit();
    app.get('/', { schema: { querystring: { type: 'none' } } }, () => 'plain');
    const error = await app.ready().then(() => undefined, (error) => error);
    assert.doesNotMatch(error.where.file ?? '', /packages.ambit/);
    assert.equal(error.where.route, 'GET /');`;
  expect(run('require', program)).toEqual(['ajv-instances', 'schema-mistakes', 'schemas']);
});

const source = "const load = lazyModule(() => require('./late.ts'));\nuse(load);";

test('in tests, a module that is loaded late is imported at the start, and no line moves', () => {
  const { code } = lateImports().transform(source, '/src/a.ts');
  expect(code).toBe(
    "const load = lazyModule(() => lateModule1);\nuse(load);\nimport * as lateModule1 from './late.ts';",
  );
});

test('in the build, it is a chunk', () => {
  const { code } = lateChunks().transform(source, '/src/a.ts');
  expect(code).toBe("const load = lazyModule(() => import('./late.ts'));\nuse(load);");
});

test.each([
  ["require('node:fs');", '/src/a.ts'],
  ["require('./late.ts');", '/node_modules/b/a.ts'],
  ["require('./late.ts');", '/src/a.js'],
])('%s in %s stays as it is', (code, id) => {
  expect(lateChunks().transform(code, id)).toBe(undefined);
  expect(lateImports().transform(code, id)).toBe(undefined);
});
