/** What is said to compile does compile, and without a warning; what is wrong with a schema is never put off. */
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SharedSchemas } from '../contract/compiler.ts';
import { areSoundShared, isSoundSchema } from './sound-schema.ts';

const addFormats = addFormatsModule.default;

/** What the engine of the framework says of a schema: errors and warnings. */
function complaintsOf(schema: unknown, shared: SharedSchemas = {}): string[] {
  const complaints: string[] = [];
  const note = (...words: unknown[]): void => void complaints.push(words.join(' '));
  const ajv = new Ajv({
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    addUsedSchema: false,
    allErrors: false,
    logger: { log: note, warn: note, error: note },
  });
  addFormats(ajv);
  try {
    for (const other of Object.values(shared)) ajv.addSchema(other);
    ajv.compile(schema as object);
  } catch (error) {
    note((error as Error).message);
  }
  return complaints;
}

/** Values that keywords may have, rightly or wrongly. */
const odd = fc.constantFrom<unknown>(null, -1, 1.5, '', 'x', [], {}, true, '[', ['a', 'a'], [1, 'a']);
const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'text');
const reference = fc.constantFrom(
  '#',
  '#/definitions/part',
  '#/definitions/none',
  'user#',
  'user',
  'none#',
  '#part',
);

/** Mostly a value of the right kind, at times an odd one. */
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary, weight: 40 }, { arbitrary: odd, weight: 1 });

const { schema: anySchema } = fc.letrec<{ schema: unknown; branches: unknown; named: unknown }>((tie) => ({
  named: fc.dictionary(fc.constantFrom('a', 'b', 'part', '__proto__'), tie('schema'), { maxKeys: 2 }),
  branches: fc.array(tie('schema'), { minLength: 0, maxLength: 2 }),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.record({ type: mostly(typeName) }),
    fc.record(
      {
        type: fc.constant('string'),
        minLength: mostly(fc.nat()),
        pattern: mostly(fc.constantFrom('^a', '\\d')),
        format: mostly(fc.constantFrom('email', 'date', 'float', 'made-up')),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('integer', 'number', ['number', 'null'], ['number', 'string']),
        minimum: mostly(fc.integer()),
        multipleOf: mostly(fc.nat()),
        enum: mostly(fc.array(fc.integer({ max: 9 }))),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ $ref: reference, description: mostly(fc.constant('text')) }, { requiredKeys: ['$ref'] }),
    fc.boolean(),
    fc.record(
      {
        type: fc.constant('object'),
        properties: mostly(tie('named')),
        patternProperties: mostly(fc.dictionary(fc.constantFrom('^a', '['), tie('schema'), { maxKeys: 1 })),
        additionalProperties: tie('schema'),
        required: mostly(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 })),
        nullable: mostly(fc.boolean()),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), maxItems: mostly(fc.nat()) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: tie('branches') }),
    fc.record({ type: mostly(typeName), oneOf: tie('branches') }),
    fc.record({ allOf: tie('branches'), not: tie('schema') }, { requiredKeys: [] }),
    fc.record({ type: fc.constant('string'), default: fc.constant('x') }),
    fc.record(
      { minimum: fc.integer(), nullable: fc.constant(true), made: fc.constant(1) },
      { requiredKeys: [] },
    ),
    fc.record({
      definitions: fc.record({ part: tie('schema') }),
      type: fc.constant('object'),
      properties: tie('named'),
    }),
    fc.record(
      {
        if: tie('schema'),
        $id: fc.constant('x'),
        $schema: fc.constant('http://json-schema.org/draft-07/schema#'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

test('a schema that counts as sound compiles without an error or a warning', () => {
  let sound = 0;
  fc.assert(
    fc.property(anySchema, anySchema, (schema, other) => {
      const rest = typeof other === 'object' ? other : {};
      const shared = { user: { ...rest, $id: 'user' } };
      if (!areSoundShared(shared) || !isSoundSchema(schema, shared)) return;
      sound++;
      expect(complaintsOf(schema, shared)).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
  expect(sound).toBeGreaterThan(200);
});

describe('the usual schemas are sound', () => {
  for (const schema of [
    { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string', default: 'x' } } },
    { type: 'object', required: ['a'], properties: { a: { $ref: 'user#' } }, additionalProperties: false },
    { $ref: 'user#' },
    { type: 'array', items: { type: 'string', format: 'uuid' } },
    {
      definitions: { a: { type: 'string' } },
      type: 'object',
      properties: { a: { $ref: '#/definitions/a' } },
    },
    { anyOf: [{ type: 'string' }, { type: 'number', minimum: 1 }] },
    { type: ['string', 'null'], maxLength: 3 },
    { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
  ]) {
    test(JSON.stringify(schema), () => {
      const shared = { user: { $id: 'user', type: 'object', properties: { name: { type: 'string' } } } };
      expect(areSoundShared(shared)).toBe(true);
      expect(isSoundSchema(schema, shared)).toBe(true);
    });
  }
});
