import type { JsonSchema } from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';
import { compile } from '../src/compile.ts';
import { askOracle } from './oracle.ts';

const shared: JsonSchema = {
  $id: 'shared',
  type: 'object',
  properties: { z: { type: 'string' }, self: { $ref: '#' }, other: { $ref: '#named' } },
  definitions: { inner: { type: 'integer' }, named: { $id: '#named', type: 'boolean' } },
};

describe('every form of reference', () => {
  for (const [reference, value, text] of [
    ['#local', 4.5, '4'],
    ['#/definitions/local', 4.5, '4'],
    ['#/properties/first', 1, '"1"'],
    ['shared#', { z: 1, self: { z: 2 }, other: 0 }, '{"z":"1","self":{"z":"2"},"other":false}'],
    ['shared', { z: 1 }, '{"z":"1"}'],
    ['shared#/definitions/inner', '7', '7'],
    ['shared#named', 1, 'true'],
    ['shared#/properties/z', 1, '"1"'],
  ] as const) {
    test(`${reference} is resolved`, () => {
      const schema = {
        type: 'object',
        properties: {
          first: { type: 'string' },
          a: { $ref: reference },
          list: { type: 'array', items: { $ref: reference } },
        },
        definitions: { local: { $id: '#local', type: 'integer' } },
      };
      const input = { a: value, list: [value] };
      expect(compile(schema, { refs: { shared } })(input)).toBe(`{"a":${text},"list":[${text}]}`);
      expect(askOracle(schema, input, { shared })).toBe(`{"a":${text},"list":[${text}]}`);
    });
  }
});

test('a root may be a reference', () => {
  expect(compile({ $ref: 'shared#' }, { refs: { shared } })({ z: 1 })).toBe('{"z":"1"}');
});

test('keywords next to a reference apply too', () => {
  const schema = { type: 'object', properties: { a: { $ref: 'shared#', nullable: true } } };
  expect(compile(schema, { refs: { shared } })({ a: null })).toBe('{"a":null}');
});

for (const [beside, text] of [
  [{ type: 'integer' }, '"7"'],
  [{ type: ['integer', 'null'] }, '"7"'],
  [{ enum: ['y'], nullable: true }, '"7"'],
  [{ type: ['string', 'null'], enum: ['x'] }, '"7"'],
  [{ format: 'date' }, '"7"'],
] as const) {
  test(`${JSON.stringify(beside)} next to a reference is ignored if it contradicts the target`, () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/a', ...beside } },
      definitions: { a: { type: 'string', enum: ['x'], format: 'time' } },
    };
    const written = compile(schema)({ a: '7' });
    expect(written).toBe(`{"a":${text}}`);
    expect(written).toBe(askOracle(schema, { a: '7' }));
  });
}

test('a constant next to a reference is ignored if the target has a constant', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/definitions/a', const: 5 } },
    definitions: { a: { const: 'k' } },
  };
  expect(compile(schema)({ a: 7 })).toBe('{"a":"k"}');
  expect(askOracle(schema, { a: 7 })).toBe('{"a":"k"}');
});

test('a default next to a reference is ignored if the target has a default', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { $ref: '#/definitions/a', default: 'own' },
      b: { $ref: '#/definitions/b', default: 'own' },
    },
    definitions: { a: { type: 'string', default: 'theirs' }, b: { type: 'string' } },
  };
  expect(compile(schema)({})).toBe('{"a":"theirs","b":"own"}');
  expect(compile(schema)({})).toBe(askOracle(schema, {}));
});

test('two different schemas with one name are rejected; equal ones count as one', () => {
  const named = (type: string) => ({ $id: '#name', type });
  const schema = (first: string, second: string) => ({
    $ref: '#name',
    definitions: { a: named(first), b: named(second) },
  });
  expect(compile(schema('integer', 'integer'))('7')).toBe('7');
  expect(() => compile(schema('integer', 'string'))).toThrow('two schemas have the name "#name"');
  expect(() => compile({ $ref: 'doc#name' }, { refs: { doc: schema('integer', 'string') } })).toThrow(
    expect.objectContaining({ schemaPath: 'doc#' }) as Error,
  );
});

test('a schema may be found by an $id inside a document, by key, or relative to the $id of its document', () => {
  const refs = {
    key: { $id: 'https://example.com/a.json', definitions: { deep: { $id: 'deep', type: 'string' } } },
  };
  expect(compile({ $ref: 'key#/definitions/deep' }, { refs })(1)).toBe('"1"');
  expect(compile({ $ref: 'deep#' }, { refs })(1)).toBe('"1"');
  expect(compile({ $id: 'https://example.com/b.json', $ref: 'a.json#/definitions/deep' }, { refs })(1)).toBe(
    '"1"',
  );
});

test('a pointer may contain escaped and percent-encoded segments', () => {
  const definitions = { 'a/b': { type: 'string' }, 'c d': { type: 'string' }, 'e%20f': { type: 'string' } };
  for (const segment of ['a~1b', 'c%20d', 'c d', 'e%20f']) {
    expect(compile({ $ref: `#/definitions/${segment}`, definitions })(1)).toBe('"1"');
  }
});

test('the same $id as a shared schema means the schema itself', () => {
  expect(compile(shared, { refs: { shared } })({ z: 1, self: { z: 2 } })).toBe('{"z":"1","self":{"z":"2"}}');
});

test('recursive schemas write recursive values', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
  };
  const value = { name: 'a', kids: [{ name: 'b', kids: [{ name: 'c' }], more: 1 }] };
  expect(compile(tree)(value)).toBe('{"name":"a","kids":[{"name":"b","kids":[{"name":"c"}]}]}');
});

for (const [schema, place] of [
  [{ type: 'object', properties: { a: { $ref: '#/definitions/none' } } }, '/properties/a/$ref'],
  [{ type: 'object', properties: { a: { $ref: 'none#' } } }, '/properties/a/$ref'],
  [{ type: 'object', properties: { 'a/b': { type: 'strin' } } }, '/properties/a~1b/type'],
  [{ type: 'object', properties: 5 }, '/properties'],
  [{ type: 'object', required: 'a' }, '/required'],
  [{ type: 'object', patternProperties: { '(': {} } }, '/patternProperties/('],
  [{ type: 'array', items: 5 }, '/items'],
  [{ type: 'array', items: [{}, { type: 'no' }] }, '/items/1/type'],
  [{ anyOf: [] }, '/anyOf'],
  [{ anyOf: [{ pattern: '(' }, {}] }, '/anyOf/0/pattern'],
  [{ allOf: [{ type: 'string' }, { type: 'number' }] }, '/type'],
  [{ allOf: [{ const: 'a' }, { const: 'b' }] }, '/const'],
  [{ $ref: '#' }, ''],
] as const) {
  test(`the schema ${JSON.stringify(schema)} is rejected at ${place}`, () => {
    expect(() => compile(schema)).toThrow(
      expect.objectContaining({ name: 'SchemaError', schemaPath: place }),
    );
  });
}

for (const keyword of ['default', 'const', 'enum', 'examples', 'properties']) {
  test(`a property named ${keyword} may have a schema with a name`, () => {
    const schema = {
      type: 'object',
      properties: { [keyword]: { $id: '#named', type: 'integer' }, other: { $ref: '#named' } },
    };
    expect(compile(schema)({ [keyword]: '1', other: '2' })).toBe(`{"${keyword}":1,"other":2}`);
  });
}

test('an `$id` outside of schemas is ignored', () => {
  const schema = { type: 'object', properties: { a: { $ref: '#named' } }, default: { a: { $id: '#named' } } };
  expect(() => compile(schema)).toThrow('Cannot find reference "#named"');
});

test('each schema with an $id has its own names', () => {
  const part = ($id: string, type: string) => ({ $id, definitions: { x: { $id: '#x', type } } });
  const schema = {
    type: 'object',
    properties: { a: { $ref: 'one#x' }, b: { $ref: 'two#x' }, c: { $ref: '#x' } },
    definitions: {
      one: part('one', 'string'),
      two: part('two', 'integer'),
      x: { $id: '#x', type: 'boolean' },
    },
  };
  expect(compile(schema)({ a: 1, b: '2', c: 3 })).toBe('{"a":"1","b":2,"c":true}');
  expect(askOracle(schema, { a: 1, b: '2', c: 3 })).toBe('{"a":"1","b":2,"c":true}');
});

test('two shared schemas must not have the same key or $id', () => {
  const integer = { $id: 'c', type: 'integer' };
  const compileWith = (refs: Record<string, JsonSchema>) => () => compile({ $ref: 'b#' }, { refs });
  const string = { $id: 'b', type: 'string' };
  for (const refs of [
    { a: string, b: integer },
    { b: integer, a: string },
    { a: string, c: { ...integer, $id: 'b' } },
  ]) {
    expect(compileWith(refs)).toThrow('two schemas have the name "b" (in the schema, at b#)');
  }
  expect(compileWith({ a: string, b: { ...string } })()(1)).toBe('"1"');
});

test('an inner $id is relative to the outer one', () => {
  const schema = {
    $id: 'https://example.com/dir/root.json',
    type: 'object',
    properties: {
      whole: { $ref: 'https://example.com/dir/a.json' },
      relative: { $ref: 'a.json' },
      deep: { $ref: 'https://example.com/dir/sub/b.json#name' },
    },
    definitions: {
      a: {
        $id: 'a.json',
        type: 'integer',
        definitions: { b: { $id: 'sub/b.json', definitions: { c: { $id: '#name', type: 'boolean' } } } },
      },
    },
  };
  expect(compile(schema)({ whole: '1', relative: '2', deep: 3 })).toBe(
    '{"whole":1,"relative":2,"deep":true}',
  );
});
