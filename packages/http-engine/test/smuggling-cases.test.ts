/** Published attacks on pairs of servers, to node and to the engine: both see the same requests, in whatever pieces the bytes come. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { splitInEachWay } from './support/pieces.ts';
import { smugglingCases } from './vectors/smuggling-cases.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair(false);
});
afterAll(() => {
  expect(pair.engine.counters.requests).toBeGreaterThan(1000);
  for (const server of pair.servers) server.close();
});

for (const [i, [title, text]] of smugglingCases.entries()) {
  test(`${title}: whole, cut in two at each place, byte by byte, in random pieces`, async () => {
    const ways = splitInEachWay(Buffer.from(text, 'latin1'), i);
    const differences = await Promise.all(ways.map((way) => findDifference(pair, way)));
    expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
  });
}
