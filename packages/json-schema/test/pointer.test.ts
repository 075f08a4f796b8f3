import { encodeStep, followPointer, stepsOf } from '@ambit/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('a pointer leads through the names that it was made of', () => {
  const name = fc.string().filter((text) => !text.includes('%'));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), (names) => {
      const pointer = names.map((each) => `/${encodeStep(each)}`).join('');
      const document = names.reduceRight<unknown>(
        (inner, each) => Object.fromEntries([[each, inner]]),
        'here',
      );
      expect(stepsOf(pointer)).toEqual(names);
      expect(followPointer(document, pointer)).toBe('here');
    }),
  );
});

for (const [pointer, found] of [
  ['', { a: [{ 'b/c': 1 }], '%': 2 }],
  ['/a/0/b~1c', 1],
  ['/%25', 2],
  ['/%', 2],
  ['/toString', undefined],
  ['/a/1/b', undefined],
  ['/__proto__', undefined],
] as const) {
  test(`'${pointer}' leads to ${JSON.stringify(found)}`, () => {
    expect(followPointer({ a: [{ 'b/c': 1 }], '%': 2 }, pointer)).toEqual(found);
  });
}
