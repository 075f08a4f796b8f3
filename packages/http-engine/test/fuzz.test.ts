/**
 * Sends randomly changed requests to node and to the engine: both must see and answer the same. The seed is fixed; `npm run fuzz`
 * runs more of them.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { fuzz, fuzzTimeoutMs } from '../../ambit/test/support/fuzz.ts';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { mutate } from './support/mutations.ts';
import { makeRandom, splitAtRandom } from './support/pieces.ts';
import { accepted } from './vectors/accepted.ts';
import { handedOver } from './vectors/handed-over.ts';
import { smugglingCases } from './vectors/smuggling-cases.ts';

const served = Object.values(accepted);
const invalidRequests = [
  ...Object.values(handedOver).map(([text]) => text),
  ...smugglingCases.map(([, text]) => text),
];
const pairs: Pair[] = [];
afterAll(() => {
  for (const { servers } of pairs) for (const server of servers) server.close();
});

/** The pieces of one connection, as text that JSON can express. */
type Input = readonly string[];

const anyInput: fc.Arbitrary<Input> = fc.integer().map((seed) => {
  const random = makeRandom(seed);
  const bytes = mutate(random, random(2) === 0 ? served : invalidRequests);
  const pieces = random(4) === 0 ? splitAtRandom(bytes, random) : [bytes];
  return pieces.map((piece) => piece.toString('latin1'));
});

for (const isRaw of [false, true]) {
  test(`mutated requests are read ${isRaw ? "with node's objects" : "with the engine's words"} as node reads them`, {
    timeout: fuzzTimeoutMs,
  }, async () => {
    const pair = await makePair(isRaw);
    pairs.push(pair);
    let tried = 0;
    // Many connections at a time, because each spends most of its time waiting.
    const check = async (list: readonly Input[]): Promise<void> => {
      const pieces = list.map((input) => input.map((text) => Buffer.from(text, 'latin1')));
      const found = await Promise.all(pieces.map((each) => findDifference(pair, each)));
      expect(found.filter((difference) => difference !== undefined)).toEqual([]);
      tried += list.length;
    };
    // Lists have half of that length on average: some 10,000 inputs in `npm test`.
    await fuzz('wire', { inputs: anyInput, check, listLength: 100, runs: 220, share: 0.5 });
    // Most of these requests are invalid. Some of them must be served by the engine, because otherwise nothing was compared.
    expect(pair.engine.counters.requests).toBeGreaterThan(tried / 10);
  });
}
