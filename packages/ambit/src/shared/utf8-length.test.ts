import { expect, test } from 'vitest';
import { utf8Length } from './utf8-length.ts';

const lengths = [0, 1, 2048, 2049, 32_763, 32_764, 32_768, 100_000];
const characters = { ASCII: 'x', 'two bytes': 'é', 'three bytes': '漢', 'half of a pair': '\ud83d' };

for (const length of lengths) {
  for (const [name, character] of Object.entries(characters)) {
    test(`${length} characters with ${name} at either end are measured exactly`, () => {
      const text = 'x'.repeat(length);
      for (const whole of [text + character, character + text, text + character.repeat(length)]) {
        expect(utf8Length(whole)).toBe(Buffer.from(whole).length);
      }
    });
  }
}

test('earlier texts do not change the measured length', () => {
  expect(utf8Length('é'.repeat(4096))).toBe(8192);
  expect(utf8Length('e'.repeat(4096))).toBe(4096);
});
