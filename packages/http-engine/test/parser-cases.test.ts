/** The cases of node's own parser, to node and to the engine: as they are, and with a Host, without which node refuses them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { makeRandom, splitAtEach, splitAtRandom, splitIntoBytes } from './support/pieces.ts';
import { parserCases } from './vectors/parser-cases.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair(false);
});
afterAll(() => {
  expect(pair.engine.counters.requests).toBeGreaterThan(1000);
  for (const server of pair.servers) server.close();
});

async function expectSame(ways: readonly Buffer[][]): Promise<void> {
  const differences = await Promise.all(ways.map((pieces) => findDifference(pair, pieces)));
  expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
}

for (const [i, [title, text]] of parserCases.entries()) {
  const random = makeRandom(i);
  const bytes = Buffer.from(text, 'latin1');

  test(`${title}: whole, byte by byte, in random pieces`, async () => {
    await expectSame([
      [bytes],
      splitIntoBytes(bytes),
      splitAtRandom(bytes, random),
      splitAtRandom(bytes, random),
    ]);
  });

  test(`${title}, with a Host: whole, and cut in two at each place`, async () => {
    const withHost = Buffer.from(text.replace('\r\n', '\r\nHost: a\r\n'), 'latin1');
    await expectSame([[withHost], ...splitAtEach(withHost)]);
  });
}
