import type { JsonSchema } from '@ambit/json-schema';
import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import type { Diagnostic } from './inspect.ts';

function report(schema: JsonSchema, value: unknown): string[] {
  const diagnostics: Diagnostic[] = [];
  compile(schema, { report: (diagnostic) => diagnostics.push(diagnostic) })(value);
  return diagnostics.map(({ kind, path, message }) => `${kind} ${path}: ${message}`);
}

const user = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    role: { type: 'string', default: 'guest' },
    at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

test('a value that matches its schema has nothing to report', () => {
  expect(report(user, { id: 1, name: 'ada', role: 'x', at: new Date(0), tags: ['a'] })).toEqual([]);
});

test('what is dropped, coerced and missing is reported with its path', () => {
  const value = { users: [{ id: 1.5, name: 7, tags: null, 'pass/word': 'x' }] };
  expect(report({ type: 'object', properties: { users: { type: 'array', items: user } } }, value)).toEqual([
    'coerced /users/0/id: number "1.5" was written as 1',
    'coerced /users/0/name: number "7" was written as "7"',
    'missing /users/0/role: missing, so the default "guest" was written',
    'coerced /users/0/tags: null was written as an array',
    'dropped /users/0/pass~1word: dropped, because the schema does not declare it',
  ]);
});

test('a Date that is written as a number, a boolean or a constant is reported', () => {
  const at = new Date(0);
  const properties = {
    a: { type: 'integer' },
    b: { type: 'number' },
    c: { type: 'boolean' },
    d: { const: 'x' },
    e: { type: 'string' },
    f: { type: 'string', format: 'date' },
  };
  const diagnostics = report({ type: 'object', properties }, { a: at, b: at, c: at, d: at, e: at, f: at });
  expect(diagnostics.map((diagnostic) => diagnostic.replace(/object ".*?"/, 'object'))).toEqual([
    'coerced /a: object was written as 0',
    'coerced /b: object was written as 0',
    'coerced /c: object was written as true',
    'coerced /d: object was written as "x"',
  ]);
});

const lost = {
  f: () => 1,
  s: Symbol('x'),
  u: undefined,
  n: Number.NaN,
  map: new Map([[1, 2]]),
  error: new Error('x'),
  list: [() => 1, undefined, Number.POSITIVE_INFINITY, new Set([1])],
  plain: [{}, Object.create(null), [], new Date(0), 5, null],
};

for (const [what, schema] of [
  ['without a schema', {}],
  ['that the schema lets through', { type: 'object', additionalProperties: true }],
  ['by a pattern', { type: 'object', patternProperties: { '.': {} } }],
  [
    'of properties without a type',
    { type: 'object', properties: Object.fromEntries(Object.keys(lost).map((name) => [name, {}])) },
  ],
  [
    'in lists',
    {
      type: 'object',
      additionalProperties: true,
      properties: { list: { type: 'array' }, plain: { type: 'array', items: {} } },
    },
  ],
] as const) {
  test(`a value that JSON cannot express is reported ${what}`, () => {
    expect(report(schema, lost).sort()).toEqual([
      'coerced /error: object "Error: x" was written as {}',
      'coerced /list/0: function "() => 1" was written as null',
      'coerced /list/1: undefined "undefined" was written as null',
      'coerced /list/2: number "Infinity" was written as null',
      'coerced /list/3: object "[object Set]" was written as {}',
      'coerced /map: object "[object Map]" was written as {}',
      'coerced /n: number "NaN" was written as null',
      'dropped /f: dropped, because JSON has no functions',
      'dropped /s: dropped, because JSON has no symbols',
    ]);
  });
}

test('the report uses the branch that is written', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] };
  expect(report(schema, { a: 'x', b: 1 })).toEqual([
    'dropped /b: dropped, because the schema does not declare it',
  ]);
});

for (const [what, value, message, path] of [
  ['a missing property', { list: [{ id: 1 }, {}] }, '"id" is required!', '/list/1'],
  [
    'a number that is none',
    { list: [{ id: 'x' }] },
    'The value "x" cannot be converted to an integer.',
    '/list/0/id',
  ],
  [
    'an array that is none',
    { list: 5 },
    "The value of '#/properties/list' does not match schema definition.",
    '/list',
  ],
  [
    'a bigint without a schema',
    { list: [], any: { deep: 1n } },
    'a bigint needs a schema of type integer or number to be written as JSON',
    '/any/deep',
  ],
] as const) {
  test(`${what} is an error with its path`, () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: user }, any: {} } };
    const error: unknown = expect.objectContaining({ name: 'SerializationError', message, path });
    expect(() => compile(schema)(value)).toThrow(error as Error);
  });
}

test('a getter that throws is an error with its path and its cause', () => {
  const cause = new Error('no database');
  const value = {
    a: {
      get b(): string {
        throw cause;
      },
    },
  };
  const schema = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
  };
  expect(() => compile(schema)(value)).toThrow(
    expect.objectContaining({ message: 'no database', path: '/a/b', cause }),
  );
});

test('a value that contains itself is an error with its path, declared or not', () => {
  const value: Record<string, unknown> = { name: 'a' };
  value.kids = [value];
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
  };
  const error: unknown = expect.objectContaining({
    message: 'a value that contains itself cannot be written as JSON',
    path: '/kids/0',
  });
  expect(() => compile(tree)(value)).toThrow(error as Error);
  expect(() => compile({})(value)).toThrow(error as Error);
});

test('the same object twice is not a cycle', () => {
  const shared = { id: 1 };
  const schema = { type: 'array', items: user };
  expect(compile(schema)([shared, shared, shared])).toContain('},{');
  expect(report({ type: 'array', items: user }, [shared, shared])).toHaveLength(2);
});

test('the message has no path, and the error has no code, because servers send both to clients', () => {
  const write = compile({ type: 'object', properties: { a: { type: 'integer' } } });
  const error: unknown = expect.objectContaining({ path: '/a' });
  expect(() => write({ a: 'x' })).toThrow(error as Error);
  expect(() => write({ a: 'x' })).toThrow(expect.not.objectContaining({ code: expect.anything() }) as Error);
});

test('a value that can be read only once is written, and not reported', () => {
  let runs = 0;
  const value = {
    get a() {
      if (runs++ > 0) throw new Error('read twice');
      return 'x';
    },
  };
  const diagnostics: Diagnostic[] = [];
  const write = compile(
    { type: 'object', properties: { a: { type: 'string' } } },
    { report: (diagnostic) => diagnostics.push(diagnostic) },
  );
  expect(write(value)).toBe('{"a":"x"}');
  expect([runs, diagnostics]).toEqual([2, []]);
});

test('undefined is an error', () => {
  expect(() => compile(user)(undefined)).toThrow('undefined cannot be written as JSON');
});
