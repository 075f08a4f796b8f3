// What an error of boot prints: the lines of the program that it is about, what is wrong there, and no frames of our own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const folder = fileURLToPath(new URL(`../../../.cache/boot-reports-${process.pid}/`, import.meta.url));
afterAll(() => rmSync(folder, { recursive: true }));

const start = "import { ambit } from 'ambit';\n\nconst app = ambit();\n";

/** By what is wrong: the program after the first three lines, and what is printed before the frames of the program. */
const mistakes: Record<string, readonly [program: string, printed: string]> = {
  'a type that does not exist': [
    `app.register(async function notes(context) {
  context.get('/notes/:id', {
    schema: { params: { id: { type: 'int' } } },
    handler: () => 'x',
  });
}, { prefix: '/v1' });`,
    `Ambit cannot start: the schema of GET /v1/notes/:id (params) is invalid.

  server.mjs:6:37
    5 |   context.get('/notes/:id', {
  > 6 |     schema: { params: { id: { type: 'int' } } },
      |                                     ^^^^^  'int' is not a type. Did you mean 'integer'?
    7 |     handler: () => 'x',

  in plugin ambit > notes · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'each of several mistakes': [
    `const note = { type: 'object', properties: { text: { type: 'string', minLength: '3' } } };
app.get('/a', { schema: { querystring: { a: { type: 'date' } } } }, () => 'x');
app.post('/b', { schema: { body: note, response: { 200: note } } }, () => 'x');`,
    `Ambit cannot start: the schema of GET /a (querystring) is invalid.

  server.mjs:5:53
    4 | const note = { type: 'object', properties: { text: { type: 'string', minLength: '3' } } };
  > 5 | app.get('/a', { schema: { querystring: { a: { type: 'date' } } } }, () => 'x');
      |                                                     ^^^^^^
      | 'date' is not a type. Did you mean type 'string' with format 'date'?
    6 | app.post('/b', { schema: { body: note, response: { 200: note } } }, () => 'x');

  in plugin ambit · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build

Also: the schema of POST /b (body) is invalid.

  server.mjs:4:81
    3 | const app = ambit();
  > 4 | const note = { type: 'object', properties: { text: { type: 'string', minLength: '3' } } };
      |                                                                                 ^^^
      | \`minLength\` must be integer.
    5 | app.get('/a', { schema: { querystring: { a: { type: 'date' } } } }, () => 'x');

  in plugin ambit · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'an option that is not known': [
    "app.get('/', { preHandlr: [] }, () => 'x');",
    `Ambit cannot start: unknown option 'preHandlr' of route GET /; did you mean 'preHandler'?

  server.mjs:4:16
    3 | const app = ambit();
  > 4 | app.get('/', { preHandlr: [] }, () => 'x');
      |                ^^^^^^^^^
    5 | await app.ready();

  in plugin ambit · AMBIT_ERR_UNKNOWN_OPTION · docs: errors#ambit_err_unknown_option`,
  ],
  'a keyword of a response that does not exist': [
    "app.get('/', { schema: { response: { 200: { type: 'object', propertys: { a: {} } } } } }, () => ({}));",
    `Ambit cannot start: the schema of GET / (response 200) is invalid.

  server.mjs:4:61
    3 | const app = ambit();
  > 4 | app.get('/', { schema: { response: { 200: { type: 'object', propertys: { a: {} } } } } }, () => ({}));
      |                                                             ^^^^^^^^^
      | 'propertys' is not a keyword. Did you mean 'properties'?
    5 | await app.ready();

  in plugin ambit · FST_ERR_SCH_SERIALIZATION_BUILD · docs: errors#fst_err_sch_serialization_build`,
  ],
  'a shared schema of a sibling': [
    `app.register(async function notes(context) {
  context.addSchema({ $id: 'note', type: 'object' });
});
app.register(async function users(context) {
  context.post('/', { schema: { body: { $ref: 'note#' } } }, () => 'x');
});`,
    `Ambit cannot start: the schema of POST / (body) is invalid.

  server.mjs:8:47
    7 | app.register(async function users(context) {
  > 8 |   context.post('/', { schema: { body: { $ref: 'note#' } } }, () => 'x');
      |                                               ^^^^^^^
      | 'note#' leads to no schema. It is declared in ambit > notes, from which ambit > users does not inherit; no shared schema is visible here.
    9 | });

  in plugin ambit > users · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'a hook that does not exist': [
    `app.register(async function auth(context) {
  context.addHook('onReqest', async () => {});
});`,
    `Ambit cannot start: 'onReqest' is not a hook.

  server.mjs:5:19
    4 | app.register(async function auth(context) {
  > 5 |   context.addHook('onReqest', async () => {});
      |                   ^^^^^^^^^^  Did you mean 'onRequest'?
    6 | });

  in plugin ambit > auth · FST_ERR_HOOK_NOT_SUPPORTED · docs: errors#fst_err_hook_not_supported`,
  ],
  'a method that does not exist': [
    "app.route({ method: 'PSOT', url: '/', handler: () => 'x' });",
    `Ambit cannot start: 'PSOT' is not a method of routes: \`addHttpMethod\` adds others.

  server.mjs:4:21
    3 | const app = ambit();
  > 4 | app.route({ method: 'PSOT', url: '/', handler: () => 'x' });
      |                     ^^^^^^  Did you mean 'POST'?
    5 | await app.ready();

  in plugin ambit · PSOT / · FST_ERR_ROUTE_METHOD_NOT_SUPPORTED · docs: errors#fst_err_route_method_not_supported`,
  ],
  'a decorator of a sibling': [
    `app.register(async function database(context) {
  context.decorate('db', {});
});
app.register(async function users(context) {
  context.getDecorator('db');
});`,
    `Ambit cannot start: No decorator 'db' has been declared on instance.

  server.mjs:8:24
    7 | app.register(async function users(context) {
  > 8 |   context.getDecorator('db');
      |                        ^^^^  It is declared in ambit > database, from which ambit > users does not inherit.
    9 | });

  in plugin ambit > users · FST_ERR_DEC_UNDECLARED · docs: errors#fst_err_dec_undeclared`,
  ],
  'a decorator that a decorator needs': [
    "app.decorateRequest('session', null);\napp.decorateRequest('user', null, ['sesion']);",
    `Ambit cannot start: The decorator is missing dependency 'sesion'.

  server.mjs:5:36
    4 | app.decorateRequest('session', null);
  > 5 | app.decorateRequest('user', null, ['sesion']);
      |                                    ^^^^^^^^  Did you mean 'session'?
    6 | await app.ready();

  in plugin ambit · FST_ERR_DEC_MISSING_DEPENDENCY · docs: errors#fst_err_dec_missing_dependency`,
  ],
  'a plugin that a plugin needs': [
    `const { hoist } = await import('ambit');
app.register(hoist(async () => {}, { name: 'database' }));
app.register(hoist(async () => {}, { name: 'users', dependencies: ['databse'] }));`,
    `Ambit cannot start: The dependency 'databse' of plugin 'users' is not registered.

  server.mjs:6:68
    5 | app.register(hoist(async () => {}, { name: 'database' }));
  > 6 | app.register(hoist(async () => {}, { name: 'users', dependencies: ['databse'] }));
      |                                                                    ^^^^^^^^^  Did you mean 'database'?
    7 | await app.ready();

  in plugin ambit > users · FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED · docs: errors#fst_err_plugin_dependency_not_registered`,
  ],
  'a keyword in a constant': [
    "const note = { type: 'object', propertys: {} };\napp.post('/', { schema: { body: note } }, () => 'x');",
    `Ambit cannot start: the schema of POST / (body) is invalid.

  server.mjs:4:32
    3 | const app = ambit();
  > 4 | const note = { type: 'object', propertys: {} };
      |                                ^^^^^^^^^  'propertys' is not a keyword. Did you mean 'properties'?
    5 | app.post('/', { schema: { body: note } }, () => 'x');

  in plugin ambit · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'a shared schema': [
    "app.addSchema({ $id: 'note', properties: { id: { type: 'uuid' } } });\napp.post('/', { schema: { body: { $ref: 'note#' } } }, () => 'x');",
    `Ambit cannot start: the shared schema 'note' is invalid.

  server.mjs:4:56
    3 | const app = ambit();
  > 4 | app.addSchema({ $id: 'note', properties: { id: { type: 'uuid' } } });
      |                                                        ^^^^^^
      | 'uuid' is not a type. Did you mean type 'string' with format 'uuid'?
    5 | app.post('/', { schema: { body: { $ref: 'note#' } } }, () => 'x');

  in plugin ambit · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'a type in place of a schema': [
    "app.get('/:id', { schema: { params: { id: 'int' } } }, () => 'x');",
    `Ambit cannot start: the schema of GET /:id (params) is invalid.

  server.mjs:4:43
    3 | const app = ambit();
  > 4 | app.get('/:id', { schema: { params: { id: 'int' } } }, () => 'x');
      |                                           ^^^^^  'id' is not a keyword here. Write \`id: { type: 'integer' }\`.
    5 | await app.ready();

  in plugin ambit · FST_ERR_SCH_VALIDATION_BUILD · docs: errors#fst_err_sch_validation_build`,
  ],
  'an error of a plugin': [
    `app.register(async function database() {
  throw new Error('cannot reach the database');
});`,
    `Ambit cannot start: cannot reach the database.

  server.mjs:5:9
    4 | app.register(async function database() {
  > 5 |   throw new Error('cannot reach the database');
      |         ^^^
    6 | });

  in plugin ambit > database · Error`,
  ],
};

const stacks = printStacks(Object.values(mistakes).map(([program]) => program));

test.each(Object.entries(mistakes))('%s is shown in the program', (name, [, printed]) => {
  const stack = stacks[Object.keys(mistakes).indexOf(name)]!;
  const frames = stack.slice(stack.search(/\n\n {4}(?:at|\d+ frames?) /));
  expect(stack.slice(0, stack.length - frames.length)).toBe(printed);
  expect(frames).toMatch(/^\n\n {4}at (?:\w+ \()?server\.mjs:\d+:\d+\)?/);
  expect(frames).not.toMatch(/packages|node_modules/);
});

test('Node prints the report of an error that nobody catches, and nothing of ours', () => {
  const [[program, printed]] = Object.values(mistakes) as [readonly [string, string]];
  const cwd = writeProgram('plain', program);
  const { stderr } = spawnSync(process.execPath, ['server.mjs'], { cwd, encoding: 'utf8' });
  expect(stderr).toContain(`${printed}\n\n    at server.mjs:`);
  expect(stderr).not.toMatch(/packages|node_modules|statusCode|where/);
});

test('an error of boot keeps its fields as JSON', () => {
  const [[program]] = Object.values(mistakes) as [readonly [string, string]];
  const cwd = writeProgram('json', program);
  const runner = "import('./server.mjs').catch((error) => console.log(JSON.stringify(error)))";
  const { stdout } = spawnSync(process.execPath, ['--eval', runner], { cwd, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'AmbitError',
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    statusCode: 500,
    where: { part: 'params', schemaPath: '#/properties/id/type' },
  });
});

/** Runs programs, in one process, and returns the stack of the error that each ends with. */
function printStacks(programs: readonly string[]): string[] {
  const folders = programs.map((program, i) => writeProgram(String(i), program));
  const runner = `const stacks = [];
for (const folder of ${JSON.stringify(folders)}) {
  process.chdir(folder);
  stacks.push(await import(folder + '/server.mjs').then(() => 'it boots', (error) => error.stack));
}
console.log(JSON.stringify(stacks));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', runner], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

function writeProgram(name: string, program: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'server.mjs'), `${start}${program}\nawait app.ready();\n`);
  return path;
}
