/** The head of a reply: content types and locations that are not strings. */
import { type MIMEType, MIMEType as Mime } from 'node:util';
import type { Reply } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

type AnyType = string & (string[] | MIMEType | number);

for (const [flavor, make] of flavors) {
  /** Returns the response of a route that replies in a later turn, in which nothing catches errors. */
  async function reply(respond: (reply: Reply) => void): Promise<string> {
    const app = make();
    app.get('/', (_request, reply) => {
      setImmediate(() => respond(reply));
    });
    return converse(await servePort(app), lastRequest('GET', '/'));
  }

  const typesIn = (text: string): string[] =>
    [...text.matchAll(/^content-type: (.*)\r$/gim)].map(([, type]) => type!);

  describe(`a content type on ${flavor}`, () => {
    const ways: Record<string, (reply: Reply, value: unknown) => Reply> = {
      header: (reply, value) => reply.header('Content-Type', value as AnyType),
      headers: (reply, value) => reply.headers({ 'content-type': value as AnyType }),
      type: (reply, value) => reply.type(value as AnyType),
      'raw.setHeader': (reply, value) => {
        reply.raw.setHeader('content-type', value as AnyType);
        return reply;
      },
    };

    for (const [way, set] of Object.entries(ways)) {
      test(`that ${way} was set as an array is its first value`, async () => {
        for (const types of [['text/html'], ['text/html', 'text/plain']]) {
          const received = await reply((reply) => set(reply, types).send('<p>'));
          expect(typesIn(received)).toEqual(['text/html']);
          expect(received).toContain('<p>');
        }
      });

      test(`of JSON that ${way} was set as an array gets its charset, and values are serialized`, async () => {
        const received = await reply((reply) => set(reply, ['application/hal+json']).send({ a: 1 }));
        expect(typesIn(received)).toEqual(['application/hal+json; charset=utf-8']);
        expect(received).toContain('{"a":1}');
      });

      test(`that ${way} was set as an array also applies to bytes`, async () => {
        const received = await reply((reply) =>
          set(reply, ['image/png', 'image/gif']).send(Buffer.from('png')),
        );
        expect(typesIn(received)).toEqual(['image/png']);
      });

      test(`that ${way} was set as an object is converted to text`, async () => {
        const received = await reply((reply) => set(reply, new Mime('text/html')).send('<p>'));
        expect(typesIn(received)).toEqual(['text/html']);
      });
    }

    test('in an array determines reply.mediaType', async () => {
      const received = await reply((reply) =>
        reply.type(['text/html'] as never).send(String(reply.mediaType)),
      );
      expect(received).toContain('text/html');
    });

    test('that is an empty array or a number is ignored', async () => {
      for (const type of [[], 5, null]) {
        const received = await reply((reply) => reply.header('content-type', type as never).send({ a: 1 }));
        expect(typesIn(received)).toEqual(['application/json; charset=utf-8']);
      }
    });

    test('that a hook set as an array is its first value', async () => {
      const app = make();
      app.addHook('onSend', async (_request, reply) => {
        reply.header('content-type', ['text/html', 'text/plain']);
      });
      app.get('/', () => 'text');
      expect(typesIn(await converse(await servePort(app), lastRequest('GET', '/')))).toEqual(['text/html']);
    });

    test('that a hook assigned to the request as an array chooses the parser of its first value', async () => {
      const app = make();
      app.addHook('onRequest', async (request) => {
        request.headers = { 'content-type': ['application/json', 'text/plain'] as never };
      });
      app.post('/', (request) => [request.mediaType, request.body]);
      const response = await app.inject({ method: 'POST', url: '/', payload: '{"a":1}' });
      expect(response.json()).toEqual(['application/json', { a: 1 }]);
    });
  });

  describe(`redirect on ${flavor}`, () => {
    const locationIn = (text: string): string | undefined => /^location: ?(.*)\r$/im.exec(text)?.[1];

    for (const [what, url, location] of [
      ['a URL object', new URL('http://example.org/ü?x=1#y'), 'http://example.org/%C3%BC?x=1#y'],
      ['undefined', undefined, ''],
      ['null', null, 'null'],
      ['a number', 5, '5'],
      ['half a character', '/\ud800', '/%EF%BF%BD'],
    ] as const) {
      test(`to ${what} is answered 302 with its text`, async () => {
        const received = await reply((reply) => reply.redirect(url as string));
        expect(received).toContain('HTTP/1.1 302 ');
        expect(locationIn(received)).toBe(location);
      });
    }

    for (const [what, url] of [
      ['a symbol', Symbol('url')],
      ['an object without a prototype', Object.create(null)],
    ] as const) {
      test(`to ${what} is answered 500 with the reason`, async () => {
        const received = await reply((reply) => reply.redirect(url as string));
        expect(received).toContain('HTTP/1.1 500 ');
        expect(received).toContain('AMBIT_ERR_REDIRECT_URL');
        expect(locationIn(received)).toBeUndefined();
      });
    }
  });
}
