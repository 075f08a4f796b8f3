/** A schema that passes the check compiles in Ajv without an error or a warning. */
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySchema } from '../../../test/support/any-schema.ts';
import type { SharedSchemas } from '../../contract/compiler.ts';
import { passesPrecheck, sharedPassPrecheck } from './schema-precheck.ts';

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

test('a schema that passes compiles without an error or a warning', () => {
  let passed = 0;
  fc.assert(
    fc.property(anySchema, anySchema, (schema, other) => {
      const rest = typeof other === 'object' ? other : {};
      const shared = { user: { ...rest, $id: 'user' } };
      if (!sharedPassPrecheck(shared) || !passesPrecheck(schema, shared)) return;
      passed++;
      expect(complaintsOf(schema, shared)).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
  expect(passed).toBeGreaterThan(200);
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
      expect(sharedPassPrecheck(shared)).toBe(true);
      expect(passesPrecheck(schema, shared)).toBe(true);
    });
  }
});
