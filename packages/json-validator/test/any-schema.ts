/** Random schemas, most of them sound: for what must hold whatever the schema is. */
import fc from 'fast-check';

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

export const { schema: anySchema } = fc.letrec<{ schema: unknown; branches: unknown; named: unknown }>(
  (tie) => ({
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
  }),
);
