/** A response has one length, and closes streams that it does not send (RFC 9112, 6; RFC 9110, 9.3.2). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
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

  test('of a fetched response is that of the decoded content', async () => {
    const upstream = createServer((_request, response) => {
      const content = gzipSync('hello');
      response.writeHead(200, {
        'content-encoding': 'gzip',
        'content-length': content.length,
        'x-kept': '1',
      });
      response.end(content);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    onTestFinished(() => void upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const app = ambit();
    app.get('/', () => fetch(`http://127.0.0.1:${port}/`));
    const response = await fetch(await serve(app));
    expect(await response.text()).toBe('hello');
    expect(response.headers.get('x-kept')).toBe('1');
    expect(response.headers.has('content-encoding')).toBe(false);
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
