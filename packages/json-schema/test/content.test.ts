import { contentKey } from '@ambit/json-schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('contentKey', () => {
  test('is the same for equal content and different for different content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const clean = JSON.parse(JSON.stringify(a));
        const other = JSON.parse(JSON.stringify(b));
        const areEqual = JSON.stringify(clean) === JSON.stringify(other);
        expect(contentKey(clean) === contentKey(structuredClone(clean))).toBe(true);
        expect(contentKey(clean) === contentKey(other)).toBe(areEqual);
      }),
    );
  });

  for (const [what, value] of [
    ['a function', { check: () => true }],
    ['a class instance', { pattern: /a/ }],
    ['a symbol key', { [Symbol('kind')]: 1 }],
    ['undefined', { default: undefined }],
    ['NaN', { default: Number.NaN }],
    ['a bigint', { default: 1n }],
    ['a date', { default: new Date(0) }],
  ] as const) {
    test(`is undefined for a schema with ${what} in it`, () => {
      expect(contentKey({ type: 'object', inner: value })).toBeUndefined();
    });
  }

  test('is undefined for a schema that contains itself', () => {
    const schema: { self?: object } = {};
    schema.self = schema;
    expect(contentKey(schema)).toBeUndefined();
  });
});
