/**
 * The engine does what HTTP requires of a server: it waits for incomplete requests, serves valid ones, and refuses all others. It reads
 * them as node does.
 */
import { expect, test } from 'vitest';
import { pairOfFile } from './support/pair-of-file.ts';
import { serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';
import { specificationCases } from './vectors/specification-cases.ts';

const findDifferences = pairOfFile(20);

for (const [i, [title, text, status]] of specificationCases.entries()) {
  test(`${title}: ${status === '' ? 'waits' : `is answered ${status}xx`}`, async () => {
    const { connect } = await serve((exchange) => exchange.respond(200, {}, 'served'));
    const client = await connect();
    client.send(text);
    await passTurns(10);
    await client.expectText('\r\n\r\n', Number(status !== ''));
    expect(client.received.slice(0, 10)).toBe(status === '' ? '' : `HTTP/1.1 ${status}`);
  });

  test(`${title}: as node reads it, whole, cut in two at each place, byte by byte, in random pieces`, async () => {
    expect(await findDifferences(Buffer.from(text, 'latin1'), i)).toEqual([]);
  });
}
