/** A response has one length, and closes streams that it does not send (RFC 9112, 6; RFC 9110, 9.3.2). */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';
import { ambit, type Handler } from 'ambit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { converse, lastRequest } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

async function rawAnswerOf(handler: Handler): Promise<string> {
  const app = ambit();
  app.get('/', handler);
  return (await converse(await servePort(app), lastRequest('GET', '/'))).toLowerCase();
}

describe('the length of a reply', () => {
  test('is left out when trailers make it chunked', async () => {
    const answer = await rawAnswerOf((_request, reply) =>
      reply
        .header('content-length', '4')
        .trailer('x-sum', async () => '1')
        .send('body'),
    );
    expect(answer).toContain('transfer-encoding: chunked');
    expect(answer).not.toContain('content-length');
    expect(answer).toContain('x-sum: 1');
  });

  for (const codings of ['gzip', '5', '', 'chunked, gzip']) {
    test(`replaces the transfer codings '${codings}', with which the client could not detect the end of the reply`, async () => {
      const answer = await rawAnswerOf((_request, reply) =>
        reply.header('transfer-encoding', codings).send('body'),
      );
      expect(answer).toContain('content-length: 4');
      expect(answer).not.toContain('transfer-encoding');
    });
  }

  test('is left out if the last transfer coding is chunked', async () => {
    const answer = await rawAnswerOf((_request, reply) =>
      reply.header('transfer-encoding', 'gzip, chunked').send('body'),
    );
    expect(answer).toContain('transfer-encoding: gzip, chunked');
    expect(answer).toMatch(/\r\n4\r\nbody\r\n0\r\n\r\n$/);
  });

  test('is sent only once with a Response that sets its own framing', async () => {
    const answer = await rawAnswerOf(
      () => new Response('x', { headers: { 'transfer-encoding': 'chunked', connection: 'upgrade' } }),
    );
    expect(answer.match(/transfer-encoding|content-length/g)).toHaveLength(1);
    expect(answer).not.toContain('upgrade');
  });

  // Two readers could disagree about the end of a response with both (RFC 9112, 6.3).
  for (const [what, payload] of [
    ['text', () => 'body'],
    ['stream', () => Readable.from(['body'])],
  ] as const)
    for (const coding of ['chunked', 'gzip'])
      test(`and the coding ${coding} that was set on the raw response do not leave together, with a ${what}`, async () => {
        const answer = await rawAnswerOf((_request, reply) => {
          reply.raw.setHeader('transfer-encoding', coding).setHeader('content-length', '7');
          return reply.header('content-length', '4').send(payload());
        });
        const framing = coding === 'chunked' ? 'transfer-encoding: chunked' : 'content-length: 4';
        expect(answer.match(/(?:transfer-encoding|content-length): .*/g)).toEqual([framing]);
        expect(answer).toContain('body');
      });

  const reverse = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse();
  const zstdBytes = Buffer.from('KLUv/SAFKQAAaGVsbG8=', 'base64');
  /** Encodes and decodes; those that no runtime knows do something else. */
  const codings: Readonly<Record<string, readonly [(bytes: Buffer) => Buffer, (bytes: Buffer) => Buffer]>> = {
    gzip: [gzipSync, gunzipSync],
    'x-gzip': [gzipSync, gunzipSync],
    GZIP: [gzipSync, gunzipSync],
    deflate: [deflateSync, inflateSync],
    br: [brotliCompressSync, brotliDecompressSync],
    // Node 20 cannot decode it.
    zstd: [
      () => zstdBytes,
      (bytes) => Buffer.from(bytes.toString('latin1').replace(zstdBytes.toString('latin1'), 'hello')),
    ],
    compress: [reverse, reverse],
    aes128gcm: [reverse, reverse],
    identity: [(bytes) => bytes, (bytes) => bytes],
  };

  describe.each([
    ...Object.keys(codings),
    'gzip, br',
    'br,gzip',
    'deflate, compress',
    'aes128gcm, gzip',
    'zstd, gzip',
    'gzip, identity',
  ])('of a fetched response with the coding %s', (coding) => {
    const names = coding.split(',').map((name) => name.trim());
    const serveUpstream = async (): Promise<string> => {
      const content = names.reduce<Buffer>((bytes, name) => codings[name]![0](bytes), Buffer.from('hello'));
      const upstream = createServer((_request, response) => {
        response.writeHead(200, {
          'content-encoding': coding,
          'content-length': content.length,
          'x-kept': '1',
        });
        response.end(content);
      });
      onTestFinished(() => void upstream.close());
      upstream.listen(0, '127.0.0.1');
      await once(upstream, 'listening');
      return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
    };

    test('the fields are those of what is sent', async () => {
      const url = await serveUpstream();
      const app = ambit();
      app.get('/', () => fetch(url));
      const [response] = (await once(get(await serve(app)), 'response')) as [IncomingMessage];
      const { 'content-encoding': sentCoding, 'content-length': length, 'x-kept': kept } = response.headers;
      const sent = await buffer(response);
      const sentNames = (sentCoding ?? 'identity').split(',').map((name) => name.trim());
      const decoded = sentNames.reduceRight<Buffer>((bytes, name) => codings[name]![1](bytes), sent);
      expect([decoded.toString(), kept]).toEqual(['hello', '1']);
      // The length is only known if the content was not decoded.
      expect(length).toBe(sentCoding && String(sent.length));
    });
  });

  test('of a fetched response without a coding is kept', async () => {
    const upstream = createServer((_request, response) => response.end('hello'));
    onTestFinished(() => void upstream.close());
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const app = ambit();
    app.get('/', () => fetch(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`));
    const response = await fetch(await serve(app));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', 'hello']);
  });

  test('and the coding of a Response that the application created are kept', async () => {
    const app = ambit();
    app.get('/', () => new Response(gzipSync('hello'), { headers: { 'content-encoding': 'gzip' } }));
    expect(await (await fetch(await serve(app))).text()).toBe('hello');
  });
});

describe('the source of a stream that is not sent', () => {
  const endless = (): Readable =>
    Readable.from(
      (async function* () {
        for (;;) yield 'more';
      })(),
    );

  test('is closed by HEAD on a GET route', async () => {
    const source = endless();
    const app = ambit();
    app.get('/', () => source);
    const response = await fetch(await serve(app), { method: 'HEAD' });
    expect(response.status).toBe(200);
    await vi.waitFor(() => expect(source.destroyed).toBe(true));
  });

  test('is closed by a status without content', async () => {
    const source = endless();
    const app = ambit();
    app.get('/', (_request, reply) => reply.code(204).send(source));
    expect((await fetch(await serve(app))).status).toBe(204);
    await vi.waitFor(() => expect(source.destroyed).toBe(true));
  });
});

describe('a header that the wire rejects', () => {
  test('is answered 500 with the other headers', async () => {
    const answer = await rawAnswerOf((_request, reply) =>
      reply.header('x-frame-options', 'DENY').header('x-bad', 'a\r\nb').send({ ok: true }),
    );
    expect(answer).toContain('http/1.1 500 internal server error');
    expect(answer).toContain('x-frame-options: deny');
    expect(answer).toContain('content-type: application/json');
    expect(answer).not.toContain('x-bad:');
  });

  test('cannot change the prototype of the headers by its name', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => {
      reply.header('__proto__', ['x']);
      return { has: [reply.hasHeader('constructor'), reply.hasTrailer('constructor')] };
    });
    expect((await app.inject('/')).json()).toEqual({ has: [false, false] });
  });
});
