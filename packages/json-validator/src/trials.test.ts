import type { AnySchemaObject } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AjvCompiler } from './ajv-compiler.ts';
import type { SharedSchemas, ValidatorOptions } from './options.ts';

type Validate = ((data: unknown, place: object) => unknown) & { errors?: { message: string }[] };
interface Outcome {
  readonly valid: unknown;
  readonly value: unknown;
}

const dialects = ['draft-07', '2020-12'] as const;
const quiet = { logger: false, strictTypes: false, validateSchema: false } as const;
const untouched = { ...quiet, coerceTypes: false, removeAdditional: false, useDefaults: false } as const;

function compile(schema: AnySchemaObject, options: ValidatorOptions, shared: SharedSchemas = {}): Validate {
  return new AjvCompiler(shared, { customOptions: quiet, ...options }).compile(schema) as unknown as Validate;
}

function run(validate: Validate, data: unknown): Outcome {
  const place = { v: structuredClone(data) };
  const valid = validate(place.v, { parentData: place, parentDataProperty: 'v' });
  return { valid, value: place.v };
}

const runs = 100;

const scalar = fc.constantFrom<unknown>(null, 0, 1, 5, -1.5, '', '0', '5', 'a', 'true', 'card', true, false);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.dictionary(fc.constantFrom('a', 'b', 'kind'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

const { schema } = fc.letrec<{ schema: AnySchemaObject; branches: AnySchemaObject[] }>((tie) => ({
  branches: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object') }),
    fc.record({ type: fc.constantFrom(['string', 'null'], ['integer', 'null']) }),
    fc.record({ const: scalar }),
    fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -2, max: 6 }) }),
    fc.record({ type: fc.constant('string'), minLength: fc.nat({ max: 3 }) }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'kind'), tie('schema'), { maxKeys: 3 }),
        additionalProperties: fc.constant(false),
        required: fc.uniqueArray(fc.constantFrom('a', 'b', 'kind'), { maxLength: 2 }),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('array'), contains: tie('schema') }),
    fc.record({ anyOf: tie('branches') }),
    fc.record({ oneOf: tie('branches') }),
    fc.record({ allOf: tie('branches') }),
    fc.record({ not: tie('schema') }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword.
    fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
    fc.record({ type: fc.constant('object'), propertyNames: tie('schema') }),
    fc.constantFrom<AnySchemaObject>({ $ref: '#/definitions/part' }, { $ref: '#' }, { $ref: 'other#' }),
  ),
}));

const document = fc.record({ part: schema, other: schema, root: schema }).map(({ part, other, root }) => {
  const definitions = { part: { type: 'object', properties: { b: part } } };
  return {
    shared: { other: { $id: 'other', type: 'object', properties: { a: other }, definitions } },
    // A reference at the top could lead to itself without end.
    schema: { properties: { a: { anyOf: [root] }, b: root, n: { type: 'integer' } }, definitions },
  };
});

for (const dialect of dialects) {
  describe(dialect, () => {
    test('a value that is valid without conversion is accepted and handed over as it came', () => {
      let compared = 0;
      fc.assert(
        fc.property(
          document,
          fc.array(value, { minLength: 1, maxLength: 8 }),
          ({ schema, shared }, values) => {
            const plain = compile(schema, { dialect, customOptions: untouched }, shared as SharedSchemas);
            const validate = compile(schema, { dialect }, shared as SharedSchemas);
            for (const data of values.flatMap((inner) => [
              { a: inner, n: 5 },
              { a: inner, b: inner, n: 5 },
            ])) {
              if (run(plain, data).valid !== true) continue;
              compared++;
              const expected = { valid: true, value: data };
              // The second one is valid except for a number that must be converted.
              const found = [run(validate, data), run(validate, { ...data, n: '5' })];
              expect({ schema, found }).toEqual({ schema, found: [expected, expected] });
            }
          },
        ),
        { numRuns: runs },
      );
      expect(compared).toBeGreaterThan(0);
    });

    test('what is converted is valid without conversion', () => {
      fc.assert(
        fc.property(
          document,
          fc.boolean(),
          fc.array(value, { maxLength: 8 }),
          ({ schema, shared }, isText, values) => {
            const plain = compile(schema, { dialect, customOptions: untouched }, shared as SharedSchemas);
            const validate = compile(schema, { dialect, ...(isText && { isText }) }, shared as SharedSchemas);
            for (const data of values.map((a) => ({ a }))) {
              const { valid, value } = run(validate, data);
              const accepted = valid === true ? run(plain, value).valid : valid;
              expect({ schema, data, value, accepted }).toEqual({ schema, data, value, accepted: valid });
            }
          },
        ),
        { numRuns: runs },
      );
    });

    test('of text, the first branch that can convert it decides', () => {
      const typed = fc.oneof(
        fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array') }),
        fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -2, max: 6 }) }),
        fc.record({ type: fc.constant('string'), minLength: fc.nat({ max: 3 }) }),
      );
      const texts = ['', '0', '5', '-1', '1.5', 'true', 'false', 'null', 'a', '1e999'];
      const engine = new AjvCompiler({}, { dialect, isText: true, customOptions: quiet });
      const compileText = (each: AnySchemaObject): Validate => engine.compile(each) as unknown as Validate;
      fc.assert(
        fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (branches) => {
          const alone = branches.map(compileText);
          const anyOf = compileText({ anyOf: branches });
          for (const text of texts) {
            const first = alone.map((each) => run(each, text)).find(({ valid }) => valid === true);
            const found = run(anyOf, text);
            const expected = first ?? { valid: false, value: text };
            expect({ branches, text, found }).toEqual({ branches, text, found: expected });
          }
        }),
        { numRuns: runs },
      );
    });

    test('a condition on converted text cannot be avoided', () => {
      const schema = {
        properties: { kind: { type: 'integer' } },
        if: { properties: { kind: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword.
        then: { properties: { count: { type: 'integer' } }, required: ['count'] },
      };
      const validate = compile(schema, { dialect, isText: true });
      expect(run(validate, { kind: '1' }).valid).toBe(false);
      expect(validate.errors?.map(({ message }) => message)).toContain("must have required property 'count'");
      expect(run(validate, { kind: '1', count: '2' })).toEqual({ valid: true, value: { kind: 1, count: 2 } });
    });

    test('limits in branches hold for what is converted later', () => {
      const schema = { properties: { n: { type: 'integer' } }, not: { properties: { n: { const: 5 } } } };
      const limited = {
        properties: { n: { type: 'integer' } },
        anyOf: [{ properties: { n: { maximum: 5 } } }],
      };
      expect(run(compile(schema, { dialect, isText: true }), { n: '5' }).valid).toBe(false);
      expect(run(compile(limited, { dialect, isText: true }), { n: '7' }).valid).toBe(false);
    });

    test('trials that would copy a value without end end', () => {
      const node = {
        type: 'object',
        properties: { n: { anyOf: [{ $ref: '#' }, { type: 'null' }] }, m: { $ref: '#' } },
      };
      const validate = compile(node, { dialect });
      let data: unknown = 'none';
      for (let depth = 0; depth < 1_000; depth++) data = { n: data };
      expect(run(validate, data).valid).toBe(false);
    });
  });
}

test('messages name a value as Ajv does, not the copy on which a schema is tried', () => {
  const branch = { type: 'object', properties: { n: { type: 'number', default: 1 } } };
  const schema = { anyOf: [{ oneOf: [branch] }, { type: 'null' }] };
  const message = 'strict mode: default is ignored for: data.n';
  const warnings: unknown[] = [];
  const logger = { log: () => {}, warn: (text: string) => warnings.push(text), error: () => {} };
  const options = { coerceTypes: true, useDefaults: true, strictTypes: false } as const;
  compile(schema, { customOptions: { ...options, strictSchema: 'log', logger } });
  expect([...new Set(warnings)]).toEqual([message]);
  expect(() => compile(schema, { customOptions: { ...options, strictSchema: true } })).toThrow(message);
});
