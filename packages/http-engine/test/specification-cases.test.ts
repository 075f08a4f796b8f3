/** What HTTP wants of a server is so with the engine: incomplete requests wait, valid ones are served, all others refused. */
import { expect, test } from 'vitest';
import { serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';
import { specificationCases } from './vectors/specification-cases.ts';

for (const [title, text, status] of specificationCases) {
  test(`${title}: ${status === '' ? 'waits' : `is answered ${status}xx`}`, async () => {
    const { connect } = await serve((exchange) => exchange.respond(200, {}, 'served'));
    const client = await connect();
    client.send(text);
    await passTurns(10);
    await client.expectText('\r\n\r\n', Number(status !== ''));
    expect(client.received.slice(0, 10)).toBe(status === '' ? '' : `HTTP/1.1 ${status}`);
  });
}
