/** Request bodies: which parser gets which media type, its arguments, and the limits of size. */
import { Readable, Transform } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type AmbitOptions, ambit, type Context, hoist } from 'ambit';
import secureJson from 'secure-json-parse';
import { describe, expect, test, vi } from 'vitest';
import type { Failure } from '../../test/support/failure.ts';
import { serve } from '../../test/support/serve.ts';

const echo = (request: { body: unknown }) => ({ body: request.body ?? 'none' });

/** Sends one POST with text or bytes as its body. */
function send(app: Context, contentType: string | undefined, body: string | Buffer, url = '/') {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return app.inject({ method: 'POST', url, headers, body });
}

describe('the default parsers', () => {
  const values = [{}, { a: [1, 'x', null] }, [], 'text', 7, 0, true, false, null];
  for (const value of values) {
    test(`JSON ${JSON.stringify(value)} is parsed`, async () => {
      const app = ambit();
      app.post('/', (request) => ({ body: request.body }));
      expect((await send(app, 'application/json', JSON.stringify(value))).json()).toEqual({ body: value });
    });
  }

  for (const body of [
    '{',
    '{"a":}',
    "{'a':1}",
    '{a:1}',
    '[1,]',
    'undefined',
    'NaN',
    '{"a":1}}',
    '"open',
    '\0',
    ' ',
  ]) {
    test(`${JSON.stringify(body)} is not JSON and is answered 400`, async () => {
      const app = ambit();
      app.post('/', echo);
      const response = await send(app, 'application/json', body);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({
        statusCode: 400,
        code: 'FST_ERR_CTP_INVALID_JSON_BODY',
        error: 'Bad Request',
        message: "Body is not valid JSON but content-type is set to 'application/json'",
      });
    });
  }

  test('an empty JSON body is answered 400', async () => {
    const app = ambit();
    app.post('/', echo);
    const response = await send(app, 'application/json', '');
    expect([response.statusCode, response.json<Failure>().code]).toEqual([
      400,
      'FST_ERR_CTP_EMPTY_JSON_BODY',
    ]);
  });

  test('text is not changed', async () => {
    const app = ambit();
    app.post('/', echo);
    expect((await send(app, 'text/plain; charset=utf-8', 'grüße 😀')).json()).toEqual({ body: 'grüße 😀' });
  });

  test('a character that is split between two chunks stays whole', async () => {
    const app = ambit();
    app.post('/', echo);
    const bytes = Buffer.from('😀');
    const response = await fetch(await serve(app), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Readable.toWeb(
        Readable.from(
          (async function* () {
            yield bytes.subarray(0, 2);
            await new Promise((resolve) => setTimeout(resolve, 10));
            yield bytes.subarray(2);
          })(),
        ),
      ) as never,
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toEqual({ body: '😀' });
  });

  for (const contentType of ['text/html', 'application/xml', 'image/png', 'application/vnd.api+json']) {
    test(`${contentType}, for which there is no parser, is answered 415`, async () => {
      const app = ambit();
      app.post('/', echo);
      const response = await send(app, contentType, 'x');
      expect(response.statusCode).toBe(415);
      expect(response.json()).toEqual({
        statusCode: 415,
        code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
        error: 'Unsupported Media Type',
        message: 'Unsupported Media Type',
      });
    });
  }

  test('a body without Content-Type is answered 415', async () => {
    const app = ambit();
    app.post('/', echo);
    expect((await send(app, undefined, 'x')).statusCode).toBe(415);
  });

  test('no body and no Content-Type leave request.body undefined', async () => {
    const app = ambit();
    app.post('/', echo);
    expect((await app.inject({ method: 'POST', url: '/' })).json()).toEqual({ body: 'none' });
  });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    test(`${method} bodies are parsed`, async () => {
      const app = ambit();
      app.route({ method, url: '/', handler: echo });
      const headers = { 'content-type': 'application/json' };
      expect((await app.inject({ method, url: '/', headers, body: '{"a":1}' })).json()).toEqual({
        body: { a: 1 },
      });
    });
  }

  test('an unknown route with a body of an unknown type is answered 404', async () => {
    expect((await send(ambit(), 'application/xml', '<a/>', '/nowhere')).statusCode).toBe(404);
  });
});

describe('addContentTypeParser', () => {
  test('by media type, with the body as a stream', async () => {
    const app = ambit();
    app.addContentTypeParser('application/xml', (_request, payload, done) => {
      let text = '';
      payload.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      payload.on('end', () => done(null, text));
    });
    app.post('/', echo);
    const response = await fetch(await serve(app), {
      method: 'POST',
      headers: { 'content-type': 'application/xml' },
      body: '<a/>',
    });
    expect(await response.json()).toEqual({ body: '<a/>' });
  });

  test('by media type, with the stream as the body', async () => {
    const app = ambit();
    app.addContentTypeParser(
      'application/octet-stream',
      async (_request: unknown, payload: Readable) => payload,
    );
    app.post('/', async (request) => {
      let bytes = 0;
      for await (const chunk of request.body as Readable) bytes += chunk.length;
      return { bytes };
    });
    const response = await fetch(await serve(app), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(3_000_000),
    });
    expect(await response.json()).toEqual({ bytes: 3_000_000 });
  });

  test('by promise, with the body as a stream', async () => {
    const app = ambit();
    app.addContentTypeParser('application/xml', async (_request, payload) => {
      let text = '';
      for await (const chunk of payload) text += chunk;
      return { xml: text };
    });
    app.post('/', echo);
    expect((await send(app, 'application/xml', '<a/>')).json()).toEqual({ body: { xml: '<a/>' } });
  });

  for (const parseAs of ['string', 'buffer'] as const) {
    test(`parseAs '${parseAs}' collects the body, for a callback`, async () => {
      const parser = vi.fn(
        (_request: unknown, body: string | Buffer, done: (error: null, body: string) => void) =>
          done(null, `${typeof body} ${body}`),
      );
      const app = ambit();
      app.addContentTypeParser('application/xml', { parseAs } as { parseAs: 'string' }, parser as never);
      app.post('/', echo);
      const { body } = (await send(app, 'application/xml', '<a/>')).json<{ body: unknown }>();
      expect(body).toBe({ string: 'string <a/>', buffer: 'object <a/>' }[parseAs]);
      expect(Buffer.isBuffer(parser.mock.calls[0]![1])).toBe(parseAs === 'buffer');
    });
  }

  test('parseAs buffer keeps every byte', async () => {
    const app = ambit();
    app.addContentTypeParser('image/png', { parseAs: 'buffer' }, async (_request, body) =>
      body.toString('hex'),
    );
    app.post('/', echo);
    expect((await send(app, 'image/png', Buffer.from([0, 255, 128, 10]))).json()).toEqual({
      body: '00ff800a',
    });
  });

  test('by a list of media types and patterns', async () => {
    const app = ambit();
    app.addContentTypeParser(
      ['application/xml', 'text/xml', /^image\/svg/],
      { parseAs: 'string' },
      async (_request, body) => body,
    );
    app.post('/', echo);
    for (const contentType of ['application/xml', 'text/xml', 'image/svg+xml']) {
      expect((await send(app, contentType, '<a/>')).json()).toEqual({ body: '<a/>' });
    }
    expect((await send(app, 'image/png', 'x')).statusCode).toBe(415);
  });

  test('by regular expression, the latest that matches', async () => {
    const app = ambit();
    app.addContentTypeParser(/^text\//, { parseAs: 'string' }, async () => 'first');
    app.addContentTypeParser(/^text\/x-/, { parseAs: 'string' }, async () => 'second');
    app.post('/', echo);
    expect((await send(app, 'text/html', 'x')).json()).toEqual({ body: 'first' });
    expect((await send(app, 'text/x-own', 'x')).json()).toEqual({ body: 'second' });
  });

  test('a regular expression with the flag g matches every time', async () => {
    const app = ambit();
    app.addContentTypeParser(/^text\/x-/g, { parseAs: 'string' }, async (_request, body) => body);
    app.post('/', echo);
    for (const round of ['1', '2', '3']) {
      expect((await send(app, 'text/x-own', round)).json()).toEqual({ body: round });
    }
  });

  test('a media type goes before a regular expression, and both before *', async () => {
    const app = ambit();
    const named = (name: string) => async () => name;
    app.addContentTypeParser('*', { parseAs: 'string' }, named('star'));
    app.addContentTypeParser(/^text\//, { parseAs: 'string' }, named('pattern'));
    app.addContentTypeParser('text/html', { parseAs: 'string' }, named('type'));
    app.post('/', echo);
    expect((await send(app, 'text/html', 'x')).json()).toEqual({ body: 'type' });
    expect((await send(app, 'text/css', 'x')).json()).toEqual({ body: 'pattern' });
    expect((await send(app, 'image/png', 'x')).json()).toEqual({ body: 'star' });
    expect((await send(app, 'text/plain', 'x')).json()).toEqual({ body: 'x' });
  });

  test('* takes a body without Content-Type too', async () => {
    const app = ambit();
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => `star ${body}`);
    app.post('/', echo);
    expect((await send(app, undefined, 'x')).json()).toEqual({ body: 'star x' });
  });

  test('* does not accept an invalid media type', async () => {
    const app = ambit();
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => body);
    app.post('/', echo);
    expect((await send(app, 'nonsense', 'x')).statusCode).toBe(415);
  });

  test('a parser for a media type accepts any parameters; a parser with parameters only accepts these', async () => {
    const app = ambit();
    app.addContentTypeParser('application/x-a', { parseAs: 'string' }, async () => 'any');
    app.addContentTypeParser('application/x-a; v=2', { parseAs: 'string' }, async () => 'second');
    app.post('/', echo);
    expect((await send(app, 'application/x-a', 'x')).json()).toEqual({ body: 'any' });
    expect((await send(app, 'application/x-a; v=1', 'x')).json()).toEqual({ body: 'any' });
    expect((await send(app, 'Application/X-A;\tV="2"', 'x')).json()).toEqual({ body: 'second' });
  });

  test('media types are matched whatever their case', async () => {
    const app = ambit();
    app.addContentTypeParser('Application/X-Own', { parseAs: 'string' }, async (_request, body) => body);
    app.post('/', echo);
    expect((await send(app, 'aPPLICATION/x-oWN', 'x')).json()).toEqual({ body: 'x' });
    expect(app.hasContentTypeParser('application/x-own')).toBe(true);
  });

  test('the default parsers can be replaced once', async () => {
    const app = ambit();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_request, body) => `raw ${body}`,
    );
    const again = () => app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => '');
    expect(again).toThrow(expect.objectContaining({ code: 'FST_ERR_CTP_ALREADY_PRESENT' }));
    app.post('/', echo);
    expect((await send(app, 'application/json', '{}')).json()).toEqual({ body: 'raw {}' });
  });

  test('this is the context in which the parser was added, and the request is passed', async () => {
    const app = ambit();
    app.addContentTypeParser(
      'text/x-own',
      { parseAs: 'string' },
      async function (this: Context, request, _body) {
        return { isApp: this === app, url: request.url };
      },
    );
    app.post('/', echo);
    expect((await send(app, 'text/x-own', 'x')).json()).toEqual({ body: { isApp: true, url: '/' } });
  });

  const failures: [string, (request: unknown, body: unknown, done: (error: Error) => void) => unknown][] = [
    [
      'calls back with an error',
      (_request, _body, done) => done(Object.assign(new Error('bad xml'), { statusCode: 422 })),
    ],
    [
      'throws',
      () => {
        throw Object.assign(new Error('bad xml'), { statusCode: 422 });
      },
    ],
    ['rejects', async () => Promise.reject(Object.assign(new Error('bad xml'), { statusCode: 422 }))],
  ];
  for (const [how, parser] of failures) {
    for (const options of [{}, { parseAs: 'string' as const }]) {
      test(`a parser that ${how}, with ${JSON.stringify(options)}, fails the request and closes the connection`, async () => {
        const handler = vi.fn(echo);
        const app = ambit();
        app.addContentTypeParser('application/xml', options as { parseAs: 'string' }, parser as never);
        app.post('/', handler);
        const response = await send(app, 'application/xml', '<a/>');
        expect([response.statusCode, response.json<Failure>().message]).toEqual([422, 'bad xml']);
        expect(response.headers.connection).toBe('close');
        expect(handler).not.toHaveBeenCalled();
      });
    }
  }

  test('only the first result of a parser counts', async () => {
    const handler = vi.fn(echo);
    const app = ambit();
    app.addContentTypeParser('text/x-own', { parseAs: 'string' }, (_request, _body, done) => {
      done(null, 'first');
      done(new Error('second'));
    });
    app.post('/', handler);
    expect((await send(app, 'text/x-own', 'x')).json()).toEqual({ body: 'first' });
    expect(handler).toHaveBeenCalledOnce();
  });

  const refusals: [string, unknown, unknown, unknown, string][] = [
    ['an empty type', '', {}, echo, 'FST_ERR_CTP_EMPTY_TYPE'],
    ['a blank type', '  ', {}, echo, 'FST_ERR_CTP_EMPTY_TYPE'],
    ['a number for a type', 7, {}, echo, 'FST_ERR_CTP_INVALID_TYPE'],
    ['null for a type', null, {}, echo, 'FST_ERR_CTP_INVALID_TYPE'],
    ['a text that is no media type', 'nonsense', {}, echo, 'FST_ERR_CTP_INVALID_TYPE'],
    ['a list with one that is none', ['text/a', 7], {}, echo, 'FST_ERR_CTP_INVALID_TYPE'],
    ['no parser', 'text/a', {}, undefined, 'FST_ERR_CTP_INVALID_HANDLER'],
    ['a text for a parser', 'text/a', {}, 'parse', 'FST_ERR_CTP_INVALID_HANDLER'],
    ['parseAs json', 'text/a', { parseAs: 'json' }, echo, 'FST_ERR_CTP_INVALID_PARSE_TYPE'],
    ['parseAs null', 'text/a', { parseAs: null }, echo, 'FST_ERR_CTP_INVALID_PARSE_TYPE'],
  ];
  for (const [name, type, options, parser, code] of refusals) {
    test(`${name} is refused`, () => {
      const add = () => ambit().addContentTypeParser(type as string, options as object, parser as never);
      expect(add).toThrow(expect.objectContaining({ code }));
    });
  }

  for (const type of ['text/a', 'TEXT/A', '*', /^text\/a/]) {
    test(`a second parser for ${type} is refused`, () => {
      const app = ambit();
      app.addContentTypeParser(['text/a', '*', /^text\/a/], async () => '');
      const again = () => app.addContentTypeParser(type, async () => '');
      expect(again).toThrow(expect.objectContaining({ code: 'FST_ERR_CTP_ALREADY_PRESENT' }));
    });
  }

  test('parsers cannot change after boot', async () => {
    const app = ambit();
    await app.ready();
    const refusal = expect.objectContaining({ code: 'FST_ERR_CTP_INSTANCE_ALREADY_STARTED' });
    expect(() => app.addContentTypeParser('text/a', async () => '')).toThrow(refusal);
    expect(() => app.removeContentTypeParser('text/plain')).toThrow(refusal);
    expect(() => app.removeAllContentTypeParsers()).toThrow(refusal);
  });
});

describe('removal', () => {
  test('a removed default parser leaves its type unsupported', async () => {
    const app = ambit();
    app.removeContentTypeParser('Application/JSON');
    app.post('/', echo);
    expect(app.hasContentTypeParser('application/json')).toBe(false);
    expect((await send(app, 'application/json', '{}')).statusCode).toBe(415);
    expect((await send(app, 'text/plain', 'x')).statusCode).toBe(200);
  });

  test('several are removed at once, patterns by their text', async () => {
    const app = ambit();
    app.addContentTypeParser(/^text\/x-/, { parseAs: 'string' }, async (_request, body) => body);
    app.removeContentTypeParser(['text/plain', /^text\/x-/]);
    expect([app.hasContentTypeParser('text/plain'), app.hasContentTypeParser(/^text\/x-/)]).toEqual([
      false,
      false,
    ]);
    app.post('/', echo);
    expect((await send(app, 'text/x-own', 'x')).statusCode).toBe(415);
  });

  test('removing a parser that does not exist has no effect', () => {
    expect(() => ambit().removeContentTypeParser('text/nothing')).not.toThrow();
  });

  test('removeAllContentTypeParsers removes them all, and others can be added', async () => {
    const app = ambit();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_request, body) => `mine ${body}`,
    );
    app.post('/', echo);
    expect((await send(app, 'text/plain', 'x')).statusCode).toBe(415);
    expect((await send(app, 'application/json', '{}')).json()).toEqual({ body: 'mine {}' });
  });

  test('a removed parser can be added again', async () => {
    const app = ambit();
    app.addContentTypeParser('text/a', { parseAs: 'string' }, async () => 'first');
    app.removeContentTypeParser('text/a');
    app.addContentTypeParser('text/a', { parseAs: 'string' }, async () => 'second');
    app.post('/', echo);
    expect((await send(app, 'text/a', 'x')).json()).toEqual({ body: 'second' });
  });
});

describe('encapsulation of parsers', () => {
  const parser = (name: string) => async () => name;
  const options = { parseAs: 'string' } as const;

  test('a child sees its ancestors’ parsers; parent and siblings do not see the child’s', async () => {
    const app = ambit();
    app.addContentTypeParser('text/root', options, parser('root'));
    app.post('/', echo);
    app.register(async (child) => {
      child.addContentTypeParser('text/child', options, parser('child'));
      child.post('/child', echo);
      child.register(async (grandchild) => void grandchild.post('/grandchild', echo));
    });
    app.register(async (sibling) => void sibling.post('/sibling', echo));
    for (const url of ['/', '/child', '/grandchild', '/sibling']) {
      expect((await send(app, 'text/root', 'x', url)).json()).toEqual({ body: 'root' });
    }
    expect((await send(app, 'text/child', 'x', '/child')).json()).toEqual({ body: 'child' });
    expect((await send(app, 'text/child', 'x', '/grandchild')).json()).toEqual({ body: 'child' });
    expect((await send(app, 'text/child', 'x', '/')).statusCode).toBe(415);
    expect((await send(app, 'text/child', 'x', '/sibling')).statusCode).toBe(415);
  });

  test('two siblings may each have a parser of the same type', async () => {
    const app = ambit();
    for (const name of ['one', 'two']) {
      app.register(async (child) => {
        child.addContentTypeParser('text/own', options, parser(name));
        child.post(`/${name}`, echo);
      });
    }
    expect((await send(app, 'text/own', 'x', '/one')).json()).toEqual({ body: 'one' });
    expect((await send(app, 'text/own', 'x', '/two')).json()).toEqual({ body: 'two' });
  });

  test('removing a parser in a child does not change the parent', async () => {
    const app = ambit();
    app.post('/', echo);
    app.register(async (child) => {
      child.removeAllContentTypeParsers();
      child.post('/child', echo);
    });
    expect((await send(app, 'application/json', '{}', '/child')).statusCode).toBe(415);
    expect((await send(app, 'application/json', '{}', '/')).statusCode).toBe(200);
  });

  test('a child may replace the default JSON parser for itself', async () => {
    const app = ambit();
    app.post('/', echo);
    app.register(async (child) => {
      child.addContentTypeParser('application/json', options, parser('own'));
      child.post('/child', echo);
    });
    expect((await send(app, 'application/json', '{"a":1}', '/child')).json()).toEqual({ body: 'own' });
    expect((await send(app, 'application/json', '{"a":1}', '/')).json()).toEqual({ body: { a: 1 } });
  });

  test('a parser of a hoisted plugin is the parent’s', async () => {
    const app = ambit();
    app.register(
      hoist(
        async (context: Context) => void context.addContentTypeParser('text/own', options, parser('hoisted')),
      ),
    );
    app.post('/', echo);
    expect((await send(app, 'text/own', 'x')).json()).toEqual({ body: 'hoisted' });
  });

  test('hasContentTypeParser returns whether a parser is visible', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    app.register(async (child) => {
      child.addContentTypeParser(['text/own', '*'], options, parser('x'));
      seen.push(child.hasContentTypeParser('text/own'), child.hasContentTypeParser('*'));
    });
    await app.ready();
    expect(seen).toEqual([true, true]);
    expect([app.hasContentTypeParser('text/own'), app.hasContentTypeParser('*')]).toEqual([false, false]);
    expect([app.hasContentTypeParser('application/json'), app.hasContentTypeParser('text/plain')]).toEqual([
      true,
      true,
    ]);
    expect(() => app.hasContentTypeParser(7 as never)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_CTP_INVALID_TYPE' }),
    );
  });
});

describe('bodyLimit', () => {
  const text = (bytes: number) => 'x'.repeat(bytes);

  test('is 1 MiB by default', async () => {
    const app = ambit();
    app.post('/', (request) => ({ bytes: (request.body as string).length }));
    const origin = await serve(app);
    const post = (bytes: number) =>
      fetch(origin, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text(bytes) });
    expect(await (await post(1_048_576)).json()).toEqual({ bytes: 1_048_576 });
    const tooLarge = await post(1_048_577);
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toEqual({
      statusCode: 413,
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
      error: 'Payload Too Large',
      message: 'Request body is too large',
    });
  });

  const places: [string, (limit: number) => Context][] = [
    [
      'of the application',
      (bodyLimit) => {
        const app = ambit({ bodyLimit });
        app.post('/', echo);
        return app;
      },
    ],
    [
      'of the route, below the application’s',
      (bodyLimit) => {
        const app = ambit({ bodyLimit: 100 });
        app.post('/', { bodyLimit }, echo);
        return app;
      },
    ],
    [
      'of the route, above the application’s',
      (bodyLimit) => {
        const app = ambit({ bodyLimit: 1 });
        app.post('/', { bodyLimit }, echo);
        return app;
      },
    ],
    [
      'of the parser',
      (bodyLimit) => {
        const app = ambit({ bodyLimit: 1 });
        app.addContentTypeParser(
          'text/plain',
          { parseAs: 'string', bodyLimit },
          async (_request, body) => body,
        );
        app.post('/', echo);
        return app;
      },
    ],
    [
      'of the route, before the parser’s',
      (bodyLimit) => {
        const app = ambit();
        app.addContentTypeParser(
          'text/plain',
          { parseAs: 'string', bodyLimit: 1 },
          async (_request, body) => body,
        );
        app.post('/', { bodyLimit }, echo);
        return app;
      },
    ],
  ];
  for (const [place, make] of places) {
    for (const [bytes, status] of [
      [10, 200],
      [11, 413],
    ] as const) {
      test(`${bytes} bytes under the limit ${place} of 10 are answered ${status}`, async () => {
        expect((await send(make(10), 'text/plain', text(bytes))).statusCode).toBe(status);
      });
    }
  }

  test('does not apply to a parser that reads the stream itself', async () => {
    const app = ambit({ bodyLimit: 1 });
    app.addContentTypeParser('text/plain', async (_request, payload) => {
      let length = 0;
      for await (const chunk of payload) length += chunk.length;
      return length;
    });
    app.post('/', echo);
    expect((await send(app, 'text/plain', text(100))).json()).toEqual({ body: 100 });
  });

  test('shows in request.routeOptions', async () => {
    const app = ambit({ bodyLimit: 50 });
    app.get('/', (request) => ({ limit: request.routeOptions.bodyLimit }));
    app.get('/own', { bodyLimit: 5 }, (request) => ({ limit: request.routeOptions.bodyLimit }));
    expect((await app.inject('/')).json()).toEqual({ limit: 50 });
    expect((await app.inject('/own')).json()).toEqual({ limit: 5 });
  });

  for (const bodyLimit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null, {}]) {
    test(`${JSON.stringify(bodyLimit)} (${typeof bodyLimit}) is rejected as the limit of a route`, () => {
      const declare = () => ambit().post('/', { bodyLimit: bodyLimit as number }, echo);
      expect(declare).toThrow(expect.objectContaining({ code: 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT' }));
    });
  }

  for (const bodyLimit of [0, -1, 1.5, Number.NaN, '10', {}]) {
    test(`${JSON.stringify(bodyLimit)} (${typeof bodyLimit}) is rejected as the limit of the application`, () => {
      expect(() => ambit({ bodyLimit: bodyLimit as number })).toThrow(
        expect.objectContaining({ code: 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT' }),
      );
    });
  }

  test('applies to a body that a preParsing hook decompresses, at the limit and one byte past it', async () => {
    const app = ambit({ bodyLimit: 1000 });
    app.addHook('preParsing', async (request, _reply, payload) => {
      const inflated = new Transform({
        transform(chunk, _encoding, done) {
          (this as { receivedEncodedLength?: number }).receivedEncodedLength = chunk.length;
          done(null, gunzipSync(chunk));
        },
      });
      request.headers = { 'content-encoding': 'identity' };
      return payload.pipe(inflated);
    });
    app.post('/', (request) => ({ bytes: (request.body as string).length }));
    const response = await send(app, 'text/plain', gzipSync(text(1000)));
    expect([response.statusCode, response.json()]).toEqual([200, { bytes: 1000 }]);
    expect((await send(app, 'text/plain', gzipSync(text(1001)))).statusCode).toBe(413);
  });

  test('a preParsing hook may replace the body', async () => {
    const app = ambit();
    app.addHook('preParsing', async () =>
      Object.assign(Readable.from(['{"b":2}']), { receivedEncodedLength: 7 }),
    );
    app.post('/', echo);
    expect((await send(app, 'application/json', '{"a":1}')).json()).toEqual({ body: { b: 2 } });
  });

  test('a stream that fails while it is read fails the request with 400', async () => {
    const app = ambit();
    app.addHook('preParsing', async () => {
      const stream = new Readable({ read() {} });
      setImmediate(() => stream.destroy(new Error('cut off')));
      return stream;
    });
    app.post('/', echo);
    const response = await send(app, 'text/plain', 'x');
    expect([response.statusCode, response.json<Failure>().message]).toEqual([400, 'cut off']);
  });
});

describe('poisoning', () => {
  const proto = '{"a":1,"__proto__":{"polluted":1}}';
  const constructed = '{"a":1,"constructor":{"prototype":{"polluted":1}}}';
  const parse = async (options: AmbitOptions, body: string) => {
    const app = ambit(options);
    app.post('/', (request) => ({
      keys: Object.keys(request.body as object),
      polluted: ({} as { polluted?: number }).polluted ?? 'no',
    }));
    const response = await send(app, 'application/json', body);
    const { keys, polluted } = response.json<{ keys?: string[]; polluted?: string }>();
    return [response.statusCode, keys, polluted];
  };

  test('is an error by default', async () => {
    expect((await parse({}, proto))[0]).toBe(400);
    expect((await parse({}, constructed))[0]).toBe(400);
  });

  const outcomes: [AmbitOptions, string, unknown[]][] = [
    [{ onProtoPoisoning: 'error' }, proto, [400, undefined, undefined]],
    [{ onProtoPoisoning: 'remove' }, proto, [200, ['a'], 'no']],
    [{ onProtoPoisoning: 'ignore' }, proto, [200, ['a', '__proto__'], 'no']],
    [{ onConstructorPoisoning: 'error' }, constructed, [400, undefined, undefined]],
    [{ onConstructorPoisoning: 'remove' }, constructed, [200, ['a'], 'no']],
    [{ onConstructorPoisoning: 'ignore' }, constructed, [200, ['a', 'constructor'], 'no']],
    [{ onProtoPoisoning: 'remove' }, constructed, [400, undefined, undefined]],
    [{ onConstructorPoisoning: 'ignore' }, proto, [400, undefined, undefined]],
  ];
  for (const [options, body, outcome] of outcomes) {
    test(`with ${JSON.stringify(options)}, ${body} becomes ${JSON.stringify(outcome)}`, async () => {
      expect(await parse(options, body)).toEqual(outcome);
    });
  }

  const texts = [
    '{"__proto__":{"polluted":1}}',
    '{"a":[{"b":{"__proto__"\n\t :null}}]}',
    String.raw`{"\u005f_proto__":{"polluted":1}}`,
    String.raw`{"__proto_\u005F":{"polluted":1}}`,
    String.raw`{"__\u0070roto__":{"polluted":1}}`,
    '{"constructor": {"prototype":{"polluted":1}}}',
    String.raw`{"\u0063onstructor":{"prototype":1}}`,
    String.raw`{"constructo\u0072":{"protot\u0079pe":1}}`,
    String.raw`{"a":"\\","__proto__":1}`,
    '\ufeff{"__proto__":1}',
    '\ufeff{"a":1}',
    '{"constructor":{"name":"Ada"}}',
    '{"constructor":null,"prototype":{}}',
    '{"a":"\\"__proto__\\":1"}',
    '{"a":"__proto__","b":["constructor","prototype"]}',
    String.raw`{"a":"line\nline \u00e9"}`,
    '"__proto__"',
    '{"__proto__":',
  ];
  for (const text of texts) {
    test(`${JSON.stringify(text)} is judged as secure-json-parse does`, async () => {
      const app = ambit();
      app.post('/', echo);
      const response = await send(app, 'application/json', text);
      const verdict = secureJson.safeParse(text);
      const expected = verdict == null ? [400, undefined] : [200, verdict];
      expect([response.statusCode, response.json<{ body?: unknown }>().body]).toEqual(expected);
    });
  }

  for (const name of ['onProtoPoisoning', 'onConstructorPoisoning']) {
    for (const value of ['allow', 7, {}]) {
      test(`${name}: ${JSON.stringify(value)} is refused`, () => {
        expect(() => ambit({ [name]: value })).toThrow(
          expect.objectContaining({ code: 'FST_ERR_INIT_OPTS_INVALID' }),
        );
      });
    }
  }

  test('getDefaultJsonParser creates a JSON parser with rules of its own, for any type', async () => {
    const app = ambit();
    app.addContentTypeParser('text/json', { parseAs: 'string' }, app.getDefaultJsonParser('remove', 'error'));
    app.post('/', echo);
    expect((await send(app, 'text/json', proto)).json()).toEqual({ body: { a: 1 } });
    expect((await send(app, 'text/json', constructed)).statusCode).toBe(400);
    expect((await send(app, 'application/json', proto)).statusCode).toBe(400);
  });

  test('a parser of getDefaultJsonParser accepts bytes, too', async () => {
    const app = ambit();
    const parse = app.getDefaultJsonParser('remove', 'error') as never;
    app.addContentTypeParser('text/json', { parseAs: 'buffer' }, parse);
    app.post('/', echo);
    expect((await send(app, 'text/json', '{"a":"é"}')).json()).toEqual({ body: { a: 'é' } });
    expect((await send(app, 'text/json', proto)).json()).toEqual({ body: { a: 1 } });
    expect((await send(app, 'text/json', constructed)).statusCode).toBe(400);
  });

  test('defaultTextParser parses text of any type', async () => {
    const app = ambit();
    app.addContentTypeParser('text/html', { parseAs: 'string' }, app.defaultTextParser);
    app.post('/', echo);
    expect((await send(app, 'text/html', '<p>')).json()).toEqual({ body: '<p>' });
  });
});
