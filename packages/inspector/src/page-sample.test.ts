// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
/** What the form proposes and checks, compared with Ajv: a sample that counts as valid is valid, and the check finds what Ajv finds. */
import Ajv from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { checkValue } from '../page/check-value.js';
// @ts-expect-error: as above.
import { textFor } from '../page/pattern-text.js';
// @ts-expect-error: as above.
import { sampleOf } from '../page/sample.js';

interface Sample {
  readonly value: unknown;
  readonly failures: readonly { path: string; message: string }[];
}

const options = { strict: false, validateFormats: false, allErrors: true, logger: false } as const;
const sample = (schema: unknown): Sample => sampleOf(schema) as Sample;

function isValid(schema: object | boolean, value: unknown): boolean {
  return new Ajv2020(options).compile(schema)(value) as boolean;
}

const count = fc.integer({ min: 0, max: 6 });
const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));
const pattern = fc.constantFrom(
  '^[a-z]+$',
  '^\\d{3}-\\d{4}$',
  '^(?:cat|dog)s?$',
  '^[A-Z][a-z]{2,5}$',
  '[0-9]',
  '^\\p{L}+$',
  '^$',
  '^[^a-z]{2}\\.x$',
  '^(a|b)*c{2,}$',
);

/** Schemas for which there is a value: limits never contradict each other. */
const schema = fc.letrec<{ any: object; leaf: object }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: count }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('string'), maxLength: count }, { requiredKeys: ['type'] }),
    pattern.map((text) => ({ type: 'string', pattern: text })),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer() }),
    fc.record({ type: fc.constantFrom('integer', 'number'), maximum: fc.integer() }),
    fc
      .tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: 1, max: 7 }))
      .map(([minimum, multipleOf]) => ({ type: 'integer', exclusiveMinimum: minimum, multipleOf })),
    fc.record({ type: fc.constantFrom('boolean', 'null', ['string', 'null']) }),
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }),
    fc.record({ const: scalar }),
    fc.record({ type: fc.constant('string'), examples: fc.array(scalar, { maxLength: 2 }) }),
    fc.record({ type: fc.constant('integer'), default: scalar }),
  ),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ type: fc.constant('array'), items: tie('any'), minItems: fc.integer({ min: 0, max: 3 }) }),
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('array'),
      contains: tie('leaf'),
      minContains: fc.integer({ min: 1, max: 3 }),
    }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), tie('any'), { maxKeys: 5 }).chain((properties) =>
      fc.record({
        type: fc.constant('object'),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
        additionalProperties: fc.boolean(),
      }),
    ),
    fc.record({
      type: fc.constant('object'),
      patternProperties: fc.dictionary(pattern, tie('leaf'), { minKeys: 1, maxKeys: 1 }),
      minProperties: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.tuple(tie('any')) }),
    fc.record({ if: tie('leaf'), then: fc.constant(true), else: fc.constant(true) }),
  ),
}));

test('a sample that counts as valid is valid for Ajv', () => {
  fc.assert(
    fc.property(schema.any, (of) => {
      const { value, failures } = sample(of);
      if (failures.length === 0) expect([value, isValid(of, value)]).toEqual([value, true]);
    }),
    { numRuns: 400 },
  );
});

test('nearly every schema that has a value gets a valid sample', () => {
  const made = fc.sample(schema.any, { numRuns: 500, seed: 7 });
  const failed = made.filter((of) => sample(of).failures.length > 0);
  expect(failed.length).toBeLessThanOrEqual(10);
});

test('the check and Ajv agree on any value', () => {
  fc.assert(
    fc.property(schema.any, fc.jsonValue({ maxDepth: 3 }), (of, value) => {
      expect([value, checkValue(of, value).length === 0]).toEqual([value, isValid(of, value)]);
    }),
    { numRuns: 400 },
  );
});

describe('a sample is valid', () => {
  const note = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string', maxLength: 40 } },
  };
  for (const [what, of] of Object.entries({
    'for formats': {
      type: 'object',
      required: ['at', 'day', 'mail', 'id', 'link'],
      properties: {
        at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        mail: { type: 'string', format: 'email' },
        id: { type: 'string', format: 'uuid' },
        link: { type: 'string', format: 'uri' },
      },
    },
    'for limits of text and numbers': {
      type: 'object',
      properties: {
        code: { type: 'string', minLength: 12, maxLength: 12 },
        share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        quarter: { type: 'number', multipleOf: 0.25, minimum: 3.1 },
        old: { type: 'integer', maximum: -3 },
      },
    },
    'for items that must differ': {
      type: 'array',
      minItems: 4,
      uniqueItems: true,
      items: { type: 'string', format: 'uuid' },
    },
    'for choices of a union': {
      type: 'array',
      minItems: 2,
      uniqueItems: true,
      items: { enum: ['a', 'b', 'c'] },
    },
    'for a list of objects': { type: 'array', items: note, minItems: 2 },
    'for combined schemas': {
      allOf: [note, { required: ['id'], properties: { id: { type: 'integer', minimum: 5 } } }],
    },
    'for one of several kinds': {
      oneOf: [
        {
          type: 'object',
          required: ['cat'],
          properties: { cat: { const: true } },
          additionalProperties: false,
        },
        {
          type: 'object',
          required: ['dog'],
          properties: { dog: { const: true } },
          additionalProperties: false,
        },
      ],
    },
    'for a condition': {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['card', 'cash'] } },
      if: { properties: { kind: { const: 'card' } } },
      then: { required: ['number'], properties: { number: { type: 'string', pattern: '^\\d{4}$' } } },
    },
    'for what must not be': { type: 'string', enum: ['draft', 'live'], not: { const: 'draft' } },
    'for an enum of objects': { enum: [{ a: 1 }, { b: [2] }] },
    'for names that depend on others': {
      type: 'object',
      required: ['card'],
      properties: { card: { type: 'string' }, address: { type: 'string' } },
      dependentRequired: { card: ['address'] },
    },
    'for any names': { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
    'for a schema that refers to itself': {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    },
    'for a property named __proto__': JSON.parse(
      '{ "type": "object", "required": ["__proto__"], "properties": { "__proto__": { "type": "integer" } } }',
    ) as object,
    'for 300 properties': {
      type: 'object',
      required: ['p299'],
      properties: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, { type: 'integer' }])),
    },
    'for null beside a type': { type: ['null', 'integer'] },
    'with its own example': { ...note, examples: [{ title: 'Milk' }] },
    'for true': true,
    'for an empty schema': {},
  }))
    test(what, () => {
      const { value, failures } = sample(of);
      expect(failures).toEqual([]);
      expect([JSON.stringify(value), isValid(of, value)]).toEqual([JSON.stringify(value), true]);
    });

  test('an example is used, unless it is not valid', () => {
    expect(sample({ type: 'integer', examples: [42, 7] }).value).toBe(42);
    expect(sample({ type: 'integer', example: 9 }).value).toBe(9);
    expect(sample({ type: 'integer', default: 3 }).value).toBe(3);
    expect(sample({ type: 'integer', examples: ['x'], minimum: 5 }).value).toBe(5);
  });

  test('optional properties are left out where they do not fit', () => {
    const of = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      maxProperties: 1,
    };
    expect(sample(of)).toEqual({ value: { a: 'text' }, failures: [] });
  });
});

test('the application accepts the sample of each format', async () => {
  const app = ambit();
  const names =
    'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template url uuid json-pointer relative-json-pointer regex byte';
  const samples = names.split(' ').map((format) => {
    const body = { type: 'object', required: ['value'], properties: { value: { type: 'string', format } } };
    app.post(`/${format}`, { schema: { body } }, () => 'ok');
    return [format, sample(body).value] as const;
  });
  for (const [format, payload] of samples) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/${format}`,
      payload: payload as object,
    });
    expect([format, payload, statusCode]).toEqual([format, payload, 200]);
  }
});

describe('what has no sample', () => {
  for (const [what, of] of Object.entries({
    'a pattern that no text has': { type: 'string', pattern: 'a^b' },
    'a required property that requires itself': {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#' } },
    },
    'limits that contradict each other': { type: 'integer', minimum: 5, maximum: 4 },
    false: false,
  }))
    test(`${what} says so, and takes less than a second`, () => {
      const before = performance.now();
      expect(sample(of).failures.length).toBeGreaterThan(0);
      expect(performance.now() - before).toBeLessThan(1_000);
    });
});

test('a text is made for the patterns that schemas use', () => {
  for (const source of [
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^\\+?[1-9]\\d{1,14}$',
    '^#(?:[\\da-f]{3}){1,2}$',
    '^v\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$',
    '^(?!admin)\\w{3,}$',
    '^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$',
    '^(?<year>\\d{4})/W[0-5]\\d$',
    '\\u00e9',
    '^[\\]\\-]{2}$',
    '^.{5}$',
  ])
    expect([source, textFor(source)]).toEqual([source, expect.stringMatching(new RegExp(source, 'u'))]);
  expect(textFor('^\\w+$', { minLength: 30, maxLength: 30 })).toHaveLength(30);
  expect(textFor('^(?:ab)+$', { minLength: 9 })).toBe('ababababab');
  for (const none of ['(', 'a^b', '^x{1000000000}$', '^[]$']) expect(textFor(none)).toBe(undefined);
});

test('draft-07 keywords mean what they mean there', () => {
  const of = {
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false },
    },
    required: ['pair'],
    dependencies: { pair: ['other'], other: { required: ['third'] } },
  };
  const { value, failures } = sample(of);
  expect([failures, new Ajv.default(options).compile(of)(value)]).toEqual([[], true]);
  expect(checkValue(of, { pair: [1, 'x', 2], other: 1 })).toEqual([
    { path: '/pair/2', message: 'must not be there' },
    { path: '/third', message: 'is required' },
  ]);
});

test('the check names each failure with its place', () => {
  const of = {
    type: 'object',
    required: ['id', 'tags'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    },
  };
  expect(checkValue(of, { id: 0, 'a/b': 1, tags: ['x', 2] })).toEqual([
    { path: '/id', message: 'must be >= 1' },
    { path: '/a~1b', message: 'must not be there' },
    { path: '/tags', message: 'must have at most 1 item' },
    { path: '/tags/1', message: 'must be a string' },
  ]);
});
