/** HTTP/2 in clear text and over TLS, HTTPS, and HTTP/1.1 as the fallback that ALPN chooses. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../test/fixtures/certificate.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { portOf, serve } from '../../test/support/serve.ts';

forbidProcessFaults();

// HTTP/2 has no reason phrases (RFC 9113, 8.3.2): Node warns, once per process, if code reads one.
const warnings: string[] = [];
const collect = (warning: Error): unknown => warnings.push(`${warning.name}: ${warning.message}`);
process.on('warning', collect);
afterAll(() => {
  process.off('warning', collect);
  expect(warnings.filter((warning) => warning.includes('Status message'))).toEqual([]);
});

async function connectTo(app: Context, scheme: 'http' | 'https'): Promise<ClientHttp2Session> {
  await serve(app);
  const session = connect(`${scheme}://localhost:${portOf(app)}`, { ca: cert, host: '127.0.0.1' });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  return session;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Answer> {
  const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined });
  stream.end(body);
  const [[received], content] = await Promise.all([
    once(stream, 'response') as Promise<[IncomingHttpHeaders & { ':status': number }]>,
    text(stream),
  ]);
  return { status: received[':status'], headers: received, body: content };
}

/** GET over HTTP/1.1 and TLS. */
async function askHttps(app: Context): Promise<{ version: string; body: string }> {
  const outgoing = httpsRequest({
    host: '127.0.0.1',
    port: portOf(app),
    ca: cert,
    servername: 'localhost',
    agent: false,
  });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  return { version: response.httpVersion, body: await text(response) };
}

const tls = { key, cert };
const wires: Record<string, { scheme: 'http' | 'https'; options: AmbitOptions }> = {
  'in clear text': { scheme: 'http', options: { http2: true } },
  'over TLS': { scheme: 'https', options: { http2: true, https: tls } },
};

for (const [wire, { scheme, options }] of Object.entries(wires)) {
  describe(`HTTP/2 ${wire}`, () => {
    test('serves a GET', async () => {
      const app = ambit(options);
      app.get('/', (request) => ({
        version: request.raw.httpVersion,
        protocol: request.protocol,
        hostname: request.hostname,
      }));
      const answer = await ask(await connectTo(app, scheme), {});
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(answer.body)).toEqual({ version: '2.0', protocol: scheme, hostname: 'localhost' });
    });

    test('validates and answers a POST', async () => {
      const app = ambit(options);
      const body = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
      app.post('/', { schema: { body } }, (request) => request.body);
      const session = await connectTo(app, scheme);
      const headers = { ':method': 'POST', 'content-type': 'application/json' };
      expect((await ask(session, headers, '{"id":"7"}')).body).toBe('{"id":7}');
      expect((await ask(session, headers, '{}')).status).toBe(400);
      expect((await ask(session, headers, '{not json')).status).toBe(400);
    });

    test('refuses a body past its limit, at it not', async () => {
      const app = ambit(options);
      app.post('/', { bodyLimit: 8 }, (request) => request.body);
      const session = await connectTo(app, scheme);
      const headers = { ':method': 'POST', 'content-type': 'text/plain' };
      expect((await ask(session, headers, 'x'.repeat(8))).body).toBe('xxxxxxxx');
      expect((await ask(session, headers, 'x'.repeat(9))).status).toBe(413);
    });

    test('leaves out the fields of a connection, whether they were set on the reply or on `raw`', async () => {
      const app = ambit(options);
      const payloads: Record<string, () => unknown> = {
        '/text': () => 'body',
        '/stream': () => Readable.from(['bo', 'dy']),
      };
      for (const [path, make] of Object.entries(payloads))
        app.get(path, (_request, reply) => {
          reply.raw.setHeader('upgrade', 'h2c');
          reply.raw.setHeader('x-raw', '1');
          const ofConnection = {
            connection: 'keep-alive',
            'keep-alive': 'timeout=5',
            'proxy-connection': 'close',
          };
          return reply
            .headers({ ...ofConnection, 'transfer-encoding': 'chunked', 'x-own': '1' })
            .send(make());
        });
      const session = await connectTo(app, scheme);
      for (const path of Object.keys(payloads)) {
        const { status, headers, body } = await ask(session, { ':path': path });
        expect({ status, body }).toEqual({ status: 200, body: 'body' });
        expect(Object.keys(headers).toSorted()).toEqual(
          [':status', 'date', 'x-own', 'x-raw', ...(path === '/text' ? ['content-type'] : [])].toSorted(),
        );
      }
    });

    test('answers errors and 404', async () => {
      const app = ambit(options);
      app.get('/', () => {
        throw new Error('it broke');
      });
      const session = await connectTo(app, scheme);
      const broken = await ask(session, {});
      expect(broken.status).toBe(500);
      expect(JSON.parse(broken.body)).toMatchObject({ message: 'it broke' });
      expect((await ask(session, { ':path': '/nowhere' })).status).toBe(404);
    });

    for (const bytes of [64 * 1024, 64 * 1024 + 1, 1024 * 1024]) {
      test(`sends a payload of ${bytes} bytes whole`, async () => {
        const app = ambit(options);
        app.get('/', () => Buffer.alloc(bytes, 'x'));
        const session = await connectTo(app, scheme);
        const stream = session.request({ ':path': '/' });
        expect((await buffer(stream)).length).toBe(bytes);
      });
    }

    for (const [what, payload] of [
      ['a node stream', () => Readable.from([Buffer.from('streamed')])],
      ['a web stream', () => new Response('streamed').body],
    ] as const) {
      test(`sends ${what}`, async () => {
        const app = ambit(options);
        app.get('/', (_request, reply) => reply.send(payload()));
        expect((await ask(await connectTo(app, scheme), {})).body).toBe('streamed');
      });
    }

    test('a stream that fails before its first byte is answered 500', async () => {
      const app = ambit(options);
      app.get('/', (_request, reply) =>
        reply.send(
          new Readable({
            read() {
              this.destroy(new Error('in the stream'));
            },
          }),
        ),
      );
      expect((await ask(await connectTo(app, scheme), {})).status).toBe(500);
    });

    test('sends trailers', async () => {
      const app = ambit(options);
      app.get('/', (_request, reply) => reply.trailer('x-digest', async () => 'abc').send('content'));
      const stream = (await connectTo(app, scheme)).request({ ':path': '/' });
      const [[trailers], body] = await Promise.all([once(stream, 'trailers'), text(stream)]);
      expect(body).toBe('content');
      expect(trailers).toMatchObject({ 'x-digest': 'abc' });
    });

    test('fields of HTTP/1 connections do not break a reply', async () => {
      const app = ambit(options);
      app.get('/', (_request, reply) => reply.header('connection', 'close').send('done'));
      const answer = await ask(await connectTo(app, scheme), {});
      expect(answer.body).toBe('done');
      expect(answer.headers.connection).toBeUndefined();
    });

    test('many streams of one session are served at a time', async () => {
      const app = ambit(options);
      app.get('/:id', async (request) => {
        await new Promise((resolve) => setImmediate(resolve));
        return (request.params as { id: string }).id;
      });
      const session = await connectTo(app, scheme);
      const ids = Array.from({ length: 50 }, (_, id) => String(id));
      const answers = await Promise.all(ids.map((id) => ask(session, { ':path': `/${id}` })));
      expect(answers.map(({ body }) => body)).toEqual(ids);
    });

    test('a stream that the client resets runs onRequestAbort, and aborts the signal', async () => {
      const app = ambit(options);
      const aborted = new Promise<void>((resolve) => {
        app.addHook('onRequestAbort', async () => resolve());
      });
      let signal: AbortSignal | undefined;
      const arrived = new Promise<void>((resolve) => {
        app.get('/', (request) => {
          signal = request.signal;
          resolve();
          return new Promise(() => {});
        });
      });
      const session = await connectTo(app, scheme);
      const stream = session.request({ ':path': '/' });
      stream.on('error', () => {});
      await arrived;
      stream.close(constants.NGHTTP2_CANCEL);
      await aborted;
      expect(signal?.aborted).toBe(true);
    });

    test('the signal of a request that was answered is not aborted', async () => {
      const app = ambit(options);
      let signal: AbortSignal | undefined;
      app.post('/', (request) => {
        signal = request.signal;
        return 'done';
      });
      const session = await connectTo(app, scheme);
      await ask(session, { ':method': 'POST', 'content-type': 'text/plain' }, 'body');
      expect(signal?.aborted).toBe(false);
    });

    test('close ends idle sessions where forceCloseConnections is true', async () => {
      const app = ambit({ ...options, forceCloseConnections: true });
      app.get('/', () => 'done');
      const session = await connectTo(app, scheme);
      const ended = once(session, 'close');
      await ask(session, {});
      await app.close();
      await ended;
      expect(session.closed).toBe(true);
    });

    test('close waits for the streams that are being served, even then', async () => {
      const app = ambit({ ...options, forceCloseConnections: true });
      let release = (): void => {};
      const arrived = new Promise<void>((resolve) => {
        app.get('/', async () => {
          resolve();
          await new Promise<void>((go) => {
            release = go;
          });
          return 'in time';
        });
      });
      const closing = new Promise<void>((resolve) => {
        app.addHook('preClose', async () => resolve());
      });
      const answer = ask(await connectTo(app, scheme), {});
      await arrived;
      const closed = app.close();
      await closing;
      release();
      expect((await answer).body).toBe('in time');
      await closed;
      expect(app.server.listening).toBe(false);
    });

    test('an idle session ends after http2SessionTimeout', async () => {
      const app = ambit({ ...options, http2SessionTimeout: 20 });
      const session = await connectTo(app, scheme);
      session.on('close', () => {});
      await once(session, 'close');
      expect(session.closed).toBe(true);
    });

    test('inject works all the same', async () => {
      const app = ambit(options);
      app.get('/', (request) => request.raw.httpVersion);
      expect((await app.inject('/')).body).toBe('1.1');
    });
  });
}

describe('TLS', () => {
  test('HTTPS serves HTTP/1.1', async () => {
    const app = ambit({ https: tls });
    app.get('/', (request) => `${request.protocol}`);
    const origin = await serve(app);
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await askHttps(app)).toEqual({ version: '1.1', body: 'https' });
  });

  test('HTTP/2 with allowHTTP1 serves whichever version ALPN agrees on', async () => {
    const app = ambit({ http2: true, https: { ...tls, allowHTTP1: true } });
    app.get('/', (request) => request.raw.httpVersion);
    const session = await connectTo(app, 'https');
    expect((await ask(session, {})).body).toBe('2.0');
    expect(await askHttps(app)).toEqual({ version: '1.1', body: '1.1' });
  });

  test('HTTP/2 without allowHTTP1 refuses a client that speaks HTTP/1.1 only', async () => {
    const app = ambit({ http2: true, https: tls });
    await serve(app);
    const protocols = { ALPNProtocols: ['http/1.1'], ca: cert, servername: 'localhost' };
    const socket = connectTls({ host: '127.0.0.1', port: portOf(app), ...protocols });
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
  });

  test('a certificate that cannot be read is refused when the application is made', () => {
    expect(() => ambit({ https: { key: 'no key', cert: 'no certificate' } })).toThrow();
  });

  test('the key is not shown in initialConfig', () => {
    const { initialConfig } = ambit({ https: tls });
    expect(JSON.stringify(initialConfig)).not.toContain('PRIVATE KEY');
  });
});
