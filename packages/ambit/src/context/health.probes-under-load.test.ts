/** Probes over sockets while the application refuses all other requests, or while a service that it depends on hangs. */
import type { AmbitOptions } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['the engine', {}],
  ["node's server", { engine: 'node' }],
];

describe.each(flavors)('on %s', (_flavor, make) => {
  test.each(lanes)('%s: probes are answered while every other request is refused', async (_lane, options) => {
    const app = make({ ...options, health: true, overload: { minLimit: 1, maxLimit: 1 } });
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let missing = 2;
    const full = new Promise<void>((resolve) => {
      app.get('/held', async () => {
        missing--;
        if (missing === 0) resolve();
        await released;
        return 'held';
      });
    });
    app.post('/', () => 'not reached');
    const port = await servePort(app);
    // Each on its own connection and in its own turn, because one turn may admit several requests.
    const runningRequests = [await open(port), await open(port)];
    for (const { socket } of runningRequests) socket.write(request('GET', '/held', 'Connection: close'));
    await full;
    for (let i = 0; i < 3; i++) {
      // Its body never comes, so it must be refused because of its head alone.
      const head = request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 1000000');
      const refused = await converse(port, head);
      expect(statuses(refused)).toEqual([503]);
      expect(refused.toLowerCase()).toContain('retry-after: 1\r\n');
      for (const path of ['/livez', '/readyz']) {
        expect(statuses(await converse(port, lastRequest('GET', path)))).toEqual([200]);
      }
    }
    release();
    for (const { ended } of runningRequests) expect(statuses(await ended)).toEqual([200]);
  });

  test.each(lanes)(
    '%s: liveness is answered while a check of readiness hangs, and does not wait for it',
    async (_lane, options) => {
      const app = make({ ...options, health: true });
      let answer = (): void => {};
      let runs = 0;
      const asked = new Promise<void>((resolve) => {
        app.addReadinessCheck(
          'database',
          () => {
            runs++;
            resolve();
            return new Promise<void>((settle) => {
              answer = settle;
            });
          },
          { timeoutMs: 2 ** 31 - 1 },
        );
      });
      const port = await servePort(app);
      const ready = converse(port, lastRequest('GET', '/readyz'));
      await asked;
      for (let i = 0; i < 3; i++) {
        expect(await converse(port, lastRequest('GET', '/livez'))).toMatch(/ 200 OK\r\n.*"status":"ok"/s);
      }
      expect(runs).toBe(1);
      answer();
      expect(statuses(await ready)).toEqual([200]);
    },
  );
});
