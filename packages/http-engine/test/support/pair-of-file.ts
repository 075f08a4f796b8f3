/** Starts the two servers, one of node and one with the engine, to which all cases of a test file are sent. */
import { afterAll, beforeAll, expect } from 'vitest';
import { findDifference } from './difference.ts';
import { makePair, type Pair } from './differential.ts';
import { splitInEachWay } from './pieces.ts';

/**
 * Starts both servers before the tests of the file, and closes them after these.
 *
 * @param fewestRequests The minimum number of requests that the engine must have served itself. With fewer, node would be compared with
 *   node.
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
