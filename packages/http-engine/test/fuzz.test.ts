/**
 * Requests that were changed at random, to node and to the engine: what both see and answer is the same. The seed is fixed; the
 * nightly run asks for more (`FUZZ_INPUTS`, `FUZZ_SEED`).
 */
import { afterAll, expect, test } from 'vitest';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { mutate } from './support/mutations.ts';
import { makeRandom, splitAtRandom } from './support/pieces.ts';
import { accepted } from './vectors/accepted.ts';
import { handedOver } from './vectors/handed-over.ts';
import { smugglingCases } from './vectors/smuggling-cases.ts';

const count = Number(process.env.FUZZ_INPUTS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const atATime = 50;
const served = Object.values(accepted);
const odd = [...Object.values(handedOver).map(([text]) => text), ...smugglingCases.map(([, text]) => text)];
const pairs: Pair[] = [];
afterAll(() => {
  for (const { servers } of pairs) for (const server of servers) server.close();
});

for (const isRaw of [false, true]) {
  test(`${count / 2} inputs of seed ${seed} are read ${isRaw ? "with node's objects" : "with the engine's words"} as node reads them`, {
    timeout: 600_000 + count * 10,
  }, async () => {
    const random = makeRandom(seed + Number(isRaw));
    const pair = await makePair(isRaw);
    pairs.push(pair);
    const differences: object[] = [];
    for (let done = 0; done < count / 2; done += atATime) {
      const inputs = Array.from({ length: atATime }, (_, i) => {
        const bytes = mutate(random, random(2) === 0 ? served : odd);
        return i % 4 === 0 ? splitAtRandom(bytes, random) : [bytes];
      });
      const found = await Promise.all(inputs.map((pieces) => findDifference(pair, pieces)));
      differences.push(...found.filter((difference) => difference !== undefined));
    }
    expect(differences.slice(0, 5)).toEqual([]);
    // Most of what is made so is odd; a part of it must reach the engine, or nothing was compared.
    expect(pair.engine.counters.requests).toBeGreaterThan(count / 20);
  });
}
