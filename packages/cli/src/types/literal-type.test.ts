import { expect, test } from 'vitest';
import { literalType } from './declare-routes.ts';

for (const [value, text] of [
  ['a"b', '"a\\"b"'],
  [1.5, '1.5'],
  [null, 'null'],
  [true, 'true'],
  [undefined, 'null'],
  [[], 'readonly []'],
  [['a', 1], 'readonly ["a", 1]'],
  [{}, '{}'],
  [
    { a: { 200: 1, '2xx': 2, 'x-y': 3 } },
    '{\n  readonly a: {\n    readonly 200: 1;\n    readonly "2xx": 2;\n    readonly "x-y": 3;\n  };\n}',
  ],
  [{ skipped: undefined, called: () => {} }, '{}'],
] as const) {
  test(`${JSON.stringify(value)} is ${JSON.stringify(text)}`, () => expect(literalType(value, 0)).toBe(text));
}
