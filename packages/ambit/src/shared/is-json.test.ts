// The media types that count as JSON.
import { expect, test } from 'vitest';
import { isJson } from './is-json.ts';

for (const [type, expected] of [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['image/svg+json', true],
  ['text/json', true],
  ['text/plain', false],
  ['', false],
  [null, false],
  [undefined, false],
] as const) {
  test(`${type} is JSON: ${expected}`, () => {
    expect(isJson(type)).toBe(expected);
  });
}
