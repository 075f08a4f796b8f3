/** The random schemas and values of the property tests. */
import type { SchemaObject } from '@ambit/json-schema';
import fc from 'fast-check';

const names = fc.constantFrom('a', 'b', 'c', 'key "quoted"', '\u2028', 'é', '0');
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('x', '"', '\\', '\ud800', '\u2028', '\n', 'é') }),
  fc.string({ minLength: 30, maxLength: 120 }),
);
// Names like `0` would come first in JSON.stringify's output.
export const otherName: fc.Arbitrary<string> = fc.string().map((name) => `other ${name}`);
/** Numbers with up to three decimals, which the serializer writes in a special way. */
const decimal = fc.integer({ min: -9_999, max: 9_999 }).map((thousandths) => thousandths / 1_000);
const number = fc.oneof(fc.double(), decimal);
const bigint = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const scalar = fc.oneof(
  text,
  number,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.date(),
  bigint,
  fc.constant(undefined),
);

export const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(text, { maxLength: 80 }),
    fc.array(fc.double(), { maxLength: 40 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
}));

const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');
const scalarSchema: fc.Arbitrary<SchemaObject> = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean'), nullable: fc.boolean() }),
  fc.record({ type: fc.uniqueArray(types, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date', 'time', 'date-time', 'email') }),
  fc.record({ const: fc.oneof(fc.string(), fc.integer(), fc.boolean()) }),
  fc.constant({}),
);

const { schema } = fc.letrec<{
  schema: SchemaObject;
  object: SchemaObject;
  array: SchemaObject;
  choice: SchemaObject;
}>((tie) => ({
  schema: fc.oneof({ depthSize: 'small' }, scalarSchema, tie('object'), tie('array'), tie('choice')),
  object: fc
    .record(
      {
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 5 }),
        required: fc.uniqueArray(names, { maxLength: 1 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '.'), tie('schema'), { maxKeys: 2 }),
        nullable: fc.boolean(),
      },
      { requiredKeys: ['properties'] },
    )
    .map((keywords) => ({ type: 'object', ...keywords })),
  array: fc.oneof(
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .array(scalarSchema, { minLength: 1, maxLength: 3 })
      .map((items) => ({ type: 'array', items, additionalItems: true })),
  ),
  choice: fc
    .array(fc.oneof(scalarSchema, tie('object')), { minLength: 1, maxLength: 3 })
    .map((anyOf) => ({ type: 'object', properties: { a: { anyOf } } })),
}));

/** A value that often matches the schema. */
function valueFor(of: SchemaObject): fc.Arbitrary<unknown> {
  const { type, properties, items } = of as {
    type?: unknown;
    properties?: Record<string, SchemaObject>;
    items?: SchemaObject;
  };
  if (properties !== undefined) {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, valueFor(inner)]),
    );
    return fc
      .tuple(fc.record(fields, { requiredKeys: [] }), fc.dictionary(names, value, { maxKeys: 2 }))
      .map(([declared, others]) => ({ ...others, ...declared }));
  }
  if (Array.isArray(items)) return fc.tuple(...items.map(valueFor));
  if (items !== undefined) return fc.array(valueFor(items), { maxLength: 40 });
  if (type === 'string') return fc.oneof(text, fc.date());
  if (type === 'number') return fc.oneof(fc.double({ noNaN: true }), decimal);
  if (type === 'integer') return fc.oneof(fc.integer(), bigint);
  return type === 'boolean' ? fc.boolean() : value;
}

/** A schema and a value that usually matches it. */
export const pair: fc.Arbitrary<[SchemaObject, unknown]> = schema.chain((of) =>
  fc.tuple(fc.constant(of), fc.oneof({ weight: 4, arbitrary: valueFor(of) }, value)),
);

/** A schema and up to `count` values, most of which match it. */
export const schemaAndValues = (count: number): fc.Arbitrary<[SchemaObject, unknown[]]> =>
  schema.chain((of) => {
    const some = fc.oneof({ weight: 4, arbitrary: valueFor(of) }, value);
    return fc.tuple(fc.constant(of), fc.array(some, { minLength: 1, maxLength: count, size: 'max' }));
  });

const fieldNames = fc.constantFrom('kind', 'a', 'b', 'c');
const kinds = fc.constantFrom('x', 'y', 'z', 1);
export const fields: fc.Arbitrary<SchemaObject> = fc.record(
  {
    properties: fc.dictionary(
      fieldNames,
      fc.constantFrom(
        { type: 'integer' },
        { minimum: 0 },
        { default: 'none' },
        {},
        false,
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ),
      { maxKeys: 3 },
    ),
    required: fc.uniqueArray(fieldNames, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
const condition = fc.oneof(
  fc.record({ required: fc.tuple(fieldNames) }),
  fc
    .tuple(
      fc.oneof(
        kinds.map((value) => ({ const: value })),
        fc.uniqueArray(kinds, { minLength: 1 }).map((values) => ({ enum: values })),
        kinds.map((value) => ({ type: 'string', const: value })),
      ),
      fc.record({ required: fc.constant(['kind']), type: fc.constant('object') }, { requiredKeys: [] }),
    )
    .map(([kind, more]) => ({ properties: { kind }, ...more })),
);
const choices = fc.array(fields, { minLength: 1, maxLength: 2 });
/** Conditions and choices that apply to the same object. */
export const decisions: fc.Arbitrary<SchemaObject[]> = fc.array(
  fc.record(
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: condition, then: fields, else: fields, anyOf: choices },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
);
/** A value that such conditions and choices test. */
export const decided: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        kind: kinds,
        a: scalar,
        b: fc.record({ a: text, b: text }),
        c: fc.constantFrom(1, '2', {}, undefined),
      },
      { requiredKeys: [] },
    ),
  },
  value,
);

/** The same value with getters for its properties, and the number of reads of each getter. */
export function countReads(
  input: unknown,
  reads: number[] = [],
): { readonly value: unknown; readonly reads: number[] } {
  if (typeof input !== 'object' || input === null || input instanceof Date) return { value: input, reads };
  const isList = Array.isArray(input);
  const value = isList ? [] : {};
  for (const [name, inner] of Object.entries(input)) {
    const found = countReads(inner, reads).value;
    const number = reads.push(0) - 1;
    const get = () => {
      reads[number]!++;
      return found;
    };
    Object.defineProperty(
      value,
      name,
      isList ? { value: found, enumerable: true } : { get, enumerable: true },
    );
  }
  return { value, reads };
}
