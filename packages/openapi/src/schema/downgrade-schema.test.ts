// Tests how OpenAPI 3.0 says what only 3.1 has words for: the result accepts more values, never fewer.
import { expect, test } from 'vitest';
import { downgradeSchema } from './downgrade-schema.ts';

const nothing = { type: 'string', nullable: true, enum: [null] };
const tuple = { type: 'array', prefixItems: [{ type: 'string' }] };
const list = { type: 'array', items: {} };
const atLeast1 = { anyOf: [{ minimum: 1 }] };

for (const [what, schema, expected] of [
  ['several types', { type: ['array', 'string', 'null'] }, { anyOf: [list, { type: 'string' }, nothing] }],
  [
    'several types next to anyOf',
    { ...atLeast1, type: ['string', 'number'] },
    { ...atLeast1, allOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }] },
  ],
  ['no type but null', { type: 'null' }, nothing],
  [
    'exclusive limits',
    { exclusiveMinimum: 1, exclusiveMaximum: 2 },
    { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
  ],
  ['base64', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
  ['binary text', { type: 'string', contentEncoding: 'binary' }, { type: 'string', format: 'binary' }],
  ['the first of several examples', { examples: [1, 2] }, { example: 1 }],
  ['alternatives of which one gets wider', { oneOf: [tuple] }, { anyOf: [list] }],
  [
    'such alternatives next to anyOf',
    { ...atLeast1, oneOf: [tuple] },
    { ...atLeast1, allOf: [{ anyOf: [list] }] },
  ],
  ['such alternatives before anyOf', { oneOf: [tuple], ...atLeast1 }, { anyOf: [list], allOf: [atLeast1] }],
  [
    'such alternatives between anyOf and allOf',
    { ...atLeast1, oneOf: [tuple], allOf: [{ maximum: 2 }] },
    { ...atLeast1, allOf: [{ anyOf: [list] }, { maximum: 2 }] },
  ],
  ['the negation of a schema that gets wider', { not: tuple }, {}],
  [
    'a tuple that allows no more items',
    { type: 'array', prefixItems: [{ minimum: 1 }, { minimum: 1 }], items: false, maxItems: 9 },
    { type: 'array', items: { anyOf: [{ minimum: 1 }, { minimum: 1 }] }, maxItems: 2 },
  ],
] as const) {
  test(`${what} in OpenAPI 3.0`, () => {
    expect(downgradeSchema(schema, new Set())).toEqual(expected);
  });
}
