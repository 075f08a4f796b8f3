import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder, type Outcome, runCommand, runShared, writeFiles } from '../../test/support/command.ts';
import { flavors } from '../../test/support/flavors.ts';

const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

const routes = `
import { z } from 'zod';
app.addSchema({ $id: 'note', type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } }, required: ['id', 'text'] });
app.register(async (notes) => {
  notes.get('/:id', {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      response: { 200: { $ref: 'note#' }, 404: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] } },
    },
  }, () => ({}));
  notes.post('/', {
    schema: {
      body: { type: 'object', properties: { text: { type: 'string' }, kind: { enum: ['a', 'b'] } }, required: ['text'] },
      response: { 201: { $ref: 'note#' } },
    },
  }, () => ({}));
}, { prefix: '/notes' });
app.get('/search', {
  schema: { querystring: z.object({ q: z.string() }), response: { '2xx': z.object({ hits: z.array(z.string()) }) } },
}, () => ({ hits: [] }));
const row = { type: 'object', properties: { n: { type: 'integer' }, at: { type: 'string', format: 'date-time' } }, required: ['n', 'at'] };
app.addSchema({ $id: 'row', ...row });
app.get('/rows', {
  schema: {
    response: {
      200: { content: { 'application/x-ndjson': { itemSchema: { $ref: 'row#' } } } },
      201: { content: { 'text/event-stream': { itemSchema: z.object({ id: z.string(), data: z.number() }) } } },
      202: { content: { 'application/json': { schema: row }, 'application/jsonl': { itemSchema: row } } },
    },
  },
}, () => []);
app.route({ method: ['PUT', 'PATCH'], url: '/plain', handler: () => 'ok' });
export default app;
`;

const consumer = `
import { client } from 'ambit/client';
import type { App } from './app-routes.js';

const api = client<App>('https://example.com');

const note = await api.get('/notes/:id', { params: { id: 1 } });
if (note.status === 200) {
  const id: number = note.body.id;
  const text: string = note.body.text;
  // @ts-expect-error the schema has no such property
  note.body.title;
  console.log(id, text);
}
if (note.status === 404) {
  const reason: string = note.body.reason;
  console.log(reason);
}
await api.post('/notes', { body: { text: 'milk', kind: 'a' } });
// @ts-expect-error the body needs a text
await api.post('/notes', { body: {} });
// @ts-expect-error there is no such kind
await api.post('/notes', { body: { text: 'milk', kind: 'c' } });
// @ts-expect-error there is no such route
await api.get('/nowhere');
// @ts-expect-error the query string needs q
await api.get('/search');
const found = await api.get('/search', { query: { q: 'milk' } });
if (found.status === 200) {
  const hits: string[] = found.body.hits;
  console.log(hits);
}
const rows = await api.get('/rows');
if (rows.status === 200) {
  for await (const { n, at } of rows.body) {
    const whole: number = n;
    const text: string = at;
    console.log(whole, text);
  }
  // @ts-expect-error the body is a stream of items
  rows.body.length;
}
if (rows.status === 201) {
  for await (const event of rows.body) {
    const data: number = event.data;
    console.log(data);
  }
}
if (rows.status === 202) {
  const both: { n: number; at: string } | AsyncIterable<{ n: number; at: string }> = rows.body;
  console.log(both);
}
await api.put('/plain');
await api.patch('/plain');
`;

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    skipLibCheck: false,
  },
};

/** Writes the file for the application of each flavor, and type-checks both with one run of the compiler. */
async function checkAll() {
  const root = makeFolder({
    'tsconfig.json': JSON.stringify({
      ...settings,
      files: Object.keys(flavors).map((flavor) => `${flavor}/client.ts`),
    }),
  });
  const outcomes: Record<string, Outcome> = {};
  for (const [flavor, make] of Object.entries(flavors)) {
    writeFiles(join(root, flavor), { 'app.js': make + routes, 'client.ts': consumer });
    outcomes[flavor] = await runShared(join(root, flavor), ['types']);
  }
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd: root, encoding: 'utf8' });
  return { outcomes, problems: stdout };
}

let checked: ReturnType<typeof checkAll> | undefined;

test.each(Object.keys(flavors))('%s: the typed client type-checks against the file', async (flavor) => {
  checked ??= checkAll();
  const { outcomes, problems } = await checked;
  const { code, stdout } = outcomes[flavor]!;
  expect([code, stdout]).toEqual([0, 'app-routes.d.ts: written\n']);
  expect(problems).toBe('');
});

test('the file imports nothing, and does not depend on the order of the routes', async () => {
  const declare = (...urls: string[]) =>
    `${flavors.ambit}${urls.map((url) => `app.get('${url}', () => 'ok');\n`).join('')}export default app;`;
  const print = async (source: string) =>
    (await runShared(makeFolder({ 'app.js': source }), ['types', '-o', '-'])).stdout;
  const text = await print(declare('/a', '/b'));
  expect(text).not.toContain('import');
  expect(await print(declare('/b', '/a'))).toBe(text);
});

test('--check fails with the first line that differs', async () => {
  const folder = makeFolder({ 'app.js': `${flavors.ambit}app.get('/a', () => 'ok');\nexport default app;` });
  await runShared(folder, ['types']);
  expect((await runCommand(folder, ['types', '--check'])).code).toBe(0);
  const file = join(folder, 'app-routes.d.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"/a";', '"/b";'));
  expect(await runCommand(folder, ['types', '--check'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'ambit: app-routes.d.ts: the declaration is stale: line 13 is `path: "/b";` in the file and `path: "/a";` in the application. Run `ambit types`, and commit the file.\n',
  });
});
