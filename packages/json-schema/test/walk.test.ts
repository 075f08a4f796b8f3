import { mapSchema, type SchemaObject, subschemasOf, walk } from '@ambit/json-schema';
import { expect, test } from 'vitest';

test('the subschemas of a schema are those of its keywords, in their order', () => {
  const schema = {
    allOf: [true, {}],
    properties: { enum: { type: 'null' } },
    dependencies: { a: ['b'], c: {} },
    items: [{}],
    not: false,
    enum: [{ type: 'string' }],
    example: {},
    type: 'object',
    unknown: { type: 'string' },
  };
  expect([...subschemasOf(schema)].map(({ schema: _, ...place }) => Object.values(place))).toEqual([
    ['allOf', 0, 'same'],
    ['allOf', 1, 'same'],
    ['properties', 'enum', 'properties'],
    ['dependencies', 'c', 'same'],
    ['items', 0, 'items'],
    ['not', undefined, 'same'],
    ['unknown', undefined, undefined],
  ]);
});

test('a walk yields every schema object with its pointer, the outer ones first', () => {
  const schema = { properties: { 'a/b': { items: { anyOf: [true, {}] } } }, $defs: { c: {} } };
  expect([...walk(schema, '#')].map(({ pointer }) => pointer)).toEqual([
    '#',
    '#/properties/a~1b',
    '#/properties/a~1b/items',
    '#/properties/a~1b/items/anyOf/1',
    '#/$defs/c',
  ]);
  expect([...walk(true)]).toEqual([]);
});

test('a walk enters a schema that contains itself once', () => {
  const schema: Record<string, unknown> = {};
  schema.items = schema;
  expect([...walk(schema)]).toHaveLength(1);
});

test('a copy has other subschemas, and the same data', () => {
  const mark = (inner: unknown, keyword: string, name?: string | number): unknown => [inner, keyword, name];
  const data = { const: { not: {} }, default: { items: {} }, required: ['a'], 'x-note': { not: {} } };
  const schema: SchemaObject = {
    ...data,
    items: {},
    oneOf: [true],
    properties: { a: {} },
    dependencies: { a: {} },
  };
  expect(mapSchema(schema, mark)).toEqual({
    ...data,
    items: [{}, 'items', undefined],
    oneOf: [[true, 'oneOf', 0]],
    properties: { a: [{}, 'properties', 'a'] },
    dependencies: { a: [{}, 'dependencies', 'a'] },
  });
});
