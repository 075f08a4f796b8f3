import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLongestChain, type ReferencedSchema } from './schema-precheck.ts';

const link = (depth: number, ...references: string[]): ReferencedSchema => ({
  depth,
  references: new Set(references),
});

for (const [what, links, depth] of [
  ['nothing', {}, 0],
  ['links that do not refer', { a: link(2), b: link(3) }, 3],
  ['a chain', { a: link(1, 'b'), b: link(2, 'c'), c: link(3) }, 6],
  ['the longer of two ways', { a: link(1, 'b', 'c'), b: link(5), c: link(1, 'd'), d: link(1) }, 6],
  ['a circle', { a: link(1, 'b'), b: link(2, 'a'), c: link(4) }, 7],
  ['one that refers to itself', { a: link(3, 'a') }, 3],
  ['one that leads to a circle', { a: link(1, 'b'), b: link(2, 'b', 'c'), c: link(4) }, 7],
] as const) {
  test(`the longest chain of ${what}`, () => {
    expect(findLongestChain(new Map<string, ReferencedSchema>(Object.entries(links)), 100)).toBe(depth);
  });
}

test('a chain that is too long ends the search', () => {
  const links = Array.from({ length: 20_000 }, (_, i): [string, ReferencedSchema] => [
    `${i}`,
    link(1, `${i + 1}`),
  ]);
  expect(findLongestChain(new Map([...links, ['20000', link(1)]]), 10)).toBeGreaterThan(10);
});

test('no path through the references is longer than the result', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const links = fc
    .array(fc.record({ depth: fc.integer({ min: 1, max: 4 }), to: fc.subarray(names) }), {
      minLength: 5,
      maxLength: 5,
    })
    .map((all) => new Map(all.map(({ depth, to }, i) => [names[i]!, link(depth, ...to)])));
  fc.assert(
    fc.property(links, (all) => {
      const walk = (name: string, seen: ReadonlySet<string>): number => {
        const { depth, references } = all.get(name)!;
        const next = [...references].filter((other) => !seen.has(other));
        return depth + Math.max(0, ...next.map((other) => walk(other, new Set([...seen, other]))));
      };
      for (const name of names)
        expect(walk(name, new Set([name]))).toBeLessThanOrEqual(findLongestChain(all, 1_000));
    }),
  );
});
