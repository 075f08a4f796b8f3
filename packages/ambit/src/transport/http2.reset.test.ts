/** Requests over HTTP/2 that their client resets in the middle of their body. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { hurry } from '../../test/support/hurry.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

const types = { data: 0, headers: 1, reset: 3, settings: 4 };

/** A frame (RFC 9113, 4.1). Node's client cannot reset a stream without ending its body first. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field that HPACK does not index, with the index of its name in the static table (RFC 7541, 6.2.2). */
function field(index: readonly number[], value: string): Buffer {
  return Buffer.concat([Buffer.from([...index, value.length]), Buffer.from(value)]);
}

/** The largest payload of a frame (RFC 9113, 4.2). */
const maxFrame = 16_384;
const endHeaders = 4;
const authority = field([1], 'localhost');
const contentType = field([0x0f, 31 - 15], 'text/plain');
/** Comes after `:method: POST`, `:scheme: http` and `:path: /`. */
const postText = Buffer.concat([Buffer.from([0x83, 0x86, 0x84]), authority, contentType]);

/** @param pieces The half of the body, in data frames. */
async function sendHalf(app: Context, pieces = ['half']): Promise<Socket> {
  const socket = connect(await servePort(app), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(types.settings, 0, 0, Buffer.alloc(0)));
  socket.write(frame(types.headers, endHeaders, 1, postText));
  for (const piece of pieces) socket.write(frame(types.data, 0, 1, Buffer.from(piece)));
  return socket;
}

function reset(socket: Socket, code: number): void {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  socket.write(frame(types.reset, 0, 1, payload));
}

/** Adds a route. `arrived` resolves when a request for it has come, and `runs` counts the calls of its handler. */
function awaitRequest(app: Context): { arrived: Promise<void>; runs: () => number } {
  let runs = 0;
  app.post('/', () => ++runs);
  const arrived = new Promise<void>((resolve) => {
    app.addHook('preParsing', async () => resolve());
  });
  return { arrived, runs: () => runs };
}

const codes = { NO_ERROR: 0, INTERNAL_ERROR: 2, CANCEL: 8 };

describe.each(flavors)('%s', (_flavor, make) => {
  describe.each(Object.entries(codes))('a request that its client resets with %s', (_name, code) => {
    test('in the middle of its body does not reach its handler, and fails with ECONNRESET', async () => {
      const app = make({ http2: true });
      const { arrived, runs } = awaitRequest(app);
      const failed = new Promise((resolve) => {
        app.setErrorHandler((error, _request, reply) => {
          resolve(error);
          return reply.send(error);
        });
      });
      const socket = await sendHalf(app);
      await arrived;
      reset(socket, code);
      expect(await failed).toMatchObject({ code: 'ECONNRESET', statusCode: 400 });
      expect(runs()).toBe(0);
    });

    test('fails the stream that a parser of the application reads', async () => {
      const app = make({ http2: true });
      const { arrived, runs } = awaitRequest(app);
      const failed = new Promise((resolve) => {
        app.removeContentTypeParser('text/plain');
        app.addContentTypeParser('text/plain', (_request, payload, done) => {
          payload.resume();
          payload.on('end', () => done(null, 'whole'));
          payload.on('error', (error) => {
            resolve(error);
            done(error);
          });
        });
      });
      const socket = await sendHalf(app);
      await arrived;
      reset(socket, code);
      expect(await failed).toMatchObject({ code: 'ECONNRESET' });
      expect(runs()).toBe(0);
    });

    test('does not keep the server from closing if its body was not read to the end', async () => {
      const app = make({ http2: true });
      const paused = new Promise<void>((resolve) => {
        app.removeContentTypeParser('text/plain');
        app.addContentTypeParser('text/plain', (_request, payload) => {
          payload.once('data', () => {
            payload.pause();
            resolve();
          });
        });
      });
      app.post('/', () => 'never');
      const socket = await sendHalf(
        app,
        Array.from({ length: 3 }, () => 'x'.repeat(maxFrame)),
      );
      await paused;
      reset(socket, code);
      hurry();
      await app.close();
    });

    test('does not keep the server from closing if its client did not read the response', async () => {
      const app = make({ http2: true });
      app.addHook('onRequest', async (_request, reply) => reply.send('x'.repeat(1_000_000)));
      app.post('/', () => 'never');
      const socket = await sendHalf(
        app,
        Array.from({ length: 3 }, () => 'x'.repeat(maxFrame)),
      );
      await once(socket, 'data');
      await setTimeout(50);
      reset(socket, code);
      hurry();
      await app.close();
    });
  });
});
