/**
 * Sends the test cases of node's own parser to node and to the engine: unchanged, and with a Host, because node refuses requests without
 * one.
 */
import { expect, test } from 'vitest';
import { pairOfFile } from './support/pair-of-file.ts';
import { parserCases } from './vectors/parser-cases.ts';

const findDifferences = pairOfFile(250);

const withHost = (text: string): string => text.replace('\r\n', '\r\nHost: a\r\n');

for (const [i, [title, text]] of parserCases.entries()) {
  for (const [name, bytes] of [
    [title, Buffer.from(text, 'latin1')],
    [`${title}, with a Host`, Buffer.from(withHost(text), 'latin1')],
  ] as const) {
    test(`${name}: whole, cut in two at many places, byte by byte, in random pieces`, async () => {
      expect(await findDifferences(bytes, i)).toEqual([]);
    });
  }
}
