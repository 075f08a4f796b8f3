import { expect, test } from 'vitest';
import { fromSource } from '../../test/from-source.ts';
import { compile } from '../compile.ts';

const manyNames = Array.from({ length: 66_000 }, (_, index) => `p${index}`);

for (const [count, make] of [
  [1001, compile],
  [1001, fromSource],
  [66_000, compile],
] as const) {
  test(`an object of ${count} properties is written by ${make.name}`, () => {
    const names = manyNames.slice(0, count);
    const fields = names.map((name, index) => [name, { type: index % 2 === 0 ? 'integer' : 'string' }]);
    const write = make({
      type: 'object',
      required: ['p7'],
      properties: { ...Object.fromEntries(fields), extra: { default: 5 } },
      additionalProperties: { type: 'boolean' },
    });
    const value = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? index : '"']));
    const { p7, ...others } = value;
    expect(write({ ...value, extra: 1, more: 1 })).toBe(
      JSON.stringify({ p7, ...others, extra: 1, more: true }),
    );
    expect(write({ p7: 'x', p998: '1' })).toBe('{"p7":"x","p998":1,"extra":5}');
    expect(() => write({})).toThrow('"p7" is required!');
  });
}

test('more constants than a function can have parameters are linked', () => {
  const patternProperties = Object.fromEntries(manyNames.map((name) => [`^${name}$`, { type: 'integer' }]));
  expect(compile({ type: 'object', patternProperties })({ p65999: '1' })).toBe('{"p65999":1}');
});
