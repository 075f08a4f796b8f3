/** What HTTP wants of a server is so with the engine: incomplete requests wait, valid ones are served, all others refused; as node reads them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifference } from './support/difference.ts';
import { makePair, type Pair } from './support/differential.ts';
import { splitInEachWay } from './support/pieces.ts';
import { serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';
import { specificationCases } from './vectors/specification-cases.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair(false);
});
afterAll(() => {
  expect(pair.engine.counters.requests).toBeGreaterThan(100);
  for (const server of pair.servers) server.close();
});

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
    const ways = splitInEachWay(Buffer.from(text, 'latin1'), i);
    const differences = await Promise.all(ways.map((pieces) => findDifference(pair, pieces)));
    expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
  });
}
