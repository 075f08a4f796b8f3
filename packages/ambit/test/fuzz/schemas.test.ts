/** Random schemas and values: the validator decides and changes as Ajv does, and the serializer writes what fast-json-stringify writes. */

import type { SchemaObject } from '@ambit/json-schema';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../../json-serializer/src/compile.ts';
import { schemaAndValues } from '../../../json-serializer/test/arbitraries.ts';
import { makeOracle } from '../../../json-serializer/test/oracle.ts';
import { anySchema } from '../../../json-validator/test/any-schema.ts';
import { expectSame, fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';

const valuesPerSchema = 1_000;
const names = fc.constantFrom('a', 'b', 'part', 'c');
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('', 'a', 'x', '1', 'true', 'null', '2026-01-01', 'a@b.c', 'abc', '1.5', '-1'),
    fc.constantFrom(0, 1, -1, 1.5, 1e9, null, true, false),
    fc.integer({ min: -20, max: 20 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}));

type Validator = (value: unknown) => unknown;

/** Ajv as Ambit configures it by default, without anything of Ambit; undefined if it refuses the schema. */
function compileByAjv(schema: object): Validator | undefined {
  const options = { coerceTypes: 'array', useDefaults: true, removeAdditional: true, strict: false } as const;
  const ajv = new Ajv({ ...options, allErrors: false, logger: false });
  (ajvFormats as unknown as (ajv: Ajv) => void)(ajv);
  return unlessThrown(() => ajv.compile(schema) as Validator);
}

/** In a route without schemas, by the API for values that are not parts of a request. */
async function compileByAmbit(schema: object): Promise<Validator | undefined> {
  const app = ambit({ ajv: { customOptions: { logger: false } } });
  let validator: Validator | undefined;
  app.get('/', (request) => {
    validator = unlessThrown(() => request.compileValidationSchema(schema) as Validator);
    return 'compiled';
  });
  await app.inject('/');
  await app.close();
  return validator;
}

function unlessThrown<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Whether the value is valid, and what becomes of it. Some schemas refer to themselves without an end. */
function outcomeOf(validate: Validator, value: object): string {
  const isValid = unlessThrown(() => validate(value));
  return isValid === undefined ? 'throws' : JSON.stringify([isValid, value]);
}

/** Where branches are tried, Ajv keeps what a branch that failed has converted; Ambit does not. `trials.test.ts` tests these. */
const triedKeyword = /"(?:anyOf|oneOf|if|not|contains|propertyNames|discriminator)":/;

test('a validator accepts, refuses and changes what Ajv does', { timeout: fuzzTimeoutMs }, async () => {
  const check = async ([inner, values]: readonly [unknown, readonly unknown[]]): Promise<number> => {
    // In an object, so that what Ajv changes is seen.
    const schema = { type: 'object', properties: { value: inner } };
    if (triedKeyword.test(JSON.stringify(schema))) return 0;
    const reference = compileByAjv(structuredClone(schema));
    const validate = await compileByAmbit(structuredClone(schema));
    if (reference === undefined || validate === undefined) return 0;
    const outcomes = (by: Validator) => values.map((value) => outcomeOf(by, structuredClone({ value })));
    expect(outcomes(validate)).toEqual(outcomes(reference));
    return values.length;
  };
  await fuzz('validators', {
    inputs: fc.tuple(anySchema, fc.array(anyJson, { minLength: 1, maxLength: valuesPerSchema, size: 'max' })),
    listLength: 1,
    runs: 8,
    check: ([input]) => check(input!),
  });
});

const toJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_key, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)),
  );

/** Under these, fast-json-stringify writes an array as text; Ambit never does. `union.property.test.ts` tests these. */
const textOrOther =
  /"type":\[|"items":\[|"nullable":true|"(?:anyOf|oneOf|pattern|minLength|maxLength|format)":/;

test('a serializer writes what fast-json-stringify writes, and nothing that is not JSON', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const check = ([schema, values]: [SchemaObject, unknown[]]): number => {
    const write = unlessThrown(() => compile(schema));
    if (write === undefined) return 0;
    const askOracle = makeOracle(schema);
    const expected = values.map((value) => askOracle(value));
    // What the oracle cannot write is not compared.
    const isArrayText = (value: unknown): boolean =>
      textOrOther.test(JSON.stringify(schema)) && JSON.stringify(value).includes('[');
    const compared = values.flatMap((value, i) =>
      expected[i] === undefined || isArrayText(value) ? [] : [i],
    );
    expectSame(
      compared.map((i) => write(values[i])),
      compared.map((i) => expected[i]),
    );
    return compared.length;
  };
  await fuzz('serializers', {
    inputs: schemaAndValues(valuesPerSchema).map(([schema, values]): [SchemaObject, unknown[]] => [
      schema,
      values.map(toJson),
    ]),
    listLength: 1,
    runs: 12,
    check: ([input]) => check(input!),
  });
});
