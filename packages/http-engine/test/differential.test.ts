/**
 * The engine accepts a subset of what node accepts, reads it in the same way, and gives node the rest. These tests send the same bytes to
 * both.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePair, type Pair } from './support/differential.ts';
import { makeRandom, splitAtEach, splitAtRandom, splitIntoBytes } from './support/pieces.ts';
import { accepted } from './vectors/accepted.ts';
import { handedOver } from './vectors/handed-over.ts';

for (const isRaw of [false, true]) {
  describe(
    isRaw ? "an application that uses node's objects" : "an application that uses the engine's words",
    () => {
      let pair: Pair;
      beforeAll(async () => {
        pair = await makePair(isRaw);
      });
      afterAll(() => {
        for (const server of pair.servers) server.close();
      });

      async function expectSame(ways: readonly Buffer[][]): Promise<void> {
        const outcomes = await Promise.all(ways.map((pieces) => pair.compare(pieces)));
        expect(outcomes.map(({ engine }) => engine)).toEqual(outcomes.map(({ node }) => node));
      }

      for (const [title, text] of Object.entries(accepted)) {
        const bytes = Buffer.from(text, 'latin1');

        test(`${title}: whole, and served by the engine`, async () => {
          const before = { ...pair.engine.counters.handedOver };
          await expectSame([[bytes]]);
          expect(pair.engine.counters.handedOver).toEqual(before);
        });

        test(`${title}: cut in two at many places`, async () => expectSame(splitAtEach(bytes)));

        test(`${title}: byte by byte, and in random pieces`, async () => {
          const random = makeRandom(text.length);
          await expectSame([
            splitIntoBytes(bytes),
            splitAtRandom(bytes, random),
            splitAtRandom(bytes, random),
          ]);
        });
      }

      for (const [title, [text, reason]] of Object.entries(handedOver)) {
        const bytes = Buffer.from(text, 'latin1');

        test(`${title}: whole, and served by node, which is counted`, async () => {
          const before = pair.engine.counters.handedOver[reason] ?? 0;
          await expectSame([[bytes]]);
          expect(pair.engine.counters.handedOver[reason]).toBe(before + 1);
        });

        test(`${title}: cut in two at many places`, async () => expectSame(splitAtEach(bytes)));

        test(`${title}: byte by byte, and in random pieces`, async () => {
          const random = makeRandom(text.length);
          await expectSame([
            splitIntoBytes(bytes),
            splitAtRandom(bytes, random),
            splitAtRandom(bytes, random),
          ]);
        });
      }
    },
  );
}
