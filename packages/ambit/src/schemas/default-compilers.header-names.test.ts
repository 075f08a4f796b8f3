import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainObject } from '../shared/values.ts';
import { lowerCaseHeaderNames } from './default-compilers.ts';

test('plain objects are literals and objects without a prototype', () => {
  expect([{}, Object.create(null)].map(isPlainObject)).toEqual([true, true]);
  expect([[], new Date(), null, 'x', 1, () => {}, Object.create({})].map(isPlainObject)).toEqual(
    Array(7).fill(false),
  );
});

describe('header names in a schema', () => {
  const upper = fc.string({ unit: fc.constantFrom(...'ABCxyz-'), minLength: 1, maxLength: 6 });
  const headerSchema = fc
    .uniqueArray(upper, { selector: (name) => name.toLowerCase(), maxLength: 4 })
    .map((names) => ({
      type: 'object',
      required: names,
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'string', enum: ['RouteThunk', 'AS-IS'] }]),
      ),
      dependencies: Object.fromEntries(names.map((name) => [name, names])),
    }));

  test('are lowered wherever names stand, values never', () => {
    fc.assert(
      fc.property(headerSchema, (schema) => {
        const lowered = lowerCaseHeaderNames(schema) as typeof schema;
        const names = schema.required.map((name) => name.toLowerCase());
        expect(lowered.required).toEqual(names);
        expect(Object.keys(lowered.properties)).toEqual(names);
        expect(Object.keys(lowered.dependencies)).toEqual(names);
        expect(
          Object.values(lowered.properties).every(({ enum: values }) => values.join() === 'RouteThunk,AS-IS'),
        ).toBe(true);
      }),
    );
  });

  test('are lowered once: doing it again changes nothing, and the schema given is never touched', () => {
    fc.assert(
      fc.property(headerSchema, (schema) => {
        const before = JSON.stringify(schema);
        const lowered = lowerCaseHeaderNames(schema);
        expect(lowerCaseHeaderNames(lowered)).toEqual(lowered);
        expect(JSON.stringify(schema)).toBe(before);
      }),
    );
  });

  test('are lowered inside of compositions and patterns, but not in definitions’ names or values', () => {
    const schema = {
      allOf: [{ required: ['X-A'] }, { if: { required: ['X-B'] }, else: false }],
      definitions: { RouteThunk: { required: ['X-C'] } },
      patternProperties: { '^X-': { const: 'RouteThunk' } },
      propertyNames: { enum: ['X-D'] },
      properties: { 'X-E': { const: 'RouteThunk', default: 'RouteThunk', $ref: '#/definitions/RouteThunk' } },
    };
    expect(lowerCaseHeaderNames(schema)).toEqual({
      allOf: [{ required: ['x-a'] }, { if: { required: ['x-b'] }, else: false }],
      definitions: { RouteThunk: { required: ['x-c'] } },
      patternProperties: { '^x-': { const: 'RouteThunk' } },
      propertyNames: { enum: ['x-d'] },
      properties: { 'x-e': { const: 'RouteThunk', default: 'RouteThunk', $ref: '#/definitions/RouteThunk' } },
    });
  });
});

test('what is said of one header under two spellings all holds', () => {
  const schema = {
    properties: { 'X-A': { minLength: 2 }, 'x-a': { maxLength: 3 }, 'X-a': true, 'X-B': false },
    dependencies: {
      'X-A': ['X-C', 'X-D'],
      'x-a': ['x-c', 'X-E'],
      'X-B': ['X-A'],
      'x-b': { minProperties: 1 },
    },
  };
  expect(lowerCaseHeaderNames(schema)).toEqual({
    properties: { 'x-a': { allOf: [{ allOf: [{ minLength: 2 }, { maxLength: 3 }] }, true] }, 'x-b': false },
    dependencies: {
      'x-a': ['x-c', 'x-d', 'x-e'],
      'x-b': { allOf: [{ required: ['x-a'] }, { minProperties: 1 }] },
    },
  });
});
