/** Streams as the typed client reads them: from a server, and from bytes in chunks of any size. */
import { EventEmitter, once } from 'node:events';
import { ambit, type Context } from 'ambit';
import { client, StreamFailed, withStreams } from 'ambit/client';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

const row = { type: 'object', properties: { id: { type: 'integer' } } } as const;
const event = {
  type: 'object',
  properties: { event: { type: 'string' }, id: { type: 'string' }, retry: { type: 'integer' }, data: {} },
} as const;
const rows = (mediaType: string) =>
  ({ response: { 200: { content: { [mediaType]: { itemSchema: row } } } } }) as never;
const events = {
  headers: { 'last-event-id': { type: 'string' } },
  response: { 200: { content: { 'text/event-stream': { itemSchema: event } } } },
} as const;

type Stream = { status: number; body: AsyncIterable<Record<string, unknown>> };

/** A client whose types do not know the routes. */
async function get(app: Context, options: object = {}): Promise<Stream> {
  const api = client(await serve(app), { fetch: withStreams() });
  return (await api.get('/', options as never)) as Stream;
}

/** GET of a response of these bytes. */
async function read(type: string, chunks: readonly Uint8Array[], options: object = {}): Promise<unknown[]> {
  const body = new ReadableStream({
    start: (sink) => {
      for (const chunk of chunks) sink.enqueue(chunk);
      sink.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { 'content-type': type } });
  const reply = await client('http://localhost', { fetch: withStreams(fetch) }).get('/', {
    reconnect: false,
    ...options,
  } as never);
  return collect(reply.body as never);
}

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const collected: unknown[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const bytes = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

describe('items', () => {
  for (const mediaType of ['application/x-ndjson', 'application/jsonl', 'application/json-seq']) {
    test(`of ${mediaType} are received one by one`, async () => {
      const next = new EventEmitter();
      const app = ambit();
      app.get('/', { schema: rows(mediaType) }, async function* () {
        yield { id: 1, secret: true };
        await once(next, 'next');
        yield { id: 2 };
      } as never);
      const received: unknown[] = [];
      for await (const item of (await get(app)).body) {
        received.push(item);
        next.emit('next');
      }
      expect(received).toEqual([{ id: 1 }, { id: 2 }]);
    });
  }

  test('of application/json are received as an array', async () => {
    const app = ambit();
    app.get('/', { schema: rows('application/json') }, async function* () {
      yield { id: 1 };
      yield { id: 2 };
    } as never);
    expect((await get(app)).body).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('of a response that is cut off fail after the complete items', async () => {
    const app = ambit();
    app.get('/', { schema: rows('application/x-ndjson') }, async function* () {
      yield { id: 1 };
      yield { id: 'none' };
    } as never);
    const { body } = await get(app);
    await expect(collect(body)).rejects.toThrow();
  });

  test('are not read from empty lines, but from a last line without a line end', async () => {
    expect(await read('application/x-ndjson; charset=utf-8', bytes('{"a":1}\r\n\n  \n[2]\n"é"'))).toEqual([
      { a: 1 },
      [2],
      'é',
    ]);
  });

  test('that are not JSON fail', async () => {
    await expect(read('application/jsonl', bytes('{"a":1}\n{"a"\n'))).rejects.toThrow(SyntaxError);
  });
});

describe('events', () => {
  test('have their fields, and the parsed value of their data', async () => {
    const app = ambit();
    app.get('/', { schema: events }, async function* () {
      yield {};
      yield { event: 'row', id: '1', data: { id: 1 } };
      yield { data: 'two\nlines' };
      yield { event: 'bye' };
    });
    const { body } = await get(app, { reconnect: false });
    expect(await collect(body)).toEqual([
      { event: 'row', id: '1', data: { id: 1 } },
      { data: 'two\nlines' },
      { event: 'bye' },
    ]);
  });

  test('have the data that the handler yielded: a string stays a string, even if it is JSON', async () => {
    const app = ambit();
    const data = [
      '12',
      12,
      '"a"',
      'a',
      'null',
      null,
      '{"a":1}',
      { a: 1 },
      ' true ',
      true,
      '',
      '[1,\n2]',
      'no',
    ];
    app.get('/', { schema: events }, async function* () {
      for (const each of data) yield { data: each };
    } as never);
    const { body } = await get(app, { reconnect: false });
    expect(await collect(body)).toEqual(data.map((each) => ({ data: each })));
  });

  test('keep their data as text if the call has that option', async () => {
    const text = 'data: 1\n\ndata: {"a":\ndata: 2}\n\n';
    expect(await read('text/event-stream', bytes(text))).toEqual([{ data: 1 }, { data: { a: 2 } }]);
    expect(await read('text/event-stream', bytes(text), { data: 'text' })).toEqual([
      { data: '1' },
      { data: '{"a":\n2}' },
    ]);
  });

  for (const [what, text, expected] of [
    ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['comments', ': hello\n\n:\ndata: a\n:\n\n', [{ data: 'a' }]],
    ['fields without a colon', 'data\n\ndata\ndata\n\n', [{ data: '' }, { data: '\n' }]],
    ['one blank after the colon', 'data:a\n\ndata:  a\n\n', [{ data: 'a' }, { data: ' a' }]],
    ['fields of other names', 'Data: a\nother: b\ndata: c\n\n', [{ data: 'c' }]],
    ['ids with NUL', 'id: a\0\ndata: a\n\n', [{ data: 'a' }]],
    ['retries that are no digits', 'retry: 1s\ndata: a\n\n', [{ data: 'a' }]],
    ['an event that is cut off', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
    ['fields of the connection alone', 'id: 7\nretry: 5\n\n\n', []],
    [
      'an event of the application called error',
      'event: error\ndata: a\n\n',
      [{ event: 'error', data: 'a' }],
    ],
    [
      'an event of the application called error with a status',
      'event: error\ndata: {"status":500}\n\n',
      [{ event: 'error', data: { status: 500 } }],
    ],
  ] as const) {
    test(`are read as the standard says: ${what}`, async () => {
      expect(await read('text/event-stream', bytes(text))).toEqual(expected);
    });
  }

  test('are the same with every kind of line end, and in chunks of any size', async () => {
    const encoded = (lineEnd: string) =>
      new TextEncoder().encode(['event: é', 'data: 😀', 'data: b', '', 'data: c', '', ''].join(lineEnd));
    const expected = [{ event: 'é', data: '😀\nb' }, { data: 'c' }];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }),
        async (lineEnd, cuts) => {
          const all = encoded(lineEnd);
          const at = [0, ...cuts.sort((a, b) => a - b), all.length];
          const chunks = at.slice(1).map((to, i) => all.slice(at[i], to));
          expect(await read('text/event-stream; charset=utf-8', chunks)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('continue after the last one over another connection, until the server replies 204', async () => {
    const asked: unknown[] = [];
    const app = ambit();
    app.get('/', { schema: events }, async function* ({ headers }, reply) {
      asked.push(headers['last-event-id']);
      if (asked.length === 4) reply.code(204 as never);
      else yield { retry: 1, id: `id-${asked.length}`, data: asked.length };
      // The second connection is cut off.
      if (asked.length === 2) reply.raw.destroy();
    });
    const { body } = await get(app);
    const received = await collect(body);
    expect(received.at(0)).toEqual({ retry: 1, id: 'id-1', data: 1 });
    expect(received.at(-1)).toEqual({ retry: 1, id: 'id-3', data: 3 });
    expect([asked[0], asked[1]]).toEqual([undefined, 'id-1']);
  });

  test('begin after the id in the headers of the call, also over the next connection', async () => {
    const asked: unknown[] = [];
    const app = ambit();
    app.get('/', { schema: events }, async function* ({ headers }, reply) {
      asked.push(headers['last-event-id']);
      if (asked.length === 2) reply.code(204 as never);
      else yield { retry: 1, event: 'empty' };
    });
    const { body } = await get(app, { headers: { 'last-event-id': '7' } });
    expect(await collect(body)).toEqual([{ retry: 1, event: 'empty' }]);
    expect(asked).toEqual(['7', '7']);
  });

  /** The ids that a server received, which sends each of these ids in one connection, and then replies 204. */
  async function idsReceived(ids: readonly string[], options?: object): Promise<(string | undefined)[]> {
    const received: (string | undefined)[] = [];
    const app = ambit();
    app.get('/', { schema: events }, async function* ({ headers }, reply) {
      const header = headers['last-event-id'];
      received.push(header && Buffer.from(header, 'latin1').toString());
      const id = ids[received.length - 1];
      if (id === undefined) reply.code(204 as never);
      else yield { retry: 1, id, data: 1 };
    });
    const { body } = await get(app, options);
    expect((await collect(body)).map((event) => (event as { id: string }).id)).toEqual(ids);
    return received;
  }

  test('continue after an id of any characters, which is sent as UTF-8', async () => {
    const ids = ['日本', 'é', '😀', '\u0080\u009f', 'ÿ\tb', '1'];
    expect(await idsReceived(ids)).toEqual([undefined, ...ids]);
  });

  test('continue after the last id that a header can contain', async () => {
    const ids = ['\x01', 'a', '\x7f', '日\x1f', 'b', '\0'.repeat(0)];
    expect(await idsReceived(ids)).toEqual([undefined, undefined, 'a', 'a', 'a', 'b', undefined]);
  });

  test('begin after an id of any characters in the headers of the call', async () => {
    const headers = { 'Last-Event-ID': '日本' };
    expect(await idsReceived(['\x01', 'c'], { headers })).toEqual(['日本', '日本', 'c']);
  });

  test('end with their connection if the body of the request is a stream, which can be sent only once', async () => {
    const app = ambit();
    app.addContentTypeParser('*', async (_request, payload) => {
      for await (const _ of payload);
    });
    app.post('/', { schema: { response: events.response } }, async function* () {
      yield { retry: 1, data: 1 };
    });
    const body = new Blob(['a']).stream();
    const fetch = withStreams((url, init) =>
      globalThis.fetch(url, { ...init, duplex: 'half' } as RequestInit),
    );
    const reply = await client(await serve(app), { fetch }).post('/', { body, reconnect: true });
    expect(await collect(reply.body as never)).toEqual([{ retry: 1, data: 1 }]);
  });

  test('continue when a server that failed for a while works again', async () => {
    let count = 0;
    const app = ambit();
    app.get('/', { schema: events }, async function* (_request, reply) {
      count++;
      if (count === 2 || count === 3) throw Object.assign(new Error('restarting'), { statusCode: 503 });
      if (count === 5) reply.code(204 as never);
      else yield { retry: 1, data: count };
    });
    const { body } = await get(app);
    expect(await collect(body)).toEqual([
      { retry: 1, data: 1 },
      { retry: 1, data: 4 },
    ]);
  });

  test('end with an error when the server rejects the next connection', async () => {
    let count = 0;
    const app = ambit();
    app.get('/', { schema: events }, async function* () {
      if (++count === 2) throw Object.assign(new Error('no'), { statusCode: 403 });
      yield { retry: 1, data: count };
    });
    const { body } = await get(app);
    await expect(collect(body)).rejects.toMatchObject({ name: 'StreamFailed', statusCode: 403 });
  });

  test('end with the error that the server reports', async () => {
    const app = ambit();
    app.get('/', { schema: events }, async function* () {
      yield { data: 1 };
      throw Object.assign(new Error('edited meanwhile'), { statusCode: 409 });
    });
    const { body } = await get(app);
    const received: unknown[] = [];
    const failure = await (async () => {
      for await (const event of body) received.push(event);
    })().catch((error) => error);
    expect(received).toEqual([{ data: 1 }]);
    expect(failure).toBeInstanceOf(StreamFailed);
    expect(failure).toMatchObject({
      statusCode: 409,
      message: 'edited meanwhile',
      data: { error: 'Conflict' },
    });
  });

  test('end with the problem details that the server reports', async () => {
    const app = ambit({ errors: 'problem' });
    app.get('/', { schema: events }, async function* () {
      yield { data: 1 };
      throw Object.assign(new Error('edited meanwhile'), { statusCode: 409 });
    });
    const { body } = await get(app);
    const failure = await collect(body).catch((error) => error);
    expect(failure).toBeInstanceOf(StreamFailed);
    expect(failure).toMatchObject({
      statusCode: 409,
      message: 'edited meanwhile',
      data: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'edited meanwhile' },
    });
  });

  test('of a POST end with their connection', async () => {
    const app = ambit();
    app.post('/', { schema: events }, async function* () {
      yield { retry: 1, data: 1 };
    });
    const reply = (await client(await serve(app), { fetch: withStreams() }).post('/')) as Stream;
    expect(await collect(reply.body)).toEqual([{ retry: 1, data: 1 }]);
  });

  for (const [how, leave] of [
    ['stops reading', (_leaving: AbortController) => true],
    [
      'aborts its signal',
      (leaving: AbortController) => {
        leaving.abort();
        return false;
      },
    ],
  ] as const) {
    test(`end on the server when the client ${how}`, async () => {
      const state = new EventEmitter();
      const app = ambit();
      app.get('/', { schema: events }, async function* ({ signal }) {
        try {
          yield { data: 1 };
          await once(signal, 'abort');
        } finally {
          state.emit('finally');
        }
      });
      const ended = once(state, 'finally');
      const leaving = new AbortController();
      const { body } = await get(app, { signal: leaving.signal });
      const reading = (async () => {
        for await (const _ of body) if (leave(leaving)) break;
      })();
      await reading.catch((error) => expect(error.name).toBe('AbortError'));
      await ended;
    });
  }

  test('wait as long as a timer can for a time that is longer, and do not connect at once', async ({
    onTestFinished,
  }) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const app = ambit();
    app.get('/', { schema: events }, async function* () {
      yield { retry: 2 ** 40, data: 1 };
    });
    const leaving = new AbortController();
    const { body } = await get(app, { signal: leaving.signal });
    const iterator = body[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await vi.waitFor(() => expect(timers.mock.calls.map(([, ms]) => ms)).toContain(2 ** 31 - 1));
    leaving.abort(new Error('enough'));
    await expect(next).rejects.toThrow();
  });

  test('stop waiting for another connection when the signal aborts', async () => {
    const app = ambit();
    app.get('/', { schema: events }, async function* () {
      yield { retry: 2 ** 30, data: 1 };
    });
    const leaving = new AbortController();
    const { body } = await get(app, { signal: leaving.signal });
    const iterator = body[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    leaving.abort(new Error('enough'));
    await expect(next).rejects.toThrow();
  });
});
