/** What is written for keywords that only 2020-12 has, and how a schema selects its dialect. */
import type { JsonSchema, SchemaObject } from '@ambit/json-schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pair } from '../test/arbitraries.ts';
import { fromSource } from '../test/from-source.ts';
import { compile } from './compile.ts';
import type { Serializer } from './serializer.ts';

const later = 'https://json-schema.org/draft/2020-12/schema';
const string = { type: 'string' };
const integer = { type: 'integer' };
const dialect = '2020-12';

describe('the dialect of a schema', () => {
  const pairOf = { type: 'array', prefixItems: [integer], items: string };

  test('is draft 7, which ignores `prefixItems`', () => {
    expect(compile(pairOf)([1.5, 2])).toBe('["1.5","2"]');
  });

  test('comes from `$schema`, with and without `#`', () => {
    for (const $schema of [later, `${later}#`])
      expect(compile({ $schema, ...pairOf })([1, 2])).toBe('[1,"2"]');
  });

  test('comes from the option if there is no `$schema`', () => {
    expect(compile(pairOf, { dialect })([1, 2])).toBe('[1,"2"]');
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...pairOf };
    expect(compile(draft7, { dialect })([1.5, 2])).toBe('["1.5","2"]');
  });

  test('is separate for each schema of `refs`, and for an inner schema with `$id` and `$schema`', () => {
    const tuple = { type: 'array', items: [integer, string], additionalItems: false };
    const old = { $id: 'old', $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
    const of = (more: object): JsonSchema => ({
      type: 'object',
      properties: { a: { $ref: 'old' }, b: pairOf },
      ...more,
    });
    const value = { a: [1, 'x'], b: [1, 2] };
    expect(compile(of({}), { dialect, refs: { old } })(value)).toBe('{"a":[1,"x"],"b":[1,"2"]}');
    expect(compile(of({ $defs: { old } }), { dialect })(value)).toBe('{"a":[1,"x"],"b":[1,"2"]}');
  });

  test('shared schemas are checked in the dialect of each compilation', () => {
    const refs = { list: { type: 'array', items: [string] } };
    expect(compile({ $ref: 'list#' }, { refs })(['x'])).toBe('["x"]');
    expect(() => compile({ $ref: 'list#' }, { refs, dialect })).toThrow('at list#/items');
    expect(compile({ $ref: 'list#' }, { refs })(['x'])).toBe('["x"]');
  });

  test('must be a known one', () => {
    expect(() => compile(string, { dialect: '2019-09' as never })).toThrow(
      new TypeError('dialect must be one of draft-07, 2020-12; got "2019-09"'),
    );
  });

  for (const [keyword, value, place] of [
    ['items', [string], '/items'],
    ['prefixItems', [], '/prefixItems'],
    ['prefixItems', [5], '/prefixItems/0'],
    ['dependentRequired', { a: ['b', 'b'] }, '/dependentRequired'],
    ['dependentSchemas', { a: ['b'] }, '/dependentSchemas/a'],
    ['minContains', -1, '/minContains'],
    ['unevaluatedProperties', 'no', '/unevaluatedProperties'],
    ['$defs', { a: { type: 'strng' } }, '/$defs/a/type'],
    ['$dynamicRef', '#none', '/$dynamicRef'],
  ] as const) {
    test(`${keyword} ${JSON.stringify(value)} is rejected at ${place}, and ignored in draft 7`, () => {
      expect(() => compile({ [keyword]: value }, { dialect })).toThrow(`at ${place})`);
      const inDraft7: JsonSchema = keyword === 'items' ? true : { [keyword]: value };
      expect(compile(inDraft7)(5)).toBe('5');
    });
  }
});

for (const make of [compile, fromSource]) {
  const write = (schema: JsonSchema, value: unknown): string => make(schema, { dialect })(value);

  describe(`in 2020-12: ${make.name}`, () => {
    test('items after a tuple are written by `items`, or unchanged; with `false` they are an error', () => {
      const tuple = { type: 'array', prefixItems: [string] };
      expect(write(tuple, ['a', { b: 1 }])).toBe('["a",{"b":1}]');
      expect(write({ ...tuple, items: integer }, ['a', '5'])).toBe('["a",5]');
      expect(() => write({ ...tuple, items: false }, ['a', 1])).toThrow('Item at 1 does not match');
      expect(write({ ...tuple, items: false }, ['a'])).toBe('["a"]');
    });

    test('a schema without a type applies its keywords to objects and lists, and writes other values unchanged', () => {
      const schema = { properties: { a: string }, items: integer, maxLength: 2 };
      for (const [value, text] of [
        [{ a: 1, b: 2 }, '{"a":"1"}'],
        [['5'], '[5]'],
        [100, '100'],
        [null, 'null'],
        ['x', '"x"'],
        [false, 'false'],
      ])
        expect(write(schema, value)).toBe(text);
      expect(write({ required: ['a'] }, { a: 1, b: 2 })).toBe('{"a":1,"b":2}');
    });

    test('keywords next to a `$ref` count, even if they contradict the target', () => {
      const schema = { $defs: { n: { type: ['string', 'integer'] } }, $ref: '#/$defs/n', type: 'integer' };
      expect(write(schema, '5')).toBe('5');
      const both = { $defs: { a: { const: 1 } }, $ref: '#/$defs/a', const: 2 };
      expect(() => write(both, 1)).toThrow('differ in their const');
    });

    test('`unevaluatedProperties` writes undeclared properties by its schema, or drops them', () => {
      const of = (unevaluatedProperties: JsonSchema): JsonSchema => ({
        type: 'object',
        properties: { a: string },
        allOf: [{ properties: { b: integer } }],
        unevaluatedProperties,
      });
      const value = { a: 1, b: '2', c: '3' };
      expect(write(of(false), value)).toBe('{"a":"1","b":2}');
      expect(write(of(true), value)).toBe('{"a":"1","b":2,"c":"3"}');
      expect(write(of(integer), value)).toBe('{"a":"1","b":2,"c":3}');
      expect(write({ ...(of(true) as SchemaObject), additionalProperties: false }, value)).toBe(
        '{"a":"1","b":2}',
      );
    });

    test('`dependentSchemas` declares properties for objects that have the property with its name', () => {
      const schema = {
        type: 'object',
        properties: { card: string },
        dependentSchemas: { card: { properties: { address: string } } },
      };
      expect(write(schema, { card: 1, address: 2 })).toBe('{"card":"1","address":"2"}');
      expect(write(schema, { address: 2 })).toBe('{}');
    });

    test('`$anchor` and `$dynamicAnchor` name schemas; the outermost `$dynamicAnchor` counts', () => {
      const tree = {
        $id: 'tree',
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { name: string, children: { type: 'array', items: { $dynamicRef: '#node' } } },
      };
      const value = { name: 'a', size: '1', children: [{ name: 'b', size: '2' }] };
      const sized = { $id: 'sized', $dynamicAnchor: 'node', $ref: 'tree', properties: { size: integer } };
      const refs = { tree };
      expect(make(sized, { dialect, refs })(value)).toBe(
        '{"name":"a","children":[{"name":"b","size":2}],"size":1}',
      );
      expect(make({ $ref: 'tree' }, { dialect, refs })(value)).toBe('{"name":"a","children":[{"name":"b"}]}');
      expect(write({ $ref: '#n', $defs: { n: { $anchor: 'n', type: 'integer' } } }, '5')).toBe('5');
    });

    test('branches are chosen by the keywords of 2020-12', () => {
      const object = (more: object, declared: string): SchemaObject => ({
        type: 'object',
        properties: { [declared]: {} },
        ...more,
      });
      const choose = (more: object): string =>
        write({ anyOf: [object(more, 'yes'), object({}, 'no')] }, { yes: 1, no: 2, list: [1, 'a', 2] });
      const list = (more: object): object => ({ properties: { yes: {}, list: more } });
      expect(choose({ dependentRequired: { list: ['gone'] } })).toBe('{"no":2}');
      expect(choose({ dependentRequired: { gone: ['list'] } })).toBe('{"yes":1}');
      expect(choose({ dependentSchemas: { list: { required: ['gone'] } } })).toBe('{"no":2}');
      expect(choose(list({ prefixItems: [integer, integer] }))).toBe('{"no":2}');
      expect(choose(list({ prefixItems: [integer, string], items: string }))).toBe('{"no":2}');
      expect(choose(list({ prefixItems: [integer, string], items: integer }))).toBe(
        '{"yes":1,"list":[1,"a",2]}',
      );
      expect(choose(list({ contains: integer, minContains: 3 }))).toBe('{"no":2}');
      expect(choose(list({ contains: integer, maxContains: 1 }))).toBe('{"no":2}');
      expect(choose(list({ contains: { type: 'null' }, minContains: 0 }))).toBe('{"yes":1,"list":[1,"a",2]}');
    });
  });
}

/** The same schema with the keywords of 2020-12. All schemas of the tests declare their type, or nothing about the content of a value. */
function inLaterWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inLaterWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { items, additionalItems, ...rest } = schema as SchemaObject;
  const out = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, inLaterWords(inner)]));
  if (!Array.isArray(items)) return items === undefined ? out : { ...out, items: inLaterWords(items) };
  return { ...out, prefixItems: inLaterWords(items), items: inLaterWords(additionalItems ?? false) };
}

function outcome(write: Serializer, input: unknown): string {
  try {
    return write(input);
  } catch (error) {
    // Error messages contain the names of keywords, which differ.
    return (error as Error).message.replace(/prefixItems|additionalItems/g, 'items');
  }
}

test('the same schema in both dialects writes the same text', () => {
  fc.assert(
    fc.property(pair, ([of, input]) => {
      const expected = outcome(compile(of), input);
      expect(outcome(compile(inLaterWords(of) as JsonSchema, { dialect }), input)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});
