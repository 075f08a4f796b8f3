import { type JsonSchema, maxDepth, SchemaError, type SchemaObject } from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';
import { compile } from '../src/compile.ts';
import { askOracle } from './oracle.ts';

/** The error of a schema that does not compile. */
function refusal(schema: JsonSchema, refs: Record<string, JsonSchema> = {}): SchemaError {
  try {
    compile(schema, { refs });
  } catch (error) {
    if (error instanceof SchemaError) return error;
  }
  throw new Error('the schema was not refused');
}

const wrong: SchemaObject = {
  type: 'nope',
  $id: 5,
  $schema: 5,
  $ref: 5,
  $comment: 5,
  title: 5,
  description: 5,
  format: 5,
  pattern: '(',
  contentMediaType: 5,
  contentEncoding: 5,
  readOnly: 'yes',
  uniqueItems: 'yes',
  maximum: '5',
  exclusiveMinimum: true,
  multipleOf: 0,
  maxLength: 1.5,
  minItems: -1,
  maxProperties: '5',
  required: true,
  enum: [],
  examples: 'x',
  items: [],
  additionalItems: 5,
  contains: 5,
  propertyNames: 5,
  properties: [],
  additionalProperties: 'no',
  definitions: 5,
  dependencies: 5,
  allOf: [],
  anyOf: 'x',
  oneOf: {},
  not: 5,
  if: 5,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: null,
  else: 5,
};

describe('a keyword with an invalid value', () => {
  for (const [keyword, value] of Object.entries(wrong)) {
    test(`${keyword} is rejected with its path, and also by the oracle`, () => {
      // Nothing is ever written from the schema under `not`.
      const schema = { type: 'object', properties: { a: { type: 'string', not: { [keyword]: value } } } };
      expect(refusal(schema).schemaPath).toBe(`/properties/a/not/${keyword}`);
      expect(askOracle(schema, { a: 'x' })).toBeUndefined();
    });
  }

  for (const [schema, place] of [
    [{ type: ['string', 'string'] }, '/type'],
    [{ type: [] }, '/type'],
    [{ required: ['a', 'a'] }, '/required'],
    [{ required: [5] }, '/required'],
    [{ properties: { a: null } }, '/properties/a'],
    [{ properties: { a: undefined } }, '/properties/a'],
    [{ patternProperties: { '(': true } }, '/patternProperties/('],
    [{ definitions: { unused: { type: 'nope' } } }, '/definitions/unused/type'],
    [{ dependencies: { a: ['b', 'b'] } }, '/dependencies/a'],
    [{ dependencies: { a: { type: 'nope' } } }, '/dependencies/a/type'],
    [{ anyOf: [true, { 'a/b': 1, items: [true, { minimum: '1' }] }] }, '/anyOf/1/items/1/minimum'],
  ] as const) {
    test(`${JSON.stringify(schema)} is rejected at ${place}, and also by the oracle`, () => {
      expect(refusal(schema as JsonSchema).schemaPath).toBe(place);
      expect(askOracle(schema as JsonSchema, {})).toBeUndefined();
    });
  }
});

test('the message says what the keyword must be, its value, and its path', () => {
  expect(refusal({ properties: { age: { minimum: '7' } } }).message).toBe(
    'minimum must be a number; got "7" (in the schema, at /properties/age/minimum)',
  );
});

test('nullable must be a boolean', () => {
  expect(refusal({ type: 'string', nullable: 'true' }).schemaPath).toBe('/nullable');
});

test('the message shortens a long value, and describes a value without JSON text', () => {
  expect(refusal({ title: 7n as never }).message).toContain('got 7 (');
  expect(refusal({ examples: 'x'.repeat(500) }).message.length).toBeLessThan(200);
});

test('unknown keywords may have any value, and a keyword that is undefined is ignored', () => {
  const schema = { type: 'string', 'x-own': 5, $defs: 5, default: {}, title: undefined };
  expect(compile(schema)('x')).toBe('"x"');
});

test('a schema that was changed since it was compiled is checked again', () => {
  const own = { type: 'object', properties: { name: { type: 'string' } as object } };
  compile(own);
  own.properties.name = { type: 'strong' };
  expect(() => compile(own)).toThrow('/properties/name');
  own.properties.name = { $ref: '#/nowhere' };
  expect(() => compile(own)).toThrow('/properties/name');

  const root = { $ref: 'own#' };
  own.properties.name = { type: 'string' };
  compile(root, { refs: { own } });
  own.properties.name = { type: 'strong' };
  expect(() => compile(root, { refs: { own } })).toThrow('own#/properties/name');
});

test('a shared schema is checked even if nothing refers to it, and the error names it', () => {
  const refs = { user: { $id: 'user', properties: { name: { type: 'nope' } } } };
  expect(refusal({ type: 'string' }, refs).schemaPath).toBe('user#/properties/name/type');
});

test('the check of a schema that contains itself ends', () => {
  const tree: Record<string, unknown> = { type: 'object', properties: { name: { type: 'string' } } };
  (tree.properties as Record<string, unknown>).child = tree;
  expect(compile(tree)({ name: 'a', child: { name: 'b', more: 1 } })).toBe(
    '{"name":"a","child":{"name":"b"}}',
  );
});

describe('the depth of schemas', () => {
  type Wrap = (inner: JsonSchema) => SchemaObject;
  const nest = (wrap: Wrap, levels: number) => {
    let schema: JsonSchema = { type: 'string' };
    for (let level = 1; level < levels; level++) schema = wrap(schema);
    return schema;
  };
  const wraps: Record<string, Wrap> = {
    properties: (inner) => ({ type: 'object', properties: { a: inner } }),
    items: (inner) => ({ type: 'array', items: inner }),
    allOf: (inner) => ({ allOf: [inner] }),
    anyOf: (inner) => ({ anyOf: [inner, { type: 'number' }] }),
  };
  for (const [name, wrap] of Object.entries(wraps)) {
    test(`${maxDepth} levels of ${name} compile, also to source; one more level is rejected`, () => {
      expect(() => compile(nest(wrap, maxDepth), { generate: 'now' })).not.toThrow();
      expect(refusal(nest(wrap, maxDepth + 1)).message).toContain(`more than ${maxDepth} levels`);
    });
  }

  test('references count as levels', () => {
    const chain = (length: number, link: (next: string) => JsonSchema) => {
      const definitions: Record<string, JsonSchema> = { [`d${length}`]: { type: 'string' } };
      for (let index = 1; index < length; index++) {
        definitions[`d${index}`] = link(`#/definitions/d${index + 1}`);
      }
      return { $ref: '#/definitions/d1', definitions };
    };
    const property = ($ref: string) => ({ type: 'object', properties: { a: { $ref } } });
    expect(() => compile(chain(maxDepth, property), { generate: 'now' })).not.toThrow();
    expect(refusal(chain(maxDepth + 1, property)).message).toContain('levels');
    expect(refusal(chain(maxDepth + 1, ($ref) => ({ $ref }))).message).toContain('levels');
  });

  test('types that refer to one another count as one level each, however often they refer', () => {
    const names = Array.from({ length: 100 }, (_, index) => `type${index}`);
    const refer = (name: string) => ({ $ref: `#/definitions/${name}`, description: `a ${name}` });
    // Each of its own, as in a document that was read.
    const properties = () => Object.fromEntries(names.map((name) => [name, refer(name)]));
    const definitions = Object.fromEntries(
      names.map((name) => [name, { type: 'object', properties: properties() }]),
    );
    const write = compile({ $ref: '#/definitions/type0', definitions }, { generate: 'now' });
    expect(write({ type3: { type99: { type3: {} }, other: 1 } })).toBe('{"type3":{"type99":{"type3":{}}}}');
  });
});
