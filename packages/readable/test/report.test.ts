import { expect, test } from 'vitest';
import { type ErrorPlace, printReport, reportError } from '../src/index.ts';

/** Reports an error about a program whose files are given as texts. The mark is at the call `context.` of the first file. */
function report(
  files: Record<string, string>,
  where: ErrorPlace,
  message = 'the schema is invalid',
  hint?: string,
): string {
  const [main = ''] = Object.values(files);
  const before = main.slice(0, main.indexOf('context.') + 'context.'.length).split('\n');
  const file = `/app/server.mjs:${before.length}:${before.at(-1)!.length + 1}`;
  const error = Object.assign(new Error(message), { where: { file, ...where }, hint, stack: 'Error: x' });
  const readFile = (path: string): string | undefined => files[path.slice('/app/'.length)];
  const text = printReport(reportError(error, { readFile }), { folder: '/app' });
  return text.split('\n\n')[1]!;
}

const marked = (text: string): string => {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('^'));
  const [, code = ''] = lines[at - 1]!.split(/ \| ?/, 2);
  const [, carets = ''] = lines[at]!.split(/\| ?/, 2);
  const column = lines[at]!.indexOf('^') - (lines[at]!.length - carets.length);
  return `${text.trim().split(':')[0]}: ${code.slice(column, column + carets.trim().split('  ')[0]!.length)}`;
};

test('the frame shows the lines around the mark, with the advice behind it', () => {
  const program = `const app = ambit();
app.register(async (context) => {
  context.get('/notes/:id', {
    schema: { params: { id: { type: 'int' } } },
    handler: () => 'x',
  });
});`;
  const where = { part: 'params', schemaPath: '#/properties/id/type' };
  expect(report({ 'server.mjs': program }, where, 'no', "'int' is not a type. Did you mean 'integer'?")).toBe(
    `  server.mjs:4:37
    3 |   context.get('/notes/:id', {
  > 4 |     schema: { params: { id: { type: 'int' } } },
      |                                     ^^^^^  'int' is not a type. Did you mean 'integer'?
    5 |     handler: () => 'x',`,
  );
});

const inSchema = (schemaPath: string, part = 'body'): ErrorPlace => ({ part, schemaPath });
const route = (schema: string, before = ''): string =>
  `${before}context.post('/', { schema: ${schema} }, handler);`;

test.each<[string, string, ErrorPlace, string]>([
  ['a value', route("{ body: { type: 'x', required: ['a'] } }"), inSchema('#/type'), "'x'"],
  ['the short form', route("{ body: { a: { type: 'x' } } }"), inSchema('#/properties/a/type'), "'x'"],
  ['a name in quotes', route("{ body: { 'a-b': { type: 'x' } } }"), inSchema('#/properties/a-b/type'), "'x'"],
  ['a name with a slash', route("{ body: { 'a/b': { type: 1 } } }"), inSchema('#/properties/a~1b/type'), '1'],
  ['an encoded name', route("{ body: { 'é': { type: 1 } } }"), inSchema('#/properties/%C3%A9/type'), '1'],
  [
    'an item of a list',
    route("{ body: { anyOf: [{ type: 'string' }, { type: 2 }] } }"),
    inSchema('#/anyOf/1/type'),
    '2',
  ],
  ['a response', route('{ response: { 200: { type: 3 } } }'), inSchema('#/type', 'response 200'), '3'],
  [
    'a range of responses',
    route("{ response: { '2xx': { type: 3 } } }"),
    inSchema('#/type', 'response 2xx'),
    '3',
  ],
  [
    'a media type',
    route("{ body: { content: { 'text/csv': { schema: { type: 4 } } } } }"),
    inSchema('#/type', 'body (text/csv)'),
    '4',
  ],
  [
    'a media type of a response',
    route("{ response: { 200: { content: { 'text/csv': { schema: { type: 4 } } } } } }"),
    inSchema('#/type', 'response 200 (text/csv)'),
    '4',
  ],
  ['a constant', route('{ body }', "const body = { type: 'x' };\n"), inSchema('#/type'), "'x'"],
  [
    'a renamed constant',
    route('{ body: note }', "const note = { type: 'x' } as const;\n"),
    inSchema('#/type'),
    "'x'",
  ],
  [
    'a constant with a type',
    route('{ body: n }', "const n: Schema<{ a: 1 }> = { type: 'x' };\n"),
    inSchema('#/type'),
    "'x'",
  ],
  [
    'a member of a constant',
    route('{ body: all.note }', "const all = { note: { type: 'x' } };\n"),
    inSchema('#/type'),
    "'x'",
  ],
  ['a spread', route('{ body: { ...note } }', "const note = { type: 'x' };\n"), inSchema('#/type'), "'x'"],
  ['the later of two equal names', route("{ body: { type: 'a', type: 'b' } }"), inSchema('#/type'), "'b'"],
  ['parentheses', route("({ body: ({ type: 'x' }) })"), inSchema('#/type'), "'x'"],
  [
    'a template before it',
    route(`{ body: { title: \`\${{ a: [1] }}\`, type: 'x' } }`),
    inSchema('#/type'),
    "'x'",
  ],
  [
    'a pattern before it',
    route("{ body: { pattern: /[,{]\\/,/.source, type: 'x' } }"),
    inSchema('#/type'),
    "'x'",
  ],
  [
    'a comment before it',
    route("{ /* body: { type: 1 } */ body: { // }\n type: 'x' } }"),
    inSchema('#/type'),
    "'x'",
  ],
  [
    'type arguments',
    "context.post<{ Body: X, Params: Map<string, Y<Z>> }>('/', { schema: { body: { type: 'x' } } });",
    inSchema('#/type'),
    "'x'",
  ],
  [
    'a part of which only the way is known',
    route('{ body: makeSchema(1) }'),
    inSchema('#/type'),
    'makeSchema(1)',
  ],
  [
    'a schema that has several lines',
    route("{ body: {\n a: {\n type: 'x' } } }"),
    inSchema('#/properties/a'),
    'a',
  ],
  ['a schema elsewhere', 'context.post("/", options);', inSchema('#/type'), 'post'],
  ['a call that has no arguments', 'context.post', inSchema('#/type'), 'post'],
])('the mark is at %s', (_what, program, where, expected) => {
  expect(marked(report({ 'server.mjs': program }, where))).toBe(`server.mjs: ${expected}`);
});

test('the mark follows an import to another file, also under another name', () => {
  const files = {
    'server.mjs':
      "import { other, note as body } from './schemas.js';\ncontext.post('/', { schema: { body } });",
    'schemas.ts': "import type { X } from './x.ts';\nexport const note = { type: 'x' } as const;",
  };
  expect(marked(report(files, inSchema('#/type')))).toBe("schemas.ts: 'x'");
});

test('names that refer to each other end the search', () => {
  const program = route('{ body: a }', 'const a = b;\nconst b = a;\n');
  expect(marked(report({ 'server.mjs': program }, inSchema('#/type')))).toBe('server.mjs: a');
});

test.each([
  ['an option', "unknown option 'preHandlr' of route", "context.get('/', { preHandlr: 1 });", 'preHandlr'],
  ['a method that is an option', "unknown option 'handlr'", "context.get('/', { handlr() {} });", 'handlr'],
  ['a text', "'onReqest' is not a hook", "context.addHook('onReqest', f);", "'onReqest'"],
  ['nothing, if two places have the name', "unknown 'a'", 'context.get({ a: 1, b: { a: 2 } });', 'get'],
  ['nothing, if no place has the name', "unknown 'z'", 'context.get({ a: 1 });', 'get'],
])('a name in the message marks %s', (_what, message, program, expected) => {
  expect(marked(report({ 'server.mjs': program }, {}, message))).toBe(`server.mjs: ${expected}`);
});

test('an unknown keyword is marked itself, in the schema that has it', () => {
  const program = route("{ body: { a: { typ: 'string' }, b: { typ: 1 } } }");
  const where = inSchema('#/properties/b');
  expect(marked(report({ 'server.mjs': program }, where, `unknown keyword: "typ"`))).toBe('server.mjs: typ');
});

test('a schema that a call adds is searched from its first argument', () => {
  const program = "context.addSchema({ $id: 'note', properties: { a: { type: 'x' } } });";
  expect(marked(report({ 'server.mjs': program }, { schemaPath: 'note#/properties/a/type' }))).toBe(
    "server.mjs: 'x'",
  );
});

test('a long line is cut around the mark, and tabs do not move it', () => {
  const program = `\t\tcontext.get({ ${'a: 1, '.repeat(60)}zebra: 2, ${'b: 1, '.repeat(60)} });`;
  const text = report({ 'server.mjs': program }, {}, "unknown 'zebra'");
  expect(marked(text)).toBe('server.mjs: zebra');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(122);
});

test('the frames of libraries and of the runtime are counted, those of the program are shown', () => {
  const stack = `TypeError: no
    at main (file:///app/src/main.mjs:3:9)
    at async Promise.all (index 0)
    at run (/app/node_modules/ajv/dist/core.js:1:2)
    at x.y (C:\\app\\node_modules\\@scope\\it\\index.js:1:2)
    at node:internal/main:1:2
    at new Thing (/app/src/thing.mjs:7:1)
    at <anonymous>`;
  const found = reportError(Object.assign(new TypeError('no'), { stack }), { readFile: () => undefined });
  expect(printReport(found, { folder: '/app' })).toBe(`no.

  TypeError

    at main (src/main.mjs:3:9)
    at new Thing (src/thing.mjs:7:1)
    and 5 frames inside ajv and @scope/it`);
});

test('an error without a place shows the line that threw it', () => {
  const error = new Error('here');
  const found = reportError(error);
  expect(found.frame?.lines.find(({ number }) => number === found.frame?.line)?.text).toContain(
    "new Error('here')",
  );
});

test('the cause, the place and the first declaration are named', () => {
  const cause = new Error('ECONNREFUSED\nsecond line', { cause: new RangeError('deep') });
  const where = { plugin: 'ambit > db', route: 'GET /', first: { plugin: 'ambit', file: '/app/a.mjs:1:2' } };
  const error = Object.assign(new Error('not connected', { cause }), {
    where,
    code: 'E_DB',
    stack: '',
    hint: 'start it',
  });
  expect(printReport(reportError(error), { prefix: 'Cannot start: ' })).toBe(`Cannot start: not connected.

  Start it.

  in plugin ambit > db · GET / · first declared in ambit at /app/a.mjs:1:2 · E_DB

  caused by Error: ECONNREFUSED, caused by RangeError: deep`);
});

test('a report is JSON', () => {
  const { stack: _, ...found } = reportError(
    Object.assign(new Error('no'), { where: { plugin: 'ambit' }, code: 'X' }),
  );
  expect(JSON.parse(JSON.stringify(found))).toEqual({ ...found, frame: found.frame });
});

test.each<[string, unknown, string]>([
  ['a text', 'no', 'no'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('x'), 'Symbol(x)'],
  ['an object without a prototype', Object.create(null), 'object'],
  [
    'an error whose getters throw',
    Object.defineProperty(new Error(''), 'message', {
      get: () => {
        throw new Error('x');
      },
    }),
    'Error',
  ],
  [
    'an error whose place is not one',
    Object.assign(new Error('odd'), {
      where: { file: 5, schemaPath: { a: 1n }, first: 'x', route: ['GET'] },
      stack: 'Error: odd\n    at run (file://elsewhere/a%2Fb.mjs:1:2)',
    }),
    'odd',
  ],
  ['an error that is its own cause', Object.assign(new Error('loop'), { stack: '' }), 'loop'],
])('%s can be reported', (what, thrown, title) => {
  if (what.includes('its own cause')) Object.assign(thrown as Error, { cause: thrown });
  const found = reportError(thrown);
  expect(printReport(found)).toContain(title);
  expect(JSON.stringify(found)).toContain(title);
});

test.each([
  "context.get('",
  'context.get({ a: `${',
  'context.get(/',
  'context.get({]',
  '(',
  'context.get<<<',
])('a program that does not end is no reason to fail: %s', (program) => {
  const where = { file: '/app/server.mjs:1:9', part: 'body', schemaPath: '#/type' };
  const error = Object.assign(new Error("unknown 'a'"), { where, stack: '' });
  expect(reportError(error, { readFile: () => program }).frame?.line).toBe(1);
});
