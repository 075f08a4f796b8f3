/** An answer that comes before the request is complete reaches the client, who may still be sending. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../ambit/test/fixtures/certificate.ts';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { servePort } from '../../ambit/test/support/serve.ts';
import { type Open, openPlain, openTls } from './support/clients.ts';
import { flavors } from './support/flavors.ts';

forbidProcessFaults();

const wires: Record<string, { options: AmbitOptions; open: Open }> = {
  http: { options: {}, open: openPlain },
  https: { options: { https: { key, cert } }, open: openTls },
};

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n';

for (const [flavor, make] of flavors) {
  for (const [wire, { options, open }] of Object.entries(wires)) {
    describe(`${flavor}, ${wire}: a client that goes on sending`, () => {
      /** Sends half a request, and on once the answer has come. Tells what was received, and what failed. */
      async function goOnSending(
        app: Context,
      ): Promise<{ received: string; failures: unknown[]; socket: Socket }> {
        const socket = await open(await servePort(app));
        onTestFinished(() => void socket.destroy());
        const failures: unknown[] = [];
        let received = '';
        socket.on('error', (error) => failures.push(error)).setEncoding('latin1');
        socket.on('data', (chunk) => {
          received += chunk;
        });
        socket.write(`${head}half`);
        while (!received.includes('}')) await once(socket, 'data');
        for (let piece = 0; piece < 5 && socket.writable; piece++) {
          socket.write('more');
          await wait(5);
        }
        return { received, failures, socket };
      }

      const early: Record<string, (app: Context) => void> = {
        'an answer of a hook that ends the connection': (app) =>
          app.addHook('onRequest', async (_request, reply) =>
            reply.code(413).header('connection', 'close').send({ too: 'large' }),
          ),
        'a stream': (app) =>
          app.addHook('onRequest', async (_request, reply) =>
            reply
              .code(413)
              .header('connection', 'close')
              .send(Readable.from(['{"too":', '"large"}'])),
          ),
        'the refusal of a body that is too large': (app) => app.post('/', { bodyLimit: 10 }, () => 'read'),
      };

      for (const [name, arrange] of Object.entries(early)) {
        test(`receives ${name}, and is not reset`, async () => {
          const app = make(options);
          arrange(app);
          const { received, failures } = await goOnSending(app);
          expect(received).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
          expect(failures).toEqual([]);
        });
      }

      test('gets no answer to another request on that connection', async () => {
        const app = make(options);
        const urls: string[] = [];
        app.addHook('onRequest', async ({ url }) => void urls.push(url));
        app.post('/', { bodyLimit: 10 }, () => 'read');
        const { socket } = await goOnSending(app);
        socket.write(`${'x'.repeat(1_000)}GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await wait(20);
        expect(urls).toEqual(['/']);
      });

      test('is let go of after a while, and does not hold up close', async () => {
        const app = make(options);
        early['the refusal of a body that is too large']!(app);
        const connected = once(app.server, wire === 'https' ? 'secureConnection' : 'connection');
        await goOnSending(app);
        const [socket] = (await connected) as [Socket];
        await app.close();
        expect(socket.destroyed).toBe(true);
      });
    });
  }
}
