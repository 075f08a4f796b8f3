/** Spec 4.4: what a reply can send, how its head is put together, and the other ways a reply can go. */
import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { ambit, type Handler } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { ask } from '../support/ask.ts';
import type { Failure } from '../support/failure.ts';
import { converse, lastRequest, open, request } from '../support/raw-client.ts';
import { serve, servePort } from '../support/serve.ts';

const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const bytes = 'application/octet-stream';

/** Serves one route, GET /, and gives the answer to one request. */
async function answerOf(handler: Handler): Promise<Response> {
  const app = ambit();
  app.get('/', handler);
  return fetch(await serve(app));
}

/** The same without a socket. */
async function injectedAnswerOf(handler: Handler) {
  const app = ambit();
  app.get('/', handler);
  return app.inject('/');
}

describe('`send` takes every kind of payload', () => {
  const payloads = [
    ['an object as JSON', { id: 7 }, json, '{"id":7}'],
    ['an array as JSON', [1, 'two', null], json, '[1,"two",null]'],
    ['a number as JSON', 42, json, '42'],
    ['a boolean as JSON', false, json, 'false'],
    ['null as JSON', null, json, 'null'],
    ['an object with toJSON', new Date(0), json, '"1970-01-01T00:00:00.000Z"'],
    ['a string as text', 'grüße', text, 'grüße'],
    ['an empty string as text', '', text, ''],
    ['a Buffer as bytes', Buffer.from('bytes'), bytes, 'bytes'],
    ['an ArrayBuffer as bytes', new TextEncoder().encode('bytes').buffer, bytes, 'bytes'],
    ['a Blob under its own type', new Blob(['<p>'], { type: 'text/html' }), 'text/html', '<p>'],
    ['a Blob without a type as bytes', new Blob(['bytes']), bytes, 'bytes'],
    ['a Uint8Array as bytes', new TextEncoder().encode('bytes'), bytes, 'bytes'],
    ['a part of a Uint8Array', new TextEncoder().encode('xxbytesxx').subarray(2, 7), bytes, 'bytes'],
    [
      'a Uint16Array as its bytes',
      new Uint16Array(Uint8Array.from(Buffer.from('byte')).buffer),
      bytes,
      'byte',
    ],
    ['a DataView as its bytes', new DataView(Uint8Array.from(Buffer.from('byte')).buffer, 1), bytes, 'yte'],
    ['a Float64Array as its bytes', new Float64Array(1), bytes, '\0'.repeat(8)],
  ] as const;

  for (const [name, payload, mediaType, body] of payloads) {
    test(`${name}`, async () => {
      const response = await answerOf((_request, reply) => reply.send(payload));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(mediaType);
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
      expect(await response.text()).toBe(body);
    });

    test(`${name}, returned by an async handler`, async () => {
      const response = await answerOf(async () => payload);
      expect(response.headers.get('content-type')).toBe(mediaType);
      expect(await response.text()).toBe(body);
    });

    test(`${name}, returned by a synchronous handler`, async () => {
      const response = await answerOf(() => payload);
      expect(response.headers.get('content-type')).toBe(mediaType);
      expect(await response.text()).toBe(body);
    });
  }

  test('undefined is an empty answer without a media type', async () => {
    const response = await answerOf((_request, reply) => reply.send(undefined));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('0');
    expect(response.headers.has('content-type')).toBe(false);
    expect(await response.text()).toBe('');
  });

  test('an async handler that returns undefined without replying answers empty', async () => {
    const response = await answerOf(async () => undefined);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('null under a media type that is not JSON is an empty answer', async () => {
    const response = await answerOf((_request, reply) => reply.type('text/html').send(null));
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toBe('');
  });

  test('a string under a JSON type is sent as it is', async () => {
    const response = await answerOf((_request, reply) =>
      reply.type('application/json').send('{"ready":true}'),
    );
    expect(response.headers.get('content-type')).toBe(json);
    expect(await response.json()).toEqual({ ready: true });
  });

  test('an object under any type that says JSON is serialized', async () => {
    const response = await answerOf((_request, reply) => reply.type('application/hal+json').send({ a: 1 }));
    expect(response.headers.get('content-type')).toBe('application/hal+json; charset=utf-8');
    expect(await response.json()).toEqual({ a: 1 });
  });

  test('an object under a type that is not JSON is refused with 500', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.type('text/html').send({ a: 1 }));
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      statusCode: 500,
      code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE',
      error: 'Internal Server Error',
      message: "Attempted to send payload of invalid type 'object'. Expected a string or Buffer.",
    });
  });

  test('a circular object is answered 500', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const response = await injectedAnswerOf(() => circular);
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().message).toMatch(/contains itself/);
  });

  test('a BigInt, which JSON cannot hold, is answered 500', async () => {
    expect((await injectedAnswerOf(() => ({ big: 1n }))).statusCode).toBe(500);
  });

  test('an Error goes to the error handlers', async () => {
    const response = await injectedAnswerOf((_request, reply) =>
      reply.code(418).send(new Error('short and stout')),
    );
    expect(response.statusCode).toBe(418);
    expect(response.json()).toEqual({ statusCode: 418, error: "I'm a Teapot", message: 'short and stout' });
  });

  test('a payload that an onSend hook makes unsendable is answered 500', async () => {
    const app = ambit();
    app.get('/', { onSend: async () => ({ not: 'text' }) }, () => 'text');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().code).toBe('FST_ERR_REP_INVALID_PAYLOAD_TYPE');
  });
});

describe('node streams', () => {
  test('a stream is piped, without a length and without an invented media type', async () => {
    const response = await answerOf(() => Readable.from(['one ', 'two']));
    expect(response.headers.has('content-type')).toBe(false);
    expect(response.headers.has('content-length')).toBe(false);
    expect(await response.text()).toBe('one two');
  });

  test('a stream keeps the head that the handler gave it', async () => {
    const response = await answerOf((_request, reply) =>
      reply
        .code(206)
        .type('text/css')
        .header('x-kind', 'stream')
        .send(Readable.from(['body'])),
    );
    expect(response.status).toBe(206);
    expect(response.headers.get('content-type')).toBe('text/css');
    expect(response.headers.get('x-kind')).toBe('stream');
  });

  test('a large file arrives whole', async () => {
    const response = await answerOf((_request, reply) =>
      reply.send(createReadStream(process.execPath, { end: 5_000_000 })),
    );
    expect((await response.arrayBuffer()).byteLength).toBe(5_000_001);
  });

  test('a stream that fails before its first byte is answered by the error handler', async () => {
    const response = await answerOf((_request, reply) =>
      reply.type('text/html').header('content-length', 100).send(createReadStream('/nowhere/at/all')),
    );
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe(json);
    expect(await response.json()).toMatchObject({ statusCode: 500, code: 'ENOENT' });
  });

  test('the status of an error before the first byte is used', async () => {
    const response = await answerOf((_request, reply) => {
      const stream = new PassThrough();
      setImmediate(() => stream.destroy(Object.assign(new Error('gone'), { statusCode: 410 })));
      return reply.send(stream);
    });
    expect(response.status).toBe(410);
  });

  test('a stream that was destroyed before it was sent is answered 500', async () => {
    const response = await answerOf((_request, reply) => {
      const stream = new PassThrough();
      stream.destroy();
      return reply.send(stream);
    });
    expect(response.status).toBe(500);
  });

  test('a stream that fails after its first byte cuts the connection', async () => {
    const response = await answerOf((_request, reply) => {
      const stream = new PassThrough();
      stream.write('half');
      setTimeout(() => stream.destroy(new Error('broken')), 20);
      return reply.send(stream);
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('after a stream that failed half way the server goes on serving', async () => {
    const app = ambit();
    app.get('/broken', (_request, reply) => {
      const stream = new PassThrough();
      stream.write('half');
      setTimeout(() => stream.destroy(new Error('broken')), 5);
      return reply.send(stream);
    });
    app.get('/fine', () => 'fine');
    const origin = await serve(app);
    await expect(fetch(`${origin}/broken`).then((response) => response.text())).rejects.toThrow();
    expect(await (await fetch(`${origin}/fine`)).text()).toBe('fine');
  });

  test('a stream is destroyed when the client leaves', async () => {
    const stream = new PassThrough();
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const app = ambit();
    app.get('/', (_request, reply) => reply.send(stream));
    const { socket } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    stream.write('first');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  test('HEAD describes a stream without sending it, and closes it', async () => {
    const stream = Readable.from(['body']);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const app = ambit();
    app.get('/', (_request, reply) => reply.type('text/css').send(stream));
    const response = await fetch(await serve(app), { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/css');
    expect(await response.text()).toBe('');
    await closed;
  });
});

describe('web streams', () => {
  const chunk = new TextEncoder().encode('chunk');

  test('a web stream of bytes is sent as it comes', async () => {
    const response = await answerOf((_request, reply) => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(chunk);
          controller.enqueue(chunk);
          controller.close();
        },
      });
      return reply.type('text/css').send(stream);
    });
    expect(response.headers.get('content-type')).toBe('text/css');
    expect(await response.text()).toBe('chunkchunk');
  });

  test('a web stream larger than the socket takes at once arrives whole', async () => {
    let left = 200;
    const response = await answerOf(
      () =>
        new ReadableStream({
          pull(controller) {
            left--;
            controller.enqueue(new Uint8Array(20_000));
            return left === 0 ? controller.close() : undefined;
          },
        }),
    );
    expect((await response.arrayBuffer()).byteLength).toBe(4_000_000);
  });

  test('a web stream that fails before its first byte is answered by the error handler', async () => {
    const response = await answerOf(
      () => new ReadableStream({ pull: (controller) => controller.error(new Error('no source')) }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ message: 'no source' });
  });

  test('a web stream that fails after its first byte cuts the connection', async () => {
    let pulls = 0;
    const response = await answerOf(
      () =>
        new ReadableStream({
          async pull(controller) {
            pulls++;
            await new Promise((resolve) => setTimeout(resolve, 10));
            return pulls === 1 ? controller.enqueue(chunk) : controller.error(new Error('broken'));
          },
        }),
    );
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('a web stream is cancelled when the client leaves', async () => {
    const app = ambit();
    const cancelled = new Promise<void>((resolve) => {
      app.get(
        '/',
        () =>
          new ReadableStream({
            start: (controller) => controller.enqueue(chunk),
            cancel: () => resolve(),
          }),
      );
    });
    const { socket } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await cancelled;
  });

  for (const [name, method, status] of [
    ['HEAD', 'HEAD', 200],
    ['a 304', 'GET', 304],
  ] as const) {
    test(`${name} describes an endless web stream and cancels it`, async () => {
      const app = ambit();
      const cancelled = new Promise<void>((resolve) => {
        const stream = () =>
          new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: () => resolve() });
        app.route({
          method,
          url: '/',
          exposeHeadRoute: false,
          handler: (_request, reply) => reply.code(status).header('x-kind', 'endless').send(stream()),
        });
      });
      const response = await fetch(await serve(app), { method });
      expect([response.status, response.headers.get('x-kind')]).toEqual([status, 'endless']);
      await cancelled;
    });
  }

  test('a web stream that somebody reads already is refused with 500', async () => {
    const response = await injectedAnswerOf(() => {
      const stream = new ReadableStream();
      stream.getReader();
      return stream;
    });
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().code).toBe('FST_ERR_REP_READABLE_STREAM_LOCKED');
  });

  test('a web stream of something else than bytes or text does not bring the server down', async () => {
    const app = ambit();
    app.get(
      '/numbers',
      () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue(1);
            controller.close();
          },
        }),
    );
    app.get('/fine', () => 'fine');
    const origin = await serve(app);
    const outcome = await fetch(`${origin}/numbers`).then(
      (response) => response.status,
      () => 'cut off',
    );
    expect([500, 'cut off']).toContain(outcome);
    expect(await (await fetch(`${origin}/fine`)).text()).toBe('fine');
  });
});

describe('a web Response', () => {
  test('brings its status, its headers and its body', async () => {
    const response = await answerOf(
      () => new Response('made', { status: 201, headers: { 'x-made-by': 'fetch' } }),
    );
    expect(response.status).toBe(201);
    expect(response.headers.get('x-made-by')).toBe('fetch');
    expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(await response.text()).toBe('made');
  });

  test('may have no body', async () => {
    const response = await answerOf(() => new Response(null, { status: 204 }));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('keeps several cookies apart', async () => {
    const response = await answerOf(() => {
      const headers = new Headers();
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      return new Response('', { headers });
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('overrides the headers that the handler set, and leaves the others', async () => {
    const response = await answerOf((_request, reply) =>
      reply
        .headers({ 'x-one': 'handler', 'x-two': 'handler' })
        .send(new Response('', { headers: { 'x-one': 'response' } })),
    );
    expect(response.headers.get('x-one')).toBe('response');
    expect(response.headers.get('x-two')).toBe('handler');
  });

  test('is described by HEAD with its status and headers', async () => {
    const app = ambit();
    app.get('/', () => new Response('made', { status: 201, headers: { 'x-made-by': 'fetch' } }));
    const response = await fetch(await serve(app), { method: 'HEAD' });
    expect([response.status, response.headers.get('x-made-by')]).toEqual([201, 'fetch']);
    expect(await response.text()).toBe('');
  });

  test('whose body was read already is refused with 500', async () => {
    const response = await injectedAnswerOf(async () => {
      const used = new Response('used');
      await used.text();
      return used;
    });
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().code).toBe('FST_ERR_REP_RESPONSE_BODY_CONSUMED');
  });

  test('with JSON arrives as JSON', async () => {
    const response = await answerOf(() => Response.json({ a: 1 }));
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ a: 1 });
  });
});

describe('`status` and `code`', () => {
  for (const setter of ['status', 'code'] as const) {
    test(`${setter} sets the status and chains with send`, async () => {
      const response = await answerOf((_request, reply) => reply[setter](201).send({ made: true }));
      expect(response.status).toBe(201);
    });

    for (const status of [200, 599]) {
      test(`${setter} takes ${status}`, async () => {
        const response = await injectedAnswerOf((_request, reply) => {
          reply[setter](status);
          const taken = reply.statusCode;
          return reply[setter](200).send({ taken });
        });
        expect(response.json()).toEqual({ taken: status });
      });
    }

    for (const status of [404.5, '404', '404.5']) {
      test(`${setter} takes the whole number of ${JSON.stringify(status)}`, async () => {
        const response = await injectedAnswerOf((_request, reply) =>
          reply[setter](status as never).send('x'),
        );
        expect(response.statusCode).toBe(404);
      });
    }

    for (const status of [99, 600, 0, -1, 600.5, Number.NaN, 'teapot', undefined, null]) {
      test(`${setter} refuses ${status}`, async () => {
        const response = await injectedAnswerOf((_request, reply) =>
          reply[setter](status as never).send('x'),
        );
        expect(response.statusCode).toBe(500);
        expect(response.json()).toMatchObject({
          code: 'FST_ERR_BAD_STATUS_CODE',
          message: `Called reply with an invalid status code: ${status}`,
        });
      });
    }
  }

  for (const status of [100, 103, 199, '103', 199.5]) {
    test(`${JSON.stringify(status)} is refused, because it does not end a response`, async () => {
      const response = await injectedAnswerOf((_request, reply) => reply.code(status as never).send('x'));
      expect(response.statusCode).toBe(500);
      expect(response.json()).toMatchObject({
        code: 'FST_ERR_BAD_STATUS_CODE',
        message: `Called reply with an invalid status code: ${status}, which is not final. For 103, call reply.writeEarlyHints`,
      });
    });
  }

  test('the status can be assigned and read', async () => {
    const response = await injectedAnswerOf((_request, reply) => {
      const before = reply.statusCode;
      reply.statusCode = 202;
      return { before, after: reply.statusCode };
    });
    expect(response.statusCode).toBe(202);
    expect(response.json()).toEqual({ before: 200, after: 202 });
  });

  test('assigning a status outside the range is refused too', async () => {
    const response = await injectedAnswerOf((_request, reply) => {
      reply.statusCode = 600;
    });
    expect(response.json<Failure>().code).toBe('FST_ERR_BAD_STATUS_CODE');
  });

  test('a 204 carries neither content nor what would describe it', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => reply.code(204).type('text/css').send('content'));
    const answer = await converse(await servePort(app), lastRequest('GET', '/'));
    expect(answer).toMatch(/^HTTP\/1.1 204 No Content\r\n/);
    expect(answer).not.toMatch(/content-type|content-length|transfer-encoding/i);
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  test('a stream sent with 204 is let go', async () => {
    const stream = Readable.from(['content']);
    const response = await answerOf((_request, reply) => reply.code(204).send(stream));
    expect(await response.text()).toBe('');
    await vi.waitFor(() => expect(stream.destroyed).toBe(true));
  });

  test('an empty 304 has no Content-Length', async () => {
    const response = await answerOf((_request, reply) => reply.code(304).send());
    expect(response.status).toBe(304);
    expect(response.headers.has('content-length')).toBe(false);
  });
});

describe('headers', () => {
  test('header sets, getHeader reads and hasHeader tells, whatever the case', async () => {
    const response = await answerOf((_request, reply) => {
      reply.header('X-Kind', 'first');
      return {
        value: reply.getHeader('x-KIND'),
        has: reply.hasHeader('X-kind'),
        other: reply.hasHeader('x-other'),
      };
    });
    expect(response.headers.get('x-kind')).toBe('first');
    expect(await response.json()).toEqual({ value: 'first', has: true, other: false });
  });

  test('a header set twice keeps the last value', async () => {
    const response = await answerOf((_request, reply) =>
      reply.header('x-kind', 1).header('X-KIND', 2).send(),
    );
    expect(response.headers.get('x-kind')).toBe('2');
  });

  test('a header without a value is empty', async () => {
    const response = await answerOf((_request, reply) => reply.header('x-kind').send());
    expect(response.headers.get('x-kind')).toBe('');
  });

  test('an array sends one field a value', async () => {
    const response = await answerOf((_request, reply) => reply.header('x-kind', ['a', 'b']).send());
    expect(response.headers.get('x-kind')).toBe('a, b');
  });

  test('headers sets many', async () => {
    const response = await answerOf((_request, reply) => reply.headers({ 'x-a': '1', 'X-B': '2' }).send());
    expect([response.headers.get('x-a'), response.headers.get('x-b')]).toEqual(['1', '2']);
  });

  test('set-cookie adds up', async () => {
    const response = await answerOf((_request, reply) =>
      reply
        .header('set-cookie', 'a=1')
        .header('Set-Cookie', ['b=2', 'c=3'])
        .headers({ 'set-cookie': 'd=4' })
        .send(),
    );
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3', 'd=4']);
  });

  test('an array of cookies that is used for many replies does not grow', async () => {
    const shared = ['a=1'];
    const app = ambit();
    app.get('/', (_request, reply) => reply.header('set-cookie', shared).header('set-cookie', 'b=2').send());
    await app.inject('/');
    await app.inject('/');
    expect(shared).toEqual(['a=1']);
  });

  test('getHeaders shows all, those of node’s response included', async () => {
    const response = await injectedAnswerOf((_request, reply) => {
      reply.raw.setHeader('x-raw', 'raw');
      return reply.header('x-reply', 'reply').getHeaders();
    });
    expect(response.json()).toEqual({ 'x-raw': 'raw', 'x-reply': 'reply' });
  });

  test('headers of node’s response merge into the reply, which wins', async () => {
    const response = await answerOf((_request, reply) => {
      reply.raw.setHeader('x-raw', 'raw');
      reply.raw.setHeader('x-both', 'raw');
      return reply
        .header('x-both', 'reply')
        .send({ seen: reply.getHeader('x-raw'), has: reply.hasHeader('x-raw') });
    });
    expect(response.headers.get('x-raw')).toBe('raw');
    expect(response.headers.get('x-both')).toBe('reply');
    expect(await response.json()).toEqual({ seen: 'raw', has: true });
  });

  test('a media type set on node’s response counts', async () => {
    const response = await answerOf((_request, reply) => {
      reply.raw.setHeader('content-type', 'text/css');
      return 'p {}';
    });
    expect(response.headers.get('content-type')).toBe('text/css');
  });

  test('a status set on node’s response counts', async () => {
    const response = await answerOf((_request, reply) => {
      reply.raw.statusCode = 202;
      return { status: reply.statusCode };
    });
    expect(response.status).toBe(202);
  });

  test('removeHeader removes from both', async () => {
    const response = await answerOf((_request, reply) => {
      reply.raw.setHeader('x-raw', 'raw');
      return reply.header('x-reply', 'reply').removeHeader('X-Raw').removeHeader('X-Reply').send();
    });
    expect(response.headers.has('x-raw')).toBe(false);
    expect(response.headers.has('x-reply')).toBe(false);
  });

  test('type sets the media type and chains', async () => {
    const response = await answerOf((_request, reply) => reply.type('text/html').send('<p>'));
    expect(response.headers.get('content-type')).toBe('text/html');
  });

  test('a JSON type gets a charset, unless it has one', async () => {
    const bare = await injectedAnswerOf((_request, reply) => reply.type('application/json').send({}));
    const own = await injectedAnswerOf((_request, reply) =>
      reply.type('application/json; charset=utf-16').send({}),
    );
    const loud = await injectedAnswerOf((_request, reply) =>
      reply.type('application/json; CharSet=utf-16').send({}),
    );
    expect(bare.headers['content-type']).toBe(json);
    expect(own.headers['content-type']).toBe('application/json; charset=utf-16');
    expect(loud.headers['content-type']).toBe('application/json; CharSet=utf-16');
  });

  test('parameters of a JSON type survive the charset that is added', async () => {
    const response = await injectedAnswerOf((_request, reply) =>
      reply.type('application/json; profile="a \\"b\\" c"').send({}),
    );
    expect(response.headers['content-type']).toBe('application/json; profile="a \\"b\\" c"; charset=utf-8');
  });

  test('mediaType tells the media type of the reply in canonical form', async () => {
    const response = await injectedAnswerOf((_request, reply) => {
      const before = reply.mediaType ?? 'none';
      reply.type('Text/HTML ; charset=utf-8');
      return reply.send(`${before} ${reply.mediaType}`);
    });
    expect(response.body).toBe('none text/html');
  });

  test('a Content-Length that is wrong is corrected', async () => {
    const response = await answerOf((_request, reply) => reply.header('content-length', 100).send('short'));
    expect(response.headers.get('content-length')).toBe('5');
    expect(await response.text()).toBe('short');
  });

  const forbidden = ['a\r\nx-injected: 1', 'a\nb', 'a\0b'];
  for (const value of forbidden) {
    test(`a header value with ${JSON.stringify(value)} is answered 500 and injects nothing`, async () => {
      const response = await answerOf((_request, reply) => reply.header('x-kind', value).send('x'));
      expect(response.status).toBe(500);
      expect(response.headers.has('x-injected')).toBe(false);
      expect(response.headers.has('x-kind')).toBe(false);
    });
  }

  test('a header name that is none is answered 500', async () => {
    expect((await answerOf((_request, reply) => reply.header('no name', 'x').send('x'))).status).toBe(500);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const app = ambit();
    app.get('/', () => ({ a: 1 }));
    const response = await fetch(await serve(app), { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe('7');
    expect(response.headers.get('content-type')).toBe(json);
    expect(await response.text()).toBe('');
  });
});

describe('redirect', () => {
  test('redirects with 302 and no content', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.redirect('/there'));
    expect([response.statusCode, response.headers.location, response.body]).toEqual([302, '/there', '']);
  });

  test('uses the status that was set before', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.code(301).redirect('/there'));
    expect(response.statusCode).toBe(301);
  });

  test('prefers the status that it is given', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.code(301).redirect('/there', 308));
    expect(response.statusCode).toBe(308);
  });

  test('is followed by clients', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => reply.redirect('/there'));
    app.get('/there', () => 'arrived');
    expect(await (await fetch(await serve(app))).text()).toBe('arrived');
  });

  test('can be returned from an async handler', async () => {
    const response = await injectedAnswerOf(async (_request, reply) => reply.redirect('/there', 303));
    expect(response.statusCode).toBe(303);
  });

  test('refuses a status out of range', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.redirect('/there', 600));
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().code).toBe('FST_ERR_BAD_STATUS_CODE');
  });

  test('cannot be made to inject a header', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.redirect('/\r\nx-injected: 1'));
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/%0D%0Ax-injected:%201');
    expect(response.headers['x-injected']).toBeUndefined();
  });

  test('percent-encodes what a URL cannot hold, and nothing that is encoded already', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.redirect('/日本/a%20b?q=1&r=[x]'));
    expect(response.headers.location).toBe('/%E6%97%A5%E6%9C%AC/a%20b?q=1&r=[x]');
  });
});

describe('callNotFound', () => {
  test('answers 404 in the default way', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.callNotFound());
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'Route GET:/ not found',
    });
  });

  test('runs the not-found handler of the nearest prefix, with its preHandler hooks', async () => {
    const app = ambit();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('root'));
    app.register(
      async (shop) => {
        const order: string[] = [];
        shop.setNotFoundHandler(
          {
            preHandler: async () => {
              order.push('preHandler');
            },
          },
          (request, reply) => reply.code(404).send({ order, is404: request.is404 }),
        );
        shop.get('/item', async (_request, reply) => reply.callNotFound());
      },
      { prefix: '/shop' },
    );
    const response = await app.inject('/shop/item');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ order: ['preHandler'], is404: true });
  });

  test('inside a not-found handler answers a plain 404', async () => {
    const app = ambit();
    app.setNotFoundHandler((_request, reply) => reply.callNotFound());
    const response = await app.inject('/nowhere');
    expect([response.statusCode, response.body]).toEqual([404, '404 Not Found']);
  });
});

describe('sent, hijack and awaiting', () => {
  test('sent is false until the response has ended', async () => {
    const seen: boolean[] = [];
    const app = ambit();
    app.get('/', {
      onSend: async (_request, reply) => void seen.push(reply.sent),
      onResponse: async (_request, reply) => void seen.push(reply.sent),
      handler: (_request, reply) => {
        seen.push(reply.sent);
        reply.send('x');
        seen.push(reply.sent);
      },
    });
    await fetch(await serve(app));
    await vi.waitFor(() => expect(seen).toEqual([false, false, false, true]));
  });

  test('without hooks in between, sent is true right after send', async () => {
    let sent: boolean | undefined;
    await injectedAnswerOf((_request, reply) => {
      sent = reply.send('x').sent;
    });
    expect(sent).toBe(true);
  });

  test('a second send changes nothing and is logged', async () => {
    const lines: { err?: { code?: string } }[] = [];
    const app = ambit({
      logger: { level: 'warn', stream: { write: (line: string) => lines.push(JSON.parse(line)) } },
    } as never);
    app.get('/', (_request, reply) => {
      reply.send('first');
      reply.send('second');
    });
    expect((await app.inject('/')).body).toBe('first');
    expect(lines.map((line) => line.err?.code)).toEqual(['FST_ERR_REP_ALREADY_SENT']);
  });

  test('a value returned after send changes nothing', async () => {
    const response = await injectedAnswerOf(async (_request, reply) => {
      reply.send('first');
      return 'second';
    });
    expect(response.body).toBe('first');
  });

  test('an error thrown after send changes nothing', async () => {
    const response = await injectedAnswerOf(async (_request, reply) => {
      reply.send('first');
      throw new Error('late');
    });
    expect([response.statusCode, response.body]).toEqual([200, 'first']);
  });

  test('hijack leaves the response to the handler', async () => {
    const hooks: string[] = [];
    const app = ambit();
    app.get('/', {
      onSend: async () => void hooks.push('onSend'),
      onResponse: async () => void hooks.push('onResponse'),
      handler: async (_request, reply) => {
        reply.header('x-reply', 'lost').hijack();
        hooks.push(`sent: ${reply.sent}`);
        setTimeout(() => reply.raw.end('by hand'), 5);
        return 'ignored';
      },
    });
    const response = await fetch(await serve(app));
    expect(await response.text()).toBe('by hand');
    expect(response.headers.has('x-reply')).toBe(false);
    await vi.waitFor(() => expect(hooks).toEqual(['sent: true', 'onResponse']));
  });

  test('after hijack neither send nor an error answers', async () => {
    const response = await answerOf(async (_request, reply) => {
      reply.hijack().send('by the framework');
      setTimeout(() => reply.raw.end('by hand'), 5);
      throw new Error('nobody answers this');
    });
    expect([response.status, await response.text()]).toEqual([200, 'by hand']);
  });

  test('hijack in a hook ends the chain', async () => {
    const handler = vi.fn();
    const app = ambit();
    app.get('/', {
      onRequest: async (_request, reply) => void reply.hijack().raw.end('by the hook'),
      handler,
    });
    expect(await (await fetch(await serve(app))).text()).toBe('by the hook');
    expect(handler).not.toHaveBeenCalled();
  });

  test('a reply can be awaited: it settles when the response is out', async () => {
    const seen: boolean[] = [];
    const response = await answerOf(async (_request, reply) => {
      setTimeout(() => reply.send('later'), 5);
      await reply;
      seen.push(reply.sent);
      return reply;
    });
    expect(await response.text()).toBe('later');
    expect(seen).toEqual([true]);
  });

  test('an async handler may reply later and return the reply', async () => {
    const response = await answerOf(async (_request, reply) => {
      setTimeout(() => reply.send('later'), 5);
      return reply;
    });
    expect(await response.text()).toBe('later');
  });
});

describe('trailers', () => {
  const withTrailers = async (handler: Handler) => {
    const app = ambit();
    app.get('/', handler);
    return ask(await serve(app));
  };

  test('a trailer is announced and follows the content, by callback', async () => {
    const { headers, body, trailers } = await withTrailers((_request, reply) =>
      reply
        .trailer('X-Sum', (_reply, payload, done) => done(null, `${String(payload).length}`))
        .send('content'),
    );
    expect(headers.trailer).toBe('x-sum');
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(headers['content-length']).toBeUndefined();
    expect(body).toBe('content');
    expect(trailers).toEqual({ 'x-sum': '7' });
  });

  test('a trailer may come by promise', async () => {
    const { trailers } = await withTrailers((_request, reply) =>
      reply.trailer('x-sum', async (_reply, payload) => `of ${payload}`).send('content'),
    );
    expect(trailers).toEqual({ 'x-sum': 'of content' });
  });

  test('several trailers are sent together', async () => {
    const { headers, trailers } = await withTrailers((_request, reply) =>
      reply
        .trailer('x-a', async () => 'a')
        .trailer('x-b', (_reply, _payload, done) => {
          setTimeout(done, 5, null, 'b');
        })
        .send({ content: true }),
    );
    expect(headers.trailer!.split(/[\s,]+/)).toEqual(['x-a', 'x-b']);
    expect(trailers).toEqual({ 'x-a': 'a', 'x-b': 'b' });
  });

  const contents = [
    ['a node stream', () => Readable.from(['a', 'b']), 'ab'],
    ['a web stream', () => new Response('ab').body, 'ab'],
    ['nothing', () => undefined, ''],
  ] as const;
  for (const [name, make, body] of contents) {
    test(`trailers follow ${name}`, async () => {
      const answer = await withTrailers((_request, reply) =>
        reply.trailer('x-end', async () => 'yes').send(make()),
      );
      expect(answer.body).toBe(body);
      expect(answer.trailers).toEqual({ 'x-end': 'yes' });
    });
  }

  test('a trailer that fails is left out, and the answer stands', async () => {
    const answer = await withTrailers((_request, reply) =>
      reply
        .trailer('x-thrown', () => {
          throw new Error('no');
        })
        .trailer('x-rejected', () => Promise.reject(new Error('no')))
        .trailer('x-called', (_reply, _payload, done) => done(new Error('no')))
        .trailer('x-fine', async () => 'yes')
        .send('content'),
    );
    expect([answer.status, answer.body]).toEqual([200, 'content']);
    expect(answer.trailers).toEqual({ 'x-fine': 'yes' });
  });

  test('a trailer whose value cannot be sent is left out', async () => {
    const answer = await withTrailers((_request, reply) =>
      reply
        .trailer('x-bad', async () => 'a\r\nx-injected: 1')
        .trailer('x-fine', async () => 'yes')
        .send('content'),
    );
    expect(answer.body).toBe('content');
    expect(answer.trailers).toEqual({ 'x-fine': 'yes' });
  });

  test('hasTrailer tells, removeTrailer takes back', async () => {
    const seen: boolean[] = [];
    const { headers, trailers } = await withTrailers((_request, reply) => {
      reply.trailer('X-Sum', async () => 'sum');
      seen.push(reply.hasTrailer('x-SUM'), reply.hasTrailer('x-other'));
      reply.removeTrailer('x-sum');
      seen.push(reply.hasTrailer('x-sum'));
      return reply.send('content');
    });
    expect(seen).toEqual([true, false, false]);
    expect(headers.trailer).toBeUndefined();
    expect(headers['content-length']).toBe('7');
    expect(trailers).toEqual({});
  });

  const forbidden = [
    'transfer-encoding',
    'content-length',
    'host',
    'cache-control',
    'max-forwards',
    'te',
    'authorization',
    'set-cookie',
    'content-encoding',
    'content-type',
    'content-range',
    'trailer',
    'no name',
    '',
  ];
  for (const name of forbidden) {
    test(`'${name}' cannot be a trailer`, async () => {
      const response = await injectedAnswerOf((_request, reply) =>
        reply.trailer(name.toUpperCase(), async () => 'x').send('x'),
      );
      expect(response.statusCode).toBe(500);
      expect(response.json<Failure>().code).toBe('FST_ERR_BAD_TRAILER_NAME');
    });
  }

  for (const value of [undefined, null, 'text', 1, {}]) {
    test(`a trailer cannot be ${JSON.stringify(value)}`, async () => {
      const response = await injectedAnswerOf((_request, reply) =>
        reply.trailer('x-sum', value as never).send('x'),
      );
      expect(response.statusCode).toBe(500);
      expect(response.json<Failure>().code).toBe('FST_ERR_BAD_TRAILER_VALUE');
    });
  }
});

describe('early hints, times, and what a reply knows', () => {
  test('writeEarlyHints sends a 103 before the answer', async () => {
    const app = ambit();
    app.get('/', async (_request, reply) => {
      const link = '</style.css>; rel=preload; as=style';
      await new Promise<void>((resolve) => reply.writeEarlyHints({ link, 'x-hint': '1' }, resolve));
      return 'content';
    });
    const answer = await ask(await serve(app));
    expect(answer.hints).toEqual([{ link: '</style.css>; rel=preload; as=style', 'x-hint': '1' }]);
    expect([answer.status, answer.body]).toEqual([200, 'content']);
    expect(answer.headers['x-hint']).toBeUndefined();
  });

  test('writeEarlyHints chains', async () => {
    const app = ambit();
    app.get('/', (_request, reply) =>
      reply.writeEarlyHints({ link: '</a.css>; rel=preload' }).send('content'),
    );
    expect((await ask(await serve(app))).body).toBe('content');
  });

  test('elapsedTime grows until the response is out, then stands still', async () => {
    const times: number[] = [];
    const app = ambit();
    app.get('/', {
      onResponse: async (_request, reply) => {
        times.push(reply.elapsedTime);
        await new Promise((resolve) => setTimeout(resolve, 20));
        times.push(reply.elapsedTime);
      },
      handler: async (_request, reply) => {
        times.push(reply.elapsedTime);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return 'x';
      },
    });
    await fetch(await serve(app));
    await vi.waitFor(() => expect(times).toHaveLength(3));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(times[1]).toBeGreaterThan(times[0]!);
    expect(times[2]).toBe(times[1]);
  });

  test('elapsedTime is 0 where nothing observes the response', async () => {
    const response = await injectedAnswerOf((_request, reply) => ({ elapsed: reply.elapsedTime }));
    expect(response.json()).toEqual({ elapsed: 0 });
  });

  test('a reply knows its request, its context, its route and node’s response', async () => {
    const app = ambit();
    app.register(async (child) => {
      child.get('/:id', { config: { tag: 'here' } }, (request, reply) => ({
        request: reply.request === request,
        server: reply.server === child,
        url: reply.routeOptions.url,
        tag: reply.routeOptions.config.tag,
        raw: typeof reply.raw.writeHead,
        log: typeof reply.log.info,
      }));
    });
    expect((await app.inject('/7')).json()).toEqual({
      request: true,
      server: true,
      url: '/:id',
      tag: 'here',
      raw: 'function',
      log: 'function',
    });
  });

  test('getDecorator gives reply decorators, functions bound to the reply', async () => {
    const app = ambit();
    app.decorateReply('colour', 'blue');
    app.decorateReply('shout', function (this: { statusCode: number }) {
      return `status ${this.statusCode}`;
    });
    app.get('/', (_request, reply) => ({
      colour: reply.getDecorator('colour'),
      shout: reply.getDecorator<() => string>('shout')(),
    }));
    expect((await app.inject('/')).json()).toEqual({ colour: 'blue', shout: 'status 200' });
  });

  test('getDecorator refuses a name that nobody declared', async () => {
    const response = await injectedAnswerOf((_request, reply) => reply.getDecorator('nothing') as never);
    expect(response.statusCode).toBe(500);
    expect(response.json<Failure>().code).toBe('FST_ERR_DEC_UNDECLARED');
  });

  test('send inside onError is refused, and the error is still answered', async () => {
    let refusal: unknown;
    const app = ambit();
    app.get('/', {
      onError: async (_request, reply) => {
        try {
          reply.send('mine');
        } catch (error) {
          refusal = error;
        }
      },
      handler: () => {
        throw new Error('broken');
      },
    });
    const response = await app.inject('/');
    expect(response.json<Failure>().message).toBe('broken');
    expect(refusal).toMatchObject({ code: 'FST_ERR_SEND_INSIDE_ONERR' });
  });
});
