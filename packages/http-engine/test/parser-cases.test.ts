/** The cases of node's own parser, to node and to the engine: as they are, and with a Host, without which node refuses them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { splitInEachWay } from './support/pieces.ts';
import { parserCases } from './vectors/parser-cases.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair(false);
});
afterAll(() => {
  expect(pair.engine.counters.requests).toBeGreaterThan(1000);
  for (const server of pair.servers) server.close();
});

const withHost = (text: string): string => text.replace('\r\n', '\r\nHost: a\r\n');

for (const [i, [title, text]] of parserCases.entries()) {
  for (const [name, bytes] of [
    [title, Buffer.from(text, 'latin1')],
    [`${title}, with a Host`, Buffer.from(withHost(text), 'latin1')],
  ] as const) {
    test(`${name}: whole, cut in two at each place, byte by byte, in random pieces`, async () => {
      const ways = splitInEachWay(bytes, i);
      const differences = await Promise.all(ways.map((pieces) => findDifference(pair, pieces)));
      expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
    });
  }
}
