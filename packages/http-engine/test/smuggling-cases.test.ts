/**
 * Sends published attacks on pairs of servers to node and to the engine: both must see the same requests, in whatever pieces the bytes
 * arrive.
 */
import { expect, test } from 'vitest';
import { pairOfFile } from './support/pair-of-file.ts';
import { smugglingCases } from './vectors/smuggling-cases.ts';

const findDifferences = pairOfFile(500);

for (const [i, [title, text]] of smugglingCases.entries()) {
  test(`${title}: whole, cut in two at many places, byte by byte, in random pieces`, async () => {
    expect(await findDifferences(Buffer.from(text, 'latin1'), i)).toEqual([]);
  });
}
