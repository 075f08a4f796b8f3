import type { JsonSchema } from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';
import { fromSource } from '../../test/from-source.ts';
import { askOracle } from '../../test/oracle.ts';
import { compile } from '../compile.ts';

function write(schema: JsonSchema, value: unknown): string {
  const text = compile(schema)(value);
  expect(text).toBe(askOracle(schema, value));
  return text;
}

const variant = (kind: unknown, property: string) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind, [property]: { type: 'string' } },
});

describe('branches', () => {
  test('are distinguished by type', () => {
    const schema = {
      anyOf: [
        { type: 'string' },
        { type: 'integer' },
        { type: 'array', items: { type: 'string' } },
        variant({}, 'a'),
      ],
    };
    for (const value of ['x', 5, ['y'], { kind: 1, a: 'z' }]) write(schema, value);
  });

  test('are distinguished by a constant or by enums', () => {
    const schema = { oneOf: [variant({ const: 'a' }, 'one'), variant({ enum: ['b', 2] }, 'two')] };
    for (const value of [
      { kind: 'a', one: 'x', two: 'y' },
      { kind: 2, one: 'x', two: 'y' },
    ])
      write(schema, value);
  });

  test('are distinguished by validation', () => {
    const schema = {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^x' } } },
        {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string', minLength: 3 }, b: { type: 'integer' } },
        },
        { type: 'object', properties: { c: { type: 'string', format: 'date' } } },
      ],
    };
    for (const value of [
      { a: 'xy', b: 1 },
      { a: 'yyy', b: 1 },
      { c: '2024-02-29', b: 1 },
    ])
      write(schema, value);
  });

  test('share the keywords next to them', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' } },
      anyOf: [
        { required: ['a'], properties: { a: { type: 'string' } } },
        { properties: { b: { type: 'string' } } },
      ],
    };
    expect(compile(schema)({ id: 1, a: 'x', b: 'y' })).toBe('{"a":"x","id":1}');
    expect(compile(schema)({ id: 1, b: 'y' })).toBe('{"id":1,"b":"y"}');
  });

  test('treat a Date as a string', () => {
    write({ anyOf: [{ type: 'integer' }, { type: 'string', format: 'date-time' }] }, new Date(5));
  });

  test('may refer to themselves', () => {
    const schema = {
      anyOf: [{ type: 'string' }, { type: 'object', properties: { next: { $ref: '#' } } }],
    };
    expect(compile(schema)({ next: { next: 'end', more: 1 } })).toBe('{"next":{"next":"end"}}');
  });

  test('throw an error with its path if none matches', () => {
    const schema = { type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'number' }] } } };
    expect(() => compile(schema)({ a: true })).toThrow(
      expect.objectContaining({
        message: "The value of '#/properties/a' does not match schema definition.",
        path: '/a',
      }) as Error,
    );
  });

  test('of a condition are `then` and `else`, and either may be missing', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { a: { type: 'string' } } },
      else: { properties: { b: { type: 'string' } } },
    };
    expect(write(schema, { kind: 'a', a: '1', b: '2' })).toBe('{"kind":"a","a":"1"}');
    expect(write(schema, { kind: 'b', a: '1', b: '2' })).toBe('{"kind":"b","b":"2"}');
    const { else: _, ...withoutElse } = schema;
    expect(write(withoutElse, { kind: 'b', a: '1', b: '2' })).toBe('{"kind":"b"}');
  });

  test('are merged by allOf: properties, required and types', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [
        { required: ['b'], properties: { b: { type: ['integer', 'string'] } } },
        { properties: { b: { type: 'integer' } } },
      ],
    };
    expect(write(schema, { a: 'x', b: 1, c: 2 })).toBe('{"b":1,"a":"x"}');
    expect(() => compile(schema)({ a: 'x' })).toThrow('"b" is required!');
  });
});

describe('lists of types', () => {
  for (const type of [
    ['string', 'null'],
    ['integer', 'null'],
    ['number', 'string'],
    ['object', 'array', 'boolean'],
    ['integer', 'number'],
  ]) {
    test(`${type.join(' or ')} writes matching values as the oracle does`, () => {
      const schema = { type: 'object', properties: { a: { type } } };
      for (const value of ['x', 1, 1.5, true, null, {}, new Date(0), Number.POSITIVE_INFINITY]) {
        const expected = askOracle(schema, { a: value });
        if (expected !== undefined) expect(compile(schema)({ a: value })).toBe(expected);
        else expect(() => compile(schema)({ a: value })).toThrow('does not match schema definition');
      }
    });
  }
});

describe('changing a schema after compilation', () => {
  const branch = (kind: object, inner = { type: 'integer' }) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind, a: inner },
  });
  for (const [what, first, second] of [
    ['an enum', { enum: ['x', 'y'] }, { enum: ['z'] }],
    ['an enum that has objects', { enum: [{ deep: ['x'] }, 'x'] }, { enum: ['z'] }],
    ['a constant', { const: { deep: ['x'] } }, { enum: ['z'] }],
  ] as const) {
    for (const generate of ['now', 'first-use'] as const) {
      test(`${what} changes nothing: ${generate}`, () => {
        const schema = structuredClone({ anyOf: [branch(first), branch(second, { type: 'string' })] });
        const kinds = 'enum' in first ? first.enum : [first.const];
        const input = structuredClone([...kinds.map((kind) => ({ kind, a: 1 })), { kind: 'z', a: 'x' }]);
        const expected = input.map(compile(schema));
        const write = compile(schema, { generate });
        for (const { properties, required } of schema.anyOf) {
          const kind = properties.kind as { enum?: unknown[]; const?: { deep: unknown[] } };
          const data = kind.enum ?? kind.const!.deep;
          for (const each of data) if (typeof each === 'object') (each as { deep: unknown[] }).deep.push('q');
          data.splice(1, 1);
          data.push('q');
          required.push('missing');
        }
        expect(input.map(write)).toEqual(expected);
      });
    }
  }
});

describe('branches that contradict what applies with them', () => {
  const kindOf = (kind: object) => ({ type: 'object', properties: { kind } });
  const text = { type: 'string' };
  const nothing = { type: 'null' };
  const narrowing: [what: string, schema: JsonSchema, value: unknown, expected: string][] = [
    [
      'of a property, narrowed by allOf',
      { allOf: [kindOf({ oneOf: [text, nothing] }), kindOf(text)] },
      { kind: 'a', b: 1 },
      '{"kind":"a"}',
    ],
    [
      'in any order',
      { allOf: [kindOf(nothing), kindOf({ anyOf: [text, nothing] })] },
      { kind: null },
      '{"kind":null}',
    ],
    [
      'of a list of types',
      {
        allOf: [
          kindOf({ type: ['string', 'null', 'array'] }),
          kindOf({ anyOf: [{ type: 'array' }, { type: 'number' }] }),
        ],
      },
      { kind: [1] },
      '{"kind":[1]}',
    ],
    ['with nullable', { allOf: [{ type: 'string', nullable: true }, { type: 'null' }] }, null, 'null'],
    [
      'of a union of objects, narrowed by a constant',
      {
        allOf: [
          { oneOf: [variant({ const: 'a' }, 'one'), variant({ const: 'b' }, 'two')] },
          { type: 'object', properties: { kind: { const: 'b' } } },
        ],
      },
      { kind: 'b', one: 'x', two: 'y' },
      '{"kind":"b","two":"y"}',
    ],
    [
      'of a condition that excludes them',
      {
        type: 'object',
        properties: { kind: { const: 'a' }, value: { type: 'integer' } },
        if: { properties: { kind: { const: 'b' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { kind: { const: 'b' }, value: text } },
        else: { properties: { value: { minimum: 0 } } },
      },
      { kind: 'a', value: 1 },
      '{"kind":"a","value":1}',
    ],
    [
      'of many conditions',
      {
        type: 'object',
        properties: { kind: text },
        allOf: ['a', 'b', 'c', 'd'].map((kind) => ({
          if: { properties: { kind: { const: kind } }, required: ['kind'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { properties: { kind: { const: kind }, value: { const: kind } } },
        })),
      },
      { kind: 'c', value: 'c' },
      '{"kind":"c","value":"c"}',
    ],
    [
      'of two formats',
      { allOf: [{ type: 'string', format: 'uri' }, { format: 'date-time' }] },
      new Date(0),
      '"1970-01-01T00:00:00.000Z"',
    ],
  ];
  test.each(narrowing)('are dropped: %s', (_what, schema, value, expected) => {
    expect(compile(schema)(value)).toBe(expected);
    expect(fromSource(schema)(value)).toBe(expected);
  });

  test('are an error if they are chosen by a condition', () => {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const write = compile({ type: 'object', if: { required: ['a'] }, then: { type: 'string' } });
    expect(write({ b: 1 })).toBe('{}');
    expect(() => write({ a: 1 })).toThrow();
  });

  test('and leave none of a property: only a value without it is written', () => {
    const write = compile({
      type: 'object',
      properties: { a: { allOf: [{ type: 'string' }, { type: 'null' }] } },
    });
    expect(write({ b: 1 })).toBe('{}');
    expect(() => write({ a: 'x' })).toThrow(expect.objectContaining({ path: '/a' }) as Error);
  });

  test.each<[schema: JsonSchema, message: string]>([
    [
      { allOf: [{ type: 'string' }, { type: ['integer', 'null'] }] },
      'the schemas that apply here have no type in common, so no value is valid: "string" at /allOf/0, ["integer","null"] at /allOf/1',
    ],
    [
      { const: 1, allOf: [{ const: 2 }] },
      'the schemas that apply here differ in their const, so no value is valid: 1 at the root, 2 at /allOf/0',
    ],
    [
      { type: 'boolean', anyOf: [{ type: 'string' }, { type: 'null' }] },
      'no branch can apply together with the other schemas, so no value is valid: "boolean" at the root',
    ],
  ])('and leave none: the schema is refused with the places', (schema, message) => {
    expect(() => compile(schema)).toThrow(message);
  });
});
