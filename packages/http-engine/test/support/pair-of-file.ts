/** Owns the two servers, node's and the engine's, that all cases of a test file are sent to. */
import { afterAll, beforeAll, expect } from 'vitest';
import { findDifference } from './difference.ts';
import { makePair, type Pair } from './differential.ts';
import { splitInEachWay } from './pieces.ts';

/**
 * Starts both servers before the tests of the file, and closes them after these.
 *
 * @param fewestRequests How many requests the engine must at least have served itself. With fewer, the cases compare node with node.
 * @returns A function that sends bytes to both servers whole, cut in two at each place, byte by byte and in random pieces. It returns
 *   what differs.
 */
export function pairOfFile(fewestRequests: number): (bytes: Buffer, seed: number) => Promise<unknown[]> {
  let pair: Pair;
  beforeAll(async () => {
    pair = await makePair(false);
  });
  afterAll(() => {
    expect(pair.engine.counters.requests).toBeGreaterThan(fewestRequests);
    for (const server of pair.servers) server.close();
  });
  return async (bytes, seed) => {
    const differences = splitInEachWay(bytes, seed).map((pieces) => findDifference(pair, pieces));
    return (await Promise.all(differences)).filter((difference) => difference !== undefined);
  };
}
