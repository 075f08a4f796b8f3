/** Heads that the wire rejects: the client still gets an error reply, with correct framing. */
import type { Context, Reply } from 'ambit';
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { askHttp2 } from '../../test/support/ask-http2.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

function replying(app: Context, respond: (reply: Reply) => unknown): Context {
  app.get('/', (_request, reply) => {
    respond(reply);
  });
  return app;
}

/** Headers that cannot be sent. */
const unwritable: [what: string, name: string, value: unknown][] = [
  ['a name that is none', '→', 'value'],
  ['an empty name', '', 'value'],
  ['a value with a line end', 'x-a', 'a\r\nb: c'],
  ['a symbol for a value', 'x-a', Symbol('value')],
  ['undefined among its values', 'x-a', ['a', undefined]],
  ['a symbol among its values', 'x-a', [Symbol('value')]],
  ['a value without a prototype', 'x-a', Object.create(null)],
];

for (const [flavor, make] of flavors) {
  describe(`a header of ${flavor}`, () => {
    for (const [what, name, value] of unwritable) {
      test(`with ${what} is answered 500, without that header and with the others`, async () => {
        const app = replying(make(), (reply) =>
          reply
            .header('x-b', 'b')
            .header(name, value as string)
            .send('text'),
        );
        const { status, headers, body } = await ask(await serve(app));
        expect([status, headers['x-b'], headers['x-a']]).toEqual([500, 'b', undefined]);
        expect(JSON.parse(body)).toMatchObject({ statusCode: 500 });
      });
    }

    test('that cannot be written leaves no trailers behind', async () => {
      const app = replying(make(), (reply) =>
        reply
          .header('x-a', 'a\nb')
          .trailer('x-digest', async () => 'digest')
          .send('text'),
      );
      const received = await converse(await servePort(app), lastRequest('GET', '/'));
      expect(received).toContain('HTTP/1.1 500 ');
      expect(received).toMatch(/^content-length: \d+/im);
      expect(received).not.toMatch(/transfer-encoding|trailer|digest/i);
    });
  });

  describe(`a transfer-encoding of ${flavor}`, () => {
    for (const [what, send] of [
      ['text', (reply: Reply) => reply.send('text')],
      ['bytes', (reply: Reply) => reply.send(Buffer.from('text'))],
      ['nothing', (reply: Reply) => reply.send()],
      ['a blob', (reply: Reply) => reply.send(new Blob(['text']) as never)],
      ['text of a given length', (reply: Reply) => reply.header('content-length', 4).send('text')],
    ] as const) {
      test(`that was set for ${what} is sent without a length`, async () => {
        const app = replying(make(), (reply) => send(reply.header('transfer-encoding', 'chunked')));
        const received = await converse(await servePort(app), lastRequest('GET', '/'));
        expect(received).toContain('HTTP/1.1 200 ');
        expect(received).toMatch(/^transfer-encoding: chunked/im);
        expect(received).not.toMatch(/content-length/i);
      });
    }

    test('that was set for a payload that failed is not sent with the error', async () => {
      const app = replying(make(), (reply) =>
        reply.header('transfer-encoding', 'chunked').send(new Error('failed')),
      );
      const received = await converse(await servePort(app), lastRequest('GET', '/'));
      expect(received).toContain('HTTP/1.1 500 ');
      expect(received).toMatch(/^content-length: \d+/im);
      expect(received).not.toMatch(/transfer-encoding/i);
    });
  });

  describe(`a trailer of ${flavor}`, () => {
    test('may return its value synchronously', async () => {
      const app = replying(make(), (reply) => reply.trailer('x-digest', () => 'digest').send('text'));
      expect((await ask(await serve(app))).trailers).toEqual({ 'x-digest': 'digest' });
    });

    test('may have the name of a member of every object', async () => {
      const app = replying(make(), (reply) => {
        for (const name of ['__proto__', 'constructor']) reply.trailer(name, async () => 'value');
        reply.header('x-has', String(reply.hasTrailer('__proto__'))).send('text');
      });
      const { headers, trailers } = await ask(await serve(app));
      expect(headers['x-has']).toBe('true');
      expect(Object.entries(trailers).toSorted()).toEqual([['constructor', 'value']]);
      expect(headers.trailer).toBe('__proto__ constructor');
    });
  });
}

describe('over HTTP/2', () => {
  for (const [what, name, value] of unwritable) {
    test(`a header with ${what} is answered 500, and the stream is not reset`, async () => {
      const app = replying(ambit({ http2: true }), (reply) =>
        reply.header(name, value as string).send('text'),
      );
      const { status, body } = await askHttp2(await serve(app));
      expect(status).toBe(500);
      expect(JSON.parse(body)).toMatchObject({ statusCode: 500 });
    });
  }

  test('a header of raw that cannot be written is answered 500, and the stream is not reset', async () => {
    const app = replying(ambit({ http2: true }), (reply) => {
      reply.raw.setHeader('x-a', Object.create(null));
      reply.send('text');
    });
    expect((await askHttp2(await serve(app))).status).toBe(500);
  });
});
