/** The time limit for requests over HTTP/2: `requestTimeout`, as over HTTP/1.1. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../test/fixtures/certificate.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { portOf, serve } from '../../test/support/serve.ts';

forbidProcessFaults();

const http = { connectionsCheckingInterval: 20 };
const wires: Record<string, { scheme: 'http' | 'https'; options: AmbitOptions }> = {
  'in clear text': { scheme: 'http', options: { http, http2: true } },
  'over TLS': { scheme: 'https', options: { http, http2: true, https: { key, cert } } },
};

/** Longer than any test. */
const noLimitMs = 600_000;

function limitRequests(app: Context, requestTimeout: number): void {
  Object.assign(app.server as Server, { requestTimeout });
}

/** A request that sends a part of its body, and not its end. */
function begin(session: ClientHttp2Session, path = '/'): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'text/plain' });
  stream.on('error', () => {});
  stream.write('half');
  return stream;
}

async function answerTo(stream: ClientHttp2Stream): Promise<{ status: number | undefined; body: string }> {
  const received = once(stream, 'response') as Promise<[IncomingHttpHeaders & IncomingHttpStatusHeader]>;
  const [[headers], body] = await Promise.all([received, text(stream)]);
  return { status: headers[':status'], body };
}

describe.each(flavors)('%s', (_flavor, make) => {
  describe.each(Object.entries(wires))('HTTP/2 %s', (_wire, { scheme, options }) => {
    const start = async (app: Context): Promise<ClientHttp2Session> => {
      app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
      await serve(app);
      const session = connect(`${scheme}://localhost:${portOf(app)}`, { ca: cert, host: '127.0.0.1' });
      session.on('error', () => {});
      onTestFinished(() => session.destroy());
      await once(session, 'connect');
      return session;
    };

    test('a body that stalls is answered 408, and its handler does not run', async () => {
      const app = make({ ...options, requestTimeout: 50 });
      let runs = 0;
      app.post('/', () => ++runs);
      const stream = begin(await start(app));
      const closed = once(stream, 'close');
      const { status, body } = await answerTo(stream);
      expect(status).toBe(408);
      expect(JSON.parse(body)).toEqual({
        error: 'Request Timeout',
        message: 'Client Timeout',
        statusCode: 408,
      });
      await closed;
      // The response is complete: the client must only stop sending (RFC 9113, 8.1).
      expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
      expect(runs).toBe(0);
    });

    test('a body that trickles in is answered 408', async () => {
      const app = make({ ...options, requestTimeout: 50 });
      app.post('/', () => 'received');
      const stream = begin(await start(app));
      const timer = setInterval(() => stream.write('x'), 5);
      onTestFinished(() => clearInterval(timer));
      expect((await answerTo(stream)).status).toBe(408);
    });

    test('the other requests of its connection are served', async () => {
      const app = make({ ...options, requestTimeout: noLimitMs });
      let handle = (): void => {};
      const handling = new Promise<void>((resolve) => {
        handle = resolve;
      });
      let finish = (): void => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      app.post('/', (request) => request.body);
      app.post('/slow', async (request) => {
        handle();
        await finished;
        return request.body;
      });
      const session = await start(app);
      const completeRequest = begin(session, '/slow');
      completeRequest.end();
      await handling;
      const stalled = begin(session);
      limitRequests(app, 1);
      expect((await answerTo(stalled)).status).toBe(408);
      // The check that has ended that request has also seen this one, whose body is complete.
      finish();
      expect(await answerTo(completeRequest)).toEqual({ status: 200, body: 'half' });
      const later = session.request({ ':path': '/nowhere' });
      expect((await answerTo(later)).status).toBe(404);
    });

    test('a response that has begun is cut off, and the signal of its request aborts', async () => {
      const app = make({ ...options, requestTimeout: noLimitMs });
      let abort = (_reason: unknown): void => {};
      const aborted = new Promise((resolve) => {
        abort = resolve;
      });
      app.post('/', (request, reply) => {
        request.signal.addEventListener('abort', () => abort(request.signal.reason));
        reply.hijack();
        reply.raw.writeHead(200);
        reply.raw.write('begun');
      });
      const session = await start(app);
      const stream = session.request({
        ':method': 'POST',
        ':path': '/',
        'content-type': 'application/octet-stream',
      });
      stream.on('error', () => {});
      stream.write('half');
      const closed = once(stream, 'close');
      await once(stream, 'data');
      limitRequests(app, 1);
      await closed;
      expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
      expect(await aborted).toMatchObject({ code: 'AMBIT_ERR_CLIENT_GONE' });
    });

    test('without a limit, a body may take its time', async () => {
      const app = make({ ...options, requestTimeout: 0 });
      app.post('/', (request) => request.body);
      const stream = begin(await start(app));
      await wait(100);
      stream.end('whole');
      expect(await answerTo(stream)).toEqual({ status: 200, body: 'halfwhole' });
    });
  });
});
