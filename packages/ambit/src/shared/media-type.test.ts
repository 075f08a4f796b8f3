import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInRange, parseMediaType } from './media-type.ts';

const tokenCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+.^_`|~-";
const token = fc.string({ unit: fc.constantFrom(...tokenCharacters), minLength: 1, maxLength: 12 });
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 });
/** The characters of a quoted string (RFC 9110, 5.6.4), including quotes and backslashes. */
const content = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(9))
    .map((code) => String.fromCharCode(code)),
  maxLength: 12,
});
const quoted = content.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);
const essence = fc.tuple(token, token).map((parts) => parts.join('/'));
const parameters = fc.uniqueArray(fc.tuple(token, fc.oneof(token, quoted)), {
  selector: ([name]) => name.toLowerCase(),
  maxLength: 4,
});
const headerText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'/;=", \t\\"+*', 'application', 'json', 'charset', 'utf-8'),
    fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 40,
});

const written = (type: string, list: [string, string][]): string =>
  [type, ...list.map(([name, value]) => `${name}=${value}`)].join(';');

test('the parser never throws, and a value without an essence has no parameters and no text', () => {
  fc.assert(
    fc.property(fc.oneof(headerText, fc.string({ unit: 'binary' })), (text) => {
      const parsed = parseMediaType(text);
      expect(parsed.essence === undefined).toBe(parsed.text === '');
      expect(parsed.parameters.size === 0 || parsed.essence !== undefined).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('the canonical text of any value parses to itself', () => {
  fc.assert(
    fc.property(headerText, (text) => {
      const parsed = parseMediaType(text);
      const again = parseMediaType(parsed.text);
      expect(again).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});

test('a media type in any case, with white space and parameters around it, has the essence in lower case', () => {
  fc.assert(
    fc.property(essence, parameters, blanks, blanks, (type, list, before, after) => {
      const parsed = parseMediaType(`${before}${type}${after}${written('', list)}`);
      expect(parsed.essence).toBe(type.toLowerCase());
      expect(parsed.parameters.size).toBe(list.length);
    }),
  );
});

test('names of parameters are read in lower case, values as they are, unquoted', () => {
  fc.assert(
    fc.property(
      essence,
      fc.uniqueArray(fc.tuple(token, content), { selector: ([name]) => name.toLowerCase() }),
      (type, list) => {
        const quotedList = list.map(([name, text]): [string, string] => [
          name,
          `"${text.replace(/["\\]/g, '\\$&')}"`,
        ]);
        const { parameters: read } = parseMediaType(written(type, quotedList));
        expect([...read]).toEqual(list.map(([name, text]) => [name.toLowerCase(), text]));
      },
    ),
  );
});

test('case and white space at the separators do not matter', () => {
  fc.assert(
    fc.property(essence, parameters, blanks, (type, list, blank) => {
      const plain = parseMediaType(written(type, list));
      const loud = list.map(([name, value]) => `${blank}${name.toUpperCase()}=${value}${blank}`);
      expect(parseMediaType([`${blank}${type.toUpperCase()}${blank}`, ...loud].join(';'))).toEqual(plain);
    }),
  );
});

test('a value with a character in its essence that is not allowed in tokens has no essence', () => {
  const outside = fc.constantFrom(...'(),:<=>?@[]{}\\" \t\0\x7f\x80\xa0\xff', '//');
  fc.assert(
    fc.property(token, token, outside, token, (type, start, character, end) => {
      expect(parseMediaType(`${type}/${start}${character}${end}`).essence).toBeUndefined();
      expect(parseMediaType(`${start}${character}${end}/${type}`).essence).toBeUndefined();
    }),
  );
});

test('text inside a quoted value is not a parameter', () => {
  const { parameters: read } = parseMediaType('text/plain; a="x; charset=utf-16"; b=c');
  expect([...read]).toEqual([
    ['a', 'x; charset=utf-16'],
    ['b', 'c'],
  ]);
});

for (const text of [
  'text/plain; x charset=utf-16',
  'text/plain; (charset=utf-16',
  'text/plain; ="; charset=utf-16',
]) {
  test(`a parameter only begins after a semicolon: ${text}`, () => {
    expect(parseMediaType(text).essence).toBe('text/plain');
    expect([...parseMediaType(text).parameters.keys()].filter((name) => name !== 'charset')).toEqual([]);
  });
}

test('a value of many thousand blanks, quotes or semicolons is parsed in linear time', () => {
  const size = 100_000;
  for (const piece of [' ', '\t', ';', '"', '\\', ';a="', ';a=\\', '; ', '/', 'a=']) {
    expect(parseMediaType(`a/b;${piece.repeat(size)}`).essence).toBe('a/b');
    expect(parseMediaType(`a${' '.repeat(size)}${piece.repeat(size)}b`).essence).toBeUndefined();
  }
});

test('a missing value, an empty one and blanks are not media types', () => {
  for (const value of [undefined, '', ' ', '\t']) expect(parseMediaType(value).essence).toBeUndefined();
});

test('a value that was parsed before is not parsed again', () => {
  expect(parseMediaType('text/x-known')).toBe(parseMediaType('text/x-known'));
});

test('every value is parsed correctly, however many are cached', () => {
  for (let i = 0; i < 2000; i++)
    expect(parseMediaType(`text/x-${i}; n=${i}`).text).toBe(`text/x-${i}; n="${i}"`);
});

for (const [range, type, expected] of [
  ['text/html', 'text/html', true],
  ['text/html', 'text/htmlx', false],
  ['text/*', 'text/html', true],
  ['text/*', 'texts/html', false],
  ['application/*+json', 'application/problem+json', true],
  ['application/*+json', 'application/json', false],
  ['application/*+json', 'text/problem+json', false],
  ['*/*', 'any/thing', true],
] as const) {
  test(`${type} is in the range ${range}: ${expected}`, () => {
    expect(isInRange(range, type)).toBe(expected);
  });
}

test('a range never matches a type shorter than itself, because its beginning and end must not overlap', () => {
  expect(['a/x', 'a/xx', 'a/xyx'].map((type) => isInRange('a/x*x', type))).toEqual([false, false, true]);
});
