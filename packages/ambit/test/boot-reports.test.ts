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

test.each(Object.entries(mistakes))('%s is shown in the program', (name, [program, printed]) => {
  const { stderr } = run(name, `${start}${program}\nawait app.ready();\n`);
  // Before it, Node names the line of its own that threw the error, or that of the program.
  const [, text = ''] = stderr.split(/\n\s*\^\n\s*/, 2);
  const frames = text.slice(text.search(/\n+ {4}at /));
  expect(text.slice(0, text.length - frames.length)).toBe(printed);
  expect(frames).toMatch(/^\n\n {4}at (?:\w+ \()?server\.mjs:\d+:\d+\)?/);
  expect(frames).not.toMatch(/packages|node_modules|statusCode|where/);
});

function run(name: string, program: string): { readonly stderr: string } {
  const cwd = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'server.mjs'), program);
  return spawnSync(process.execPath, ['server.mjs'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}
