import type { JsonSchema } from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';
import { compile } from '../src/compile.ts';

const string = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const under = (keyword: string, schema: JsonSchema) => ({ [keyword]: schema });
const fault = (place: string, message: string): Error =>
  expect.objectContaining({
    name: 'SchemaError',
    schemaPath: place,
    message: expect.stringContaining(message),
  });

describe('a reference without a target is rejected', () => {
  for (const $ref of ['none#', '#/definitions/none', '#none', 'shared#none']) {
    for (const [place, schema] of [
      ['/definitions/x', object({}, { definitions: { x: { $ref } } })],
      ['/not', { ...string, not: { $ref } }],
      ['/contains', { type: 'array', contains: { $ref } }],
      ['/propertyNames', object({}, { propertyNames: { $ref } })],
      ['/additionalItems', { type: 'array', additionalItems: { $ref } }],
      ['/then', { ...string, ...under('then', { $ref }) }],
      ['/properties/a', { ...string, properties: { a: { $ref } } }],
      ['/dependencies/a', object({}, { dependencies: { a: { $ref } } })],
      ['/items/1/allOf/0', { ...string, items: [{}, { allOf: [{ $ref }] }] }],
    ] as const) {
      test(`${$ref} at ${place}`, () => {
        expect(() => compile(schema, { refs: { shared: string } })).toThrow(
          fault(`${place}/$ref`, `Cannot find reference "${$ref}"`),
        );
      });
    }
  }

  test('in a shared schema to which something refers, even in parts that write nothing', () => {
    const refs = { user: object({ name: string }, { definitions: { x: { $ref: 'none#' } } }) };
    expect(() => compile({ $ref: 'user#' }, { refs })).toThrow(fault('user#/definitions/x/$ref', 'none#'));
  });

  test('but not in a shared schema to which nothing refers, because other schemas may use it', () => {
    const refs = { user: object({ name: string }, { definitions: { x: { $ref: 'none#' } } }) };
    expect(compile(string, { refs })('x')).toBe('"x"');
    expect(compile({ $ref: 'user#/properties/name' }, { refs })('x')).toBe('"x"');
  });
});

describe('a schema that refers to itself without a value in between is rejected', () => {
  const self = { $ref: '#' };
  const cases: Record<string, JsonSchema> = {
    anyOf: { anyOf: [self, string] },
    oneOf: { oneOf: [string, self] },
    allOf: { allOf: [self, string] },
    if: { if: self, ...under('then', string) },
    thenItself: { if: string, ...under('then', self) },
    else: { if: string, else: self },
    not: { ...string, not: self },
    dependencies: object({}, { dependencies: { a: self } }),
  };
  for (const [name, schema] of Object.entries(cases)) {
    test(name, () => {
      expect(() => compile(schema)).toThrow(
        fault('', 'a schema refers to itself without a value in between'),
      );
    });
  }

  test('through another schema, also a shared one', () => {
    const refs = { a: { anyOf: [string, { $ref: 'b#' }] }, b: { oneOf: [{ $ref: 'a#' }, string] } };
    expect(() => compile(object({ x: { $ref: 'a#' } }), { refs })).toThrow(fault('a#', 'refers to itself'));
  });

  test('as an object that contains itself', () => {
    const schema: { anyOf: unknown[] } = { anyOf: [string] };
    schema.anyOf.push(schema);
    expect(() => compile({ ...schema })).toThrow('refers to itself');
  });

  test('with a value in between, it describes a tree', () => {
    const schema = { anyOf: [string, { type: 'array', items: self }] };
    expect(compile(schema)(['a', ['b']])).toBe('["a",["b"]]');
  });
});
