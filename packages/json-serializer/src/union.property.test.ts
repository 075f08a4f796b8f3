// A value that is valid is written as itself, whichever types and branches its schema lists. Ajv decides whether it is valid, and which
// branch of a union is the first to match.
import type { JsonSchema, SchemaObject } from '@ambit/json-schema';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromSource } from '../test/from-source.ts';
import { compile } from './compile.ts';

const ajv = new Ajv({ strict: false });

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>('', 'text', 0, 1, 1.5, true, false, null, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'kind'), tie('value'), { maxKeys: 3 }),
  ),
}));

// Undeclared properties are dropped, so every schema for objects allows them.
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');
const open = { additionalProperties: true };
const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    types.map((type) => ({ type, ...open })),
    fc.uniqueArray(types, { minLength: 1, maxLength: 5 }).map((type) => ({ type, ...open })),
    fc
      .record({ type: fc.constantFrom('string', 'array', 'object'), nullable: fc.boolean() })
      .map((keywords) => ({ ...keywords, ...open })),
    fc.constantFrom<SchemaObject>({ enum: [['a'], 'a', null] }, {}),
    fc
      .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
      .map(([name, branches]) => ({ [name]: branches })),
    fc.constantFrom<SchemaObject>({ const: 'text' }, { const: 0 }, { enum: ['text', 1] }),
    fc.array(tie('schema'), { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf })),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map(([condition, then, other]) => ({ if: condition, then, else: other })),
    fc
      .tuple(tie('schema'), fc.uniqueArray(types, { minLength: 1, maxLength: 4 }))
      .map(([items, type]) => ({ type, items, ...open })),
    fc
      .tuple(tie('schema'), fc.uniqueArray(types, { minLength: 1, maxLength: 4 }))
      .map(([a, type]) => ({ type, properties: { a }, ...open })),
  ),
}));

function sameJson(of: JsonSchema, input: unknown): void {
  fc.pre(ajv.validate(of, input) === true);
  expect(JSON.parse(compile(of)(input))).toEqual(input);
  expect(JSON.parse(fromSource(of)(input))).toEqual(input);
}

test('a valid value is written as itself', () => {
  fc.assert(fc.property(schema, value, sameJson), { numRuns: 2_000 });
});

describe.each([
  ['two types', (types: string[]) => ({ type: types })],
  ['anyOf', (types: string[]) => ({ anyOf: types.map((type) => ({ type })) })],
  ['oneOf', (types: string[]) => ({ oneOf: types.map((type) => ({ type })) })],
  ['anyOf inside a list', (types: string[]) => ({ anyOf: [{ type: types }, { type: 'boolean' }] })],
  [
    'the items of a list',
    (types: string[]) => ({ anyOf: [{ type: 'array', items: { type: types } }, { type: types }] }),
  ],
])('%s', (_what, make) => {
  test.each([
    [['string', 'array']],
    [['array', 'string']],
    [['null', 'string', 'array']],
    [['boolean', 'number', 'string', 'array', 'null']],
  ])('%j: an array is written as an array', (types) => {
    const input = ['@babel/env', { targets: ['x'] }];
    const wrap = { type: 'object', properties: { value: make(types) } };
    expect(compile(make(types))(input)).toBe(JSON.stringify(input));
    expect(compile(wrap)({ value: input })).toBe(JSON.stringify({ value: input }));
    expect(compile({ type: 'array', items: make(types) })([input, 'a'])).toBe(JSON.stringify([input, 'a']));
  });
});

test('keywords for strings do not turn an array or object into text', () => {
  for (const of of [{ maxLength: 9 }, { anyOf: [{ pattern: '^a' }, { type: 'string' }] }] as JsonSchema[]) {
    expect(compile(of)(['ab', { a: 1 }])).toBe('["ab",{"a":1}]');
    expect(compile(of)({ a: [1] })).toBe('{"a":[1]}');
    expect(compile(of)('ab')).toBe('"ab"');
  }
  expect(compile({ minimum: 0 })([5])).toBe('[5]');
});

test('an array is not written as text where the list of types has no array', () => {
  expect(() => compile({ type: ['string', 'null'] })(['a'])).toThrow('does not match schema definition');
  expect(() => compile({ type: ['number', 'string'] })([{ a: 1 }])).toThrow(
    'does not match schema definition',
  );
});
