/** The code for long lists differs from that of Ajv, but gives the same results. A schema whose code V8 could not compile is refused. */
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileWith, makeAjv } from './ajv-compiler.ts';

type Validate = ((data: unknown) => boolean) & { errors?: unknown };

const options = { coerceTypes: 'array', useDefaults: true, removeAdditional: true } as const;

/** The full result of a validator for a value, and the value after it. */
function outcome(validate: Validate, input: unknown): object {
  const data = structuredClone(input);
  return { isValid: validate(data), errors: validate.errors, data };
}

/** Compiles with both of two engines that are made once, because each compiles the meta-schema first. */
function comparing(Engine: typeof Ajv | typeof Ajv2020, custom: Record<string, unknown>) {
  const dialect = Engine === Ajv ? 'draft-07' : '2020-12';
  const our = makeAjv({}, { customOptions: custom }, dialect);
  const their = new Engine({ ...options, ...custom });
  return (schema: AnySchema): [ours: Validate, theirs: Validate] => [
    compileWith(our, schema, {}) as Validate,
    their.compile(schema) as Validate,
  ];
}

const parts = [
  { type: 'integer' },
  { type: 'string', maxLength: 2 },
  { type: 'array', items: { type: 'boolean' } },
  { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
  { type: 'number', default: 1 },
  { enum: [1, 'a'] },
  true,
] as const;
const part = fc.constantFrom(...parts);
const value = fc.oneof(fc.integer(), fc.constantFrom<unknown>('1', 'a', 'long', true, null, [], [1], {}));
const names = Array.from({ length: 70 }, (_, i) => `p${i}`);

/** Lengths of lists: one more than a segment, two segments, and more. */
const count = fc.constantFrom(32, 33, 64, 65, 70);
const listOf = <T>(arbitrary: fc.Arbitrary<T>) =>
  count.chain((length) => fc.array(arbitrary, { minLength: length, maxLength: length }));

const properties = listOf(part).map((list) =>
  Object.fromEntries(list.map((schema, i) => [names[i]!, schema])),
);
const named = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6, noNullPrototype: true });

const kinds: [keyword: string, schema: fc.Arbitrary<AnySchema>, data: fc.Arbitrary<unknown>][] = [
  ['properties', properties.map((all) => ({ type: 'object', properties: all, required: ['p1'] })), named],
  [
    'properties and what is not declared',
    properties.map((all) => ({
      type: 'object',
      properties: all,
      additionalProperties: false,
      minProperties: 2,
    })),
    fc.record({ rest: named, other: value }).map(({ rest, other }) => ({ ...rest, other })),
  ],
  [
    'allOf',
    listOf(fc.record({ minimum: fc.integer(), type: fc.constant('number') })).map((allOf) => ({ allOf })),
    value,
  ],
  ['anyOf', listOf(part).map((anyOf) => ({ anyOf: anyOf.filter((schema) => schema !== true) })), value],
  [
    'anyOf of constants',
    listOf(fc.nat(200)).map((all) => ({ anyOf: all.map((each) => ({ const: each })) })),
    fc.nat(200),
  ],
  ['a branch that takes anything', listOf(part).map((anyOf) => ({ anyOf: [...anyOf, true] })), value],
  ['not', properties.map((all) => ({ not: { type: 'object', properties: all, minProperties: 1 } })), named],
  [
    'items of a tuple',
    listOf(part).map((items) => ({ type: 'array', items })),
    fc.array(value, { minLength: 30, maxLength: 70 }),
  ],
  ['items of one schema', part.map((items) => ({ type: 'array', items })), fc.array(value)],
];

describe.each(['the first error', 'all errors'])('long lists, with %s', (which) => {
  const both = comparing(Ajv, { allErrors: which === 'all errors', strict: false });
  for (const [what, schemas, data] of kinds) {
    test(`${what}: the validator says the same as Ajv's own`, () => {
      fc.assert(
        fc.property(schemas, fc.array(data, { minLength: 4, maxLength: 8 }), (schema, all) => {
          const [ours, theirs] = both(schema);
          for (const each of all) expect(outcome(ours, each)).toEqual(outcome(theirs, each));
        }),
        { numRuns: 25 },
      );
    });
  }
});

const newerKinds: [keyword: string, schema: fc.Arbitrary<AnySchema>, data: fc.Arbitrary<unknown>][] = [
  [
    'properties and what was not evaluated',
    properties.map((all) => ({ type: 'object', properties: all, unevaluatedProperties: false })),
    named,
  ],
  [
    'properties in allOf, and what was not evaluated',
    fc
      .tuple(properties, part)
      .map(([all, rest]) => ({ type: 'object', allOf: [{ properties: all }], unevaluatedProperties: rest })),
    named,
  ],
  [
    'branches that evaluate different properties',
    listOf(fc.nat(69)).map((all) => ({
      anyOf: all.map((at) => ({ properties: { [names[at]!]: { type: 'integer' } }, required: [names[at]!] })),
      unevaluatedProperties: false,
    })),
    named,
  ],
  [
    'prefixItems and what was not evaluated',
    listOf(part).map((prefixItems) => ({
      type: 'array',
      prefixItems,
      unevaluatedItems: { type: 'integer' },
    })),
    fc.array(value, { minLength: 30, maxLength: 72 }),
  ],
];
const bothNewer = comparing(Ajv2020, { strict: false });
for (const [what, schemas, data] of newerKinds) {
  test(`draft 2020-12, ${what}: the validator says the same as Ajv's own`, () => {
    fc.assert(
      fc.property(schemas, fc.array(data, { minLength: 4, maxLength: 8 }), (schema, all) => {
        const [ours, theirs] = bothNewer(schema);
        for (const each of all) expect(outcome(ours, each)).toEqual(outcome(theirs, each));
      }),
      { numRuns: 4 },
    );
  });
}

const listed = <T>(length: number, schema: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`p${i}`, schema(i)]));
const repeated = (length: number, schema: (at: number) => unknown): unknown[] =>
  Array.from({ length }, (_, i) => schema(i));
const nested = (depth: number, wrap: (schema: object) => object): object =>
  repeated(depth, () => 0).reduce((inner: object) => wrap(inner), { type: 'string' });

const large: [what: string, schema: object, data: unknown, isValid: boolean][] = [
  [
    '2,000 properties',
    { type: 'object', properties: listed(2_000, () => ({ type: 'string' })) },
    { p1999: {} },
    false,
  ],
  [
    '2,000 defaults',
    { type: 'object', properties: listed(2_000, (i) => ({ type: 'number', default: i })) },
    {},
    true,
  ],
  [
    '2,000 branches that all hold',
    { allOf: repeated(2_000, (i) => ({ type: 'number', maximum: i + 5 })) },
    6,
    false,
  ],
  ['2,000 constants', { anyOf: repeated(2_000, (i) => ({ const: i })) }, 1_999, true],
  ['a tuple of 2,000', { type: 'array', items: repeated(2_000, (i) => ({ const: i })) }, [0, 1, 3], false],
];
for (const [what, schema, data, isValid] of large) {
  test(`${what} can be compiled, and called`, () => {
    const custom = { strictTuples: false };
    expect(compileWith(makeAjv({}, { customOptions: custom }), schema, {})(data)).toBe(isValid);
  });
}

test('2,000 properties of draft 2020-12 can be compiled, and called', () => {
  const schema = { type: 'object', properties: listed(2_000, () => ({ type: 'string' })) };
  const validate = compileWith(makeAjv({}, {}, '2020-12'), schema, {});
  expect([validate({ p1999: 'a' }), validate({ p1999: {} })]).toEqual([true, false]);
});

const tooLarge: [what: string, schema: object][] = [
  ['400 levels of objects', nested(400, (a) => ({ type: 'object', properties: { a } }))],
  ['2,000 levels of objects', nested(2_000, (a) => ({ type: 'object', properties: { a } }))],
  ['2,000 patterns', { type: 'object', patternProperties: listed(2_000, () => ({ type: 'string' })) }],
  ['2,000 branches of which one holds', { oneOf: repeated(2_000, (i) => ({ const: i })) }],
  ['2,000 dependencies', { type: 'object', dependencies: listed(2_000, () => ['a']) }],
];
for (const [what, schema] of tooLarge) {
  test(`${what} are refused by name, and not in V8's words`, () => {
    expect(() => compileWith(makeAjv({}, {}), schema, {})).toThrow(
      expect.objectContaining({ name: 'SchemaRefused', code: 'TOO_LARGE' }),
    );
  });
}

test('braces in texts are not counted', () => {
  const schema = { type: 'object', properties: listed(30, (i) => ({ const: '{'.repeat(100 + i) })) };
  expect(compileWith(makeAjv({}, { customOptions: { strictTypes: false } }), schema, {})({})).toBe(true);
});
