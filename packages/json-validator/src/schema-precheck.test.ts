/** A schema that passes the check compiles in Ajv without an error or a warning. */
import { type DialectName, declaredDialect, sharedFor } from '@ambit/json-schema';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySchema } from '../test/any-schema.ts';
import { readOpenApi } from './ajv-keywords.ts';
import type { SharedSchemas } from './options.ts';
import { SchemaPrecheck } from './schema-precheck.ts';

const addFormats = addFormatsModule.default;

/** The errors and warnings of the framework's Ajv for a schema. */
function complaintsOf(schema: unknown, shared: SharedSchemas, dialect: DialectName): string[] {
  const complaints: string[] = [];
  const note = (...words: unknown[]): void => void complaints.push(words.join(' '));
  const Engine = dialect === '2020-12' ? Ajv2020 : Ajv;
  const ajv = new Engine({
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    addUsedSchema: false,
    allErrors: false,
    logger: { log: note, warn: note, error: note },
  });
  addFormats(ajv);
  try {
    for (const other of Object.values(shared)) ajv.addSchema(readOpenApi(other, ajv));
    ajv.compile(readOpenApi(schema as object, ajv));
  } catch (error) {
    note((error as Error).message);
  }
  return complaints;
}

/** Schemas with the keywords that only draft 2020-12 has. */
const newerSchema = fc.oneof(
  { arbitrary: anySchema, weight: 3 },
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('a', 'b'), anySchema, { maxKeys: 2 }),
    unevaluatedProperties: anySchema,
  }),
  fc.record({ type: fc.constant('object'), allOf: fc.array(anySchema), unevaluatedProperties: fc.boolean() }),
  fc.nat(3).chain((count) =>
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.array(anySchema, { minLength: count, maxLength: count }),
      items: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, anySchema),
      minItems: fc.oneof({ arbitrary: fc.constant(count), weight: 4 }, { arbitrary: fc.nat(3), weight: 1 }),
    }),
  ),
);

for (const [dialect, schemas, numRuns] of [
  ['draft-07', anySchema, 5_000],
  ['2020-12', newerSchema, 2_500],
] as const) {
  test(`${dialect}: a schema that passes compiles without an error or a warning`, () => {
    let passed = 0;
    fc.assert(
      fc.property(schemas, anySchema, (schema, other) => {
        const rest = typeof other === 'object' ? other : {};
        const shared = { user: { ...rest, $id: 'user' } };
        if (!new SchemaPrecheck(shared, { dialect }).passes(schema)) return;
        passed++;
        const declared = declaredDialect(schema) ?? dialect;
        expect(complaintsOf(schema, sharedFor(declared, shared), declared)).toEqual([]);
      }),
      { numRuns },
    );
    expect(passed).toBeGreaterThan(3);
  });
}

test('a default in a shared schema fails the check of a schema that refers to it from a branch', () => {
  const shared = {
    user: { $id: 'user', type: 'object', properties: { a: { type: 'string', default: 'x' } } },
  };
  const body = { not: { anyOf: [{ $ref: 'user#' }] } };
  expect(complaintsOf(body, shared, 'draft-07')).toEqual(['strict mode: default is ignored for: data.a']);
  const precheck = new SchemaPrecheck(shared);
  expect([precheck.sharedPass(), precheck.passes(body)]).toEqual([true, false]);
});

describe('the usual schemas pass', () => {
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
      expect(new SchemaPrecheck(shared).passes(schema)).toBe(true);
    });
  }
});
