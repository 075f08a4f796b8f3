/** The time limit for whole requests over HTTP/1.1, with clients that send a few bytes again and again. */
import type { AmbitOptions } from 'ambit';
import { expect, onTestFinished, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { hurry } from '../../test/support/hurry.ts';
import { open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

const lanes: Record<string, AmbitOptions> = { 'the engine': {}, 'node:http': { engine: 'node' } };
const arriving: Record<string, string> = {
  head: 'POST / HTTP/1.1\r\nHost: localhost\r\nX-Filler: ',
  body: request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 1000000'),
};

for (const [flavor, make] of flavors) {
  for (const [lane, options] of Object.entries(lanes)) {
    for (const [part, beginning] of Object.entries(arriving)) {
      test(`${flavor}, ${lane}: a ${part} that trickles in is answered 408, and the handler does not run`, async () => {
        hurry(10);
        const http = { connectionsCheckingInterval: 20 };
        const app = make({ ...options, http, headersTimeout: 50, requestTimeout: 50 });
        let runs = 0;
        app.post('/', () => ++runs);
        const { socket, ended } = await open(await servePort(app));
        socket.write(beginning);
        const sending = setInterval(() => socket.write('x'), 10);
        onTestFinished(() => clearInterval(sending));
        expect(statuses(await ended)).toEqual([408]);
        expect(runs).toBe(0);
      });
    }
  }
}
