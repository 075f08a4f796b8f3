import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const letters = 'abcdefghij';
const word = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength: 12 });
const typed = [
  ['bodyLimt', 'bodyLimit'],
  ['bodylimit', 'bodyLimit'],
  ['BODYLIMIT', 'bodyLimit'],
  ['bodyLimits', 'bodyLimit'],
  ['boddyLimmit', 'bodyLimit'],
  ['loger', 'logger'],
  ['htps', 'https'],
  ['prot', 'port'],
  ['hots', 'host'],
  ['oprt', 'port'],
  ['bdoyLimti', 'bodyLimit'],
] as const;
const known = ['bodyLimit', 'logger', 'https', 'http2', 'trustProxy', 'port', 'host'];

for (const [name, meant] of typed) {
  test(`${name} was probably meant to be ${meant}`, () => {
    expect(nearestName(name, known)).toBe(meant);
  });
}

for (const name of ['', 'x', 'banana', 'boodyyLiimit', 'proxy']) {
  test(`'${name}' has no nearest name`, () => {
    expect(nearestName(name, known)).toBeUndefined();
  });
}

test('the nearest name of a known name is the name itself', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word(1), { minLength: 1 }), fc.nat(), (names, at) => {
      const name = names[at % names.length]!;
      expect(nearestName(name, names)).toBe(name);
    }),
  );
});

test('the nearest name is always a candidate', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (name, candidates) => {
      expect([undefined, ...candidates]).toContain(nearestName(name, candidates));
    }),
  );
});

test('two swapped neighbours are one edit, at any position', () => {
  const distinct = fc.uniqueArray(fc.constantFrom(...letters), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(distinct, fc.nat(), (name, from) => {
      const at = from % (name.length - 1);
      const swapped = [...name.slice(0, at), name[at + 1], name[at], ...name.slice(at + 2)];
      expect(nearestName(swapped.join(''), [name.join('')])).toBe(name.join(''));
    }),
  );
});

/** Returns a word in which so many letters are replaced by letters that it does not have. */
const misspell = (text: string, edits: number, from: number): string =>
  [...text].map((letter, i) => ((i + from) % text.length < edits ? '#' : letter)).join('');

for (const [minLength, edits, isFound] of [
  [5, 2, true],
  [5, 3, false],
] as const) {
  test(`a long name with ${edits} letters wrong is found: ${isFound}`, () => {
    fc.assert(
      fc.property(word(minLength), fc.nat({ max: 11 }), (name, from) => {
        expect(nearestName(misspell(name, edits, from), [name]) === name).toBe(isFound);
      }),
    );
  });
}

for (const [edits, isFound] of [
  [1, true],
  [2, false],
] as const) {
  test(`a name of four letters with ${edits} wrong is found: ${isFound}`, () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 4 }),
        fc.nat({ max: 3 }),
        (name, from) => {
          expect(nearestName(misspell(name, edits, from), [name]) === name).toBe(isFound);
        },
      ),
    );
  });
}

test('the nearer of two names is found, or the first one if both are equally near', () => {
  expect(nearestName('colour', ['colours', 'colour'])).toBe('colour');
  expect(nearestName('abcdef', ['abcdeX', 'abcdeY'])).toBe('abcdeX');
});
