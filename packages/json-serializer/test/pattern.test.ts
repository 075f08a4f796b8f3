import { expect, test } from 'vitest';
import { compile } from '../src/compile.ts';
import { fromSource } from './from-source.ts';

for (const make of [compile, fromSource]) {
  test(`a pattern matches characters beyond U+FFFF as one character: ${make.name}`, () => {
    const integer = { type: 'integer' };
    const write = make({
      type: 'object',
      patternProperties: { '^[\u{1f600}-\u{1f64f}]$': integer, '^.$': {} },
    });
    expect(write({ '😀': '5', '🚀': '5', '\ud83d': 1, ab: 1 })).toBe('{"😀":5,"🚀":"5","\\ud83d":1}');
    const choose = make({
      anyOf: [
        { type: 'string', pattern: '^.$' },
        { type: 'string', format: 'date' },
      ],
    });
    expect(choose('😀')).toBe('"😀"');
    expect(
      make({ type: 'object', patternProperties: { '^\\p{Lu}$': integer } })({ É: '1', 'p{Lu}': '2' }),
    ).toBe('{"É":1}');
  });

  test(`patterns that are invalid in Unicode mode are compiled without it: ${make.name}`, () => {
    const write = make({ type: 'object', patternProperties: { '^a\\-b$': { type: 'integer' } } });
    expect(write({ 'a-b': '1', ab: '2' })).toBe('{"a-b":1}');
    const choose = make({
      anyOf: [
        { type: 'string', pattern: '^\\-' },
        { type: 'string', maxLength: 1 },
      ],
    });
    expect(choose('-long')).toBe('"-long"');
    expect(() => choose('long')).toThrow('does not match');
  });

  test(`a property that matches a pattern of one part is merged with the other parts: ${make.name}`, () => {
    const schema = {
      type: 'object',
      allOf: [
        { properties: { '😀': {} }, patternProperties: { b: {} } },
        { patternProperties: { '^.$': { type: 'integer' } } },
      ],
    };
    expect(make(schema)({ '😀': '5' })).toBe('{"😀":5}');
  });
}
