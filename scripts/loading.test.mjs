// What the packed modules load, and when: an import loads few files, each feature's code is loaded by its first use and by
// nothing else. The tests count files and never measure time.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { root } from './steps.mjs';

function run(code, flags = []) {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const routerLibraries =
  'fast-decode-uri-component fast-deep-equal fast-querystring find-my-way ret safe-regex2';
const serializerFiles = (name) =>
  [
    ...['bundle/index.cjs', 'index.cjs'].map((file) => `json-schema/dist/${file}`),
    ...[`bundle/${name}`, 'bundle/shared/read-shape', name].map((file) => `json-serializer/dist/${file}.cjs`),
  ].join(' ');

/** Each entry point, its own files, the libraries and the modules of Node that it loads in addition to those of an HTTP server. */
const imports = {
  ambit: ['ambit/dist/bundle/index.cjs ambit/dist/index.cjs', routerLibraries, 'assert'],
  '@ambit/fastify': [
    'ambit/dist/bundle/index.cjs ambit/dist/index.cjs fastify/dist/index.cjs fastify/entry.cjs',
    routerLibraries,
    'assert',
  ],
  'ambit/client': ['ambit/dist/client/client.cjs'],
  '@ambit/json-serializer': [serializerFiles('index')],
  '@ambit/json-serializer/runtime': [serializerFiles('load')],
};

test.each(Object.entries(imports))(
  'importing %s loads few files, no library and no module of Node that a plain route does not need',
  (id, [own, libraries = '', modules = '']) => {
    // `import` of CommonJS loads the same, and a parser. Internal modules of Node are left out, except bundled libraries.
    const { files, builtins } = run(`process.getBuiltinModule('node:http');
      const before = new Set(process.moduleLoadList);
      require('${id}');
      const files = Object.keys(require.cache).map((file) => file.slice(${root.length}).replaceAll('\\\\', '/')).sort();
      const builtins = process.moduleLoadList
        .filter((loaded) => !before.has(loaded))
        .flatMap((loaded) => /^NativeModule (?!internal\\/(?!deps\\/))(.*)$/.exec(loaded)?.[1] ?? []);
      console.log(JSON.stringify({ files, builtins }));`);
    const found = (pattern) => [...new Set(files.flatMap((file) => pattern.exec(file)?.[1] ?? []))].join(' ');
    expect(found(/^packages\/(.*)/)).toBe(own);
    expect(found(/^node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/)).toBe(libraries);
    expect(builtins.join(' ')).toBe(modules);
  },
);

/** Programs, each below the feature that it uses and the chunks that it loads. */
const programs = `
// an application without schemas:
app.decorate('one', 1).addHook('onRequest', async () => {});
app.setErrorHandler((error, _request, reply) => reply.code(500).send({ message: error.message }));
app.register(async (child) => child.get('/', () => { throw new Error('thrown'); }));
app.post('/', ({ body }) => body);
await ask('{"message":"thrown"}');
const origin = await app.listen({ port: 0 });
const headers = { 'content-type': 'application/json' };
assert.equal(await (await fetch(origin, { method: 'POST', headers, body: '{"a":1}' })).text(), '{"a":1}');
assert.equal((await fetch(origin + '/none')).status, 404);
await app.close();

// a schema: schemas
route({ schema: { querystring: { type: 'object' } } });
await app.ready();

// a request with a schema: ajv-compiler schemas
route({ schema: { querystring: { type: 'object' } } });
await ask('plain');

// a schema that may be a mistake: schema-mistakes schemas
route({ schema: { querystring: { type: 'object', required: ['a'] } } });
await app.ready();

// a schema that does not compile, whose error names the route: ajv-compiler schemas
route({ schema: { querystring: { type: 'none' } } });
const error = await app.ready().then(() => undefined, (error) => error);
assert.doesNotMatch(error.where.file ?? '', /packages.ambit/);
assert.equal(error.where.route, 'GET /');

// a framework that the cache of modules has lost, and whose chunks use it: schemas
for (const file of Object.keys(require.cache)) delete require.cache[file];
route({ schema: { response: { 200: { type: 'string' } } } });
await ask('plain');
assert.deepEqual(Object.keys(require.cache).filter((file) => /ambit.dist.bundle.index/.test(file)), []);

// forms: ajv-compiler form-parser schema-mistakes schemas
const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
const body = { content: { 'multipart/form-data': { schema } } };
app.post('/', { schema: { body } }, ({ body }) => body.file.text());
const payload = new FormData();
payload.set('file', new File(['content'], 'a.txt'));
assert.equal((await app.inject({ method: 'POST', url: '/', payload })).body, 'content');

// streams of items: item-stream schemas
const items = { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } };
app.get('/', { schema: { response: { 200: items } } }, async function* () { yield 1; });
await ask('1\\n');

// problem details: problem-details
assert.equal((await ambit({ errors: 'problem' }).inject('/none')).json().status, 404);

// a URL that is not found, in development: development tracing
process.env.NODE_ENV = 'development';
assert.equal((await ambit().inject('/none')).statusCode, 404);

// an error about a value that is undefined, in development: mistakes
process.env.NODE_ENV = 'development';
const failing = ambit();
failing.get('/', (request) => request.nobody.name);
assert.equal((await failing.inject('/')).statusCode, 500);

// fetch: fetch-exchange
route();
assert.equal(await (await app.fetch(new Request('http://localhost/'))).text(), 'plain');

// the server of another runtime: fetch-exchange web-transport
const serve = (options, handler) => {
  globalThis.handle = handler;
  return { addr: { hostname: '127.0.0.1', port: 1 }, shutdown: async () => {} };
};
globalThis.Deno = { serve };
const { ambit: onDeno } = reload();
const server = onDeno();
server.get('/', () => 'plain');
await server.listen({ port: 0, host: '127.0.0.1' });
assert.equal(await (await handle(new Request('http://127.0.0.1/'), {})).text(), 'plain');

// a web stream, lists for tools and short forms:
app.get('/', { exposeHeadRoute: false }, () => new Response('web'));
await ask('web');
assert.equal(framework.listRoutes(app).length, 1);
assert.equal(framework.expandSchema({ a: { type: 'string' } }).type, 'object');

// compiled schemas for tools: ajv-compiler compiled-schemas schemas
route({ exposeHeadRoute: false, schema: { querystring: { type: 'object' } } });
await app.ready();
assert.equal(framework.listCompiledSchemas(framework.listRoutes(app)[0]).length, 1);

// watched requests: tracing
route();
const seen = [];
framework.watchRequests(app, { onStep: (_request, { name }) => seen.push(name) });
await ask('plain');
assert.ok(seen.includes('handler'));

// published requests: tracing
route();
const seen = [];
require('node:diagnostics_channel').subscribe('tracing:ambit.request.step:start', ({ step }) => seen.push(step.name));
await ask('plain');
assert.ok(seen.includes('handler'));

// health: health schemas
const watched = ambit({ health: true });
await watched.ready();
await watched.close();

// signals: close-on-signals
framework.closeOnSignals(app, {});

// HTTP/2: http2
const server = ambit({ http2: true });
const client = require('node:http2').connect(await server.listen());
await new Promise((resolve) => client.request({ ':path': '/' }).once('response', resolve));
client.close();
await server.close();

// overload protection: overload
await ambit({ overload: true }).inject('/');

// code that may not be generated: without-codegen
route();
await ask('plain');

// artifacts: schemas
ambit({ compiled: { builtWith: {}, validators: {}, modules: [], serializers: {} } });
assert.match(await framework.compileSchemas(app), /export default/);

// descriptions of schemas: schemas
assert.deepEqual(framework.describeSchemas({}), {});
`;

const features = [...programs.matchAll(/^\/\/ (.*):(.*)\n((?:.+\n)+)/gm)].map(
  ([, name, chunks, program]) => ({
    name,
    chunks: chunks.split(' ').filter(Boolean),
    program,
    flags: name.startsWith('code that may not') ? ['--disallow-code-generation-from-strings'] : [],
  }),
);

describe('code that is loaded late', () => {
  test.each(features)('$name: loads the code that it needs and no other', ({ program, chunks, flags }) => {
    const code = `
      const assert = require('node:assert/strict');
      const reload = () => {
        for (const file of Object.keys(require.cache)) delete require.cache[file];
        return require('ambit');
      };
      const framework = require('ambit');
      const { ambit } = framework;
      const app = ambit();
      const route = (options = {}) => app.get('/', options, () => 'plain');
      const ask = async (expected) => assert.equal((await app.inject('/')).body, expected);
      (async () => {
        ${program}
        const late = Object.keys(require.cache).map((file) => /bundle.late.(.*)[.]cjs$/.exec(file)?.[1]);
        console.log(JSON.stringify(late.filter((name) => name !== undefined).sort()));
      })();`;
    expect(run(code, flags)).toEqual(chunks);
  });

  test('each chunk belongs to a feature', () => {
    const written = ['ambit', 'json-validator']
      .flatMap((name) => readdirSync(`${root}packages/${name}/dist/bundle/late`))
      .filter((name) => name.endsWith('.cjs'));
    const known = new Set(features.flatMap(({ chunks }) => chunks));
    expect(written.map((name) => name.replace('.cjs', '')).sort()).toEqual([...known].sort());
  });
});
