import { expandShortForm, isShortForm, keywordsInShortForm } from '@ambit/json-schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const keywords: Record<string, unknown> = {
  $id: 'id',
  $ref: 'id#',
  type: 'object',
  properties: {},
  oneOf: [],
  anyOf: [],
  allOf: [],
  not: {},
  if: {},
  enum: ['a'],
  const: 1,
  items: {},
  required: ['a'],
  additionalProperties: false,
  patternProperties: {},
  definitions: {},
  nullable: true,
  minProperties: 1,
  description: 'text',
  title: 'text',
  default: 1,
};
/** Names that are not keywords. */
const parameterName = fc.string({ minLength: 1, maxLength: 10 }).map((name) => `p${name}`);
const parameterSchema = fc.constantFrom<unknown>(
  { type: 'string' },
  { type: 'integer', minimum: 1 },
  {},
  true,
  false,
  {
    $ref: 'x#',
  },
);
const parameters = fc.dictionary(parameterName, parameterSchema, { minKeys: 1, maxKeys: 5 });

describe('the short form', () => {
  test('is any list of parameters without a keyword, and expands to an object with these properties', () => {
    fc.assert(
      fc.property(parameters, (schema) => {
        expect(isShortForm(schema)).toBe(true);
        expect(expandShortForm(schema)).toEqual({ type: 'object', properties: schema });
      }),
    );
  });

  test('expands once: what it expands to is a full schema', () => {
    fc.assert(
      fc.property(parameters, (schema) => {
        const full = expandShortForm(schema);
        expect(expandShortForm(full)).toBe(full);
      }),
    );
  });

  for (const [keyword, value] of Object.entries(keywords)) {
    test(`is not what has the keyword ${keyword} among its parameters`, () => {
      fc.assert(
        fc.property(parameters, (schema) => {
          const full = { ...schema, [keyword]: value };
          expect(isShortForm(full)).toBe(false);
          expect(expandShortForm(full)).toBe(full);
        }),
        { numRuns: 20 },
      );
    });
  }

  for (const name of [
    ...[
      '$id',
      '$ref',
      'type',
      'enum',
      'const',
      'default',
      'properties',
      'additionalProperties',
      'definitions',
    ],
    ...['items', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'dependencies'],
  ]) {
    test(`cannot have a parameter named ${name}: the keyword makes it a full schema, whatever it holds`, () => {
      for (const value of [{ type: 'string' }, {}, true, false]) {
        expect(isShortForm({ [name]: value })).toBe(false);
        expect(isShortForm({ a: {}, [name]: value })).toBe(false);
      }
    });
  }

  for (const name of [
    'title',
    'description',
    'format',
    'pattern',
    'required',
    'minimum',
    'nullable',
    'readOnly',
  ]) {
    test(`may have a parameter named ${name}: a keyword of that name never holds a schema`, () => {
      expect(isShortForm({ [name]: { type: 'string' } })).toBe(true);
    });

    test(`is not what has true or false as the keyword ${name}`, () => {
      expect([true, false].map((value) => isShortForm({ a: {}, [name]: value }))).toEqual([false, false]);
    });
  }

  for (const name of ['id', 'name', 'deprecated', 'values', 'content', 'minContains']) {
    test(`may have a parameter named ${name}, which is no keyword of draft 7`, () => {
      expect(isShortForm({ [name]: { type: 'string' } })).toBe(true);
    });
  }

  for (const name of ['type', 'default', 'items', 'not', 'definitions']) {
    test(`was probably meant where ${name} stands among parameters`, () => {
      expect(keywordsInShortForm({ a: {}, [name]: {} })).toEqual([name]);
    });
  }

  for (const schema of [
    { type: 'object', properties: {} },
    { properties: {}, items: {} },
    { a: {}, default: 1 },
    { a: {}, b: true },
    { properties: { a: {} }, example: { a: 1 } },
    { items: {}, example: { a: 1 }, 'x-order': {} },
  ]) {
    test(`was not meant by ${JSON.stringify(schema)}, or needs no keyword to be told from`, () => {
      expect(keywordsInShortForm(schema)).toEqual([]);
    });
  }

  test('may have a parameter named like something that every object has', () => {
    const schema = JSON.parse('{"toString":{"type":"string"},"hasOwnProperty":{"type":"string"}}');
    expect(isShortForm(schema)).toBe(true);
  });

  class Foreign {
    readonly field = { type: 'string' };
  }
  const others: [string, unknown][] = [
    ['the empty object', {}],
    ['true', true],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    ['a text', 'text'],
    ['a list', [{ type: 'string' }]],
    ['a function', () => true],
    ['an instance of a class', new Foreign()],
    ['an object with a symbol', { [Symbol('kind')]: 1, a: { type: 'string' } }],
    ['a parameter that is no schema', { a: 'text' }],
  ];
  for (const [name, value] of others) {
    test(`is not ${name}`, () => {
      expect(isShortForm(value)).toBe(false);
      expect(expandShortForm(value)).toBe(value);
    });
  }

  test('is never seen in anything whatever that would make it throw', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withDate: true, withMap: true }), (value) => {
        expect([true, false]).toContain(isShortForm(value));
      }),
    );
  });
});

test('another library’s schema that is a plain object is no short form', () => {
  const schema = { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } };
  expect(isShortForm(schema)).toBe(false);
  expect(expandShortForm(schema)).toBe(schema);
});
