/** Streams of items, on every transport and both flavors: what a client receives from an async iterable, and when the iterable ends. */
import { EventEmitter, on, once } from 'node:events';
import type { AmbitOptions, Context, Reply, Request } from 'ambit';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeStorage } from '../../test/support/async-storage.ts';
import { flavors } from '../../test/support/flavors.ts';
import { hurry } from '../../test/support/hurry.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { readUntil, textOf, transports, transportsFor } from '../../test/support/transports.ts';

forbidProcessFaults();
afterEach(() => void vi.unstubAllEnvs());

const row = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id'],
} as const;
const event = {
  type: 'object',
  properties: { event: { type: 'string' }, id: { type: 'string' }, data: row },
} as const;

/** The response schema of a route that streams. */
const streams = (mediaType: string, itemSchema: unknown, status = '200') =>
  ({ response: { [status]: { content: { [mediaType]: { itemSchema } } } } }) as never;

async function* rows(count = 3): AsyncGenerator<object> {
  for (let id = 0; id < count; id++) yield { id, name: `row "${id}"`, secret: 'not declared' };
}

const never = new Promise<never>(() => {});

const paced = transports.filter(({ name }) => name !== 'inject');

describe.each(flavors)('%s', (flavor, makeFlavor) => {
  describe.each(transportsFor(flavor))('over $name', ({ options: wire, ask }) => {
    const make = (options: AmbitOptions = {}): Context => makeFlavor({ ...wire, ...options });

    for (const [mediaType, type, content] of [
      [
        'application/x-ndjson',
        'application/x-ndjson',
        '{"id":0,"name":"row \\"0\\""}\n{"id":1,"name":"row \\"1\\""}\n',
      ],
      [
        'application/jsonl',
        'application/jsonl',
        '{"id":0,"name":"row \\"0\\""}\n{"id":1,"name":"row \\"1\\""}\n',
      ],
      [
        'application/json-seq',
        'application/json-seq',
        '\x1e{"id":0,"name":"row \\"0\\""}\n\x1e{"id":1,"name":"row \\"1\\""}\n',
      ],
      [
        'application/json',
        'application/json; charset=utf-8',
        '[{"id":0,"name":"row \\"0\\""},{"id":1,"name":"row \\"1\\""}]',
      ],
    ] as const) {
      test(`an async generator is streamed as ${mediaType}, with each item serialized by the schema`, async () => {
        const app = make();
        app.get('/', { schema: streams(mediaType, row) }, (() => rows(2)) as never);
        const answer = await ask(app);
        expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
        expect(await textOf(answer)).toBe(content);
      });
    }

    test('an array is written item by item: the client reads the first item before there is a second', async () => {
      const client = new EventEmitter();
      const app = make();
      app.get('/', { schema: streams('application/json', row) }, async function* () {
        const hasRead = once(client, 'read');
        yield { id: 0 };
        await hasRead;
        yield { id: 1 };
      } as never);
      const answer = await ask(app);
      expect(await readUntil(answer, '{"id":0}')).toBe('[{"id":0}');
      client.emit('read');
      expect(await textOf(answer)).toBe(',{"id":1}]');
    });

    test('an async generator function is the handler itself, and sets status and headers before its first item', async () => {
      const app = make();
      app.get('/', { schema: streams('application/x-ndjson', row, '2xx') }, async function* (
        _request: Request,
        reply: Reply,
      ) {
        await null;
        reply.code(203).header('x-rows', '1');
        yield { id: 7 };
      } as never);
      const answer = await ask(app);
      expect([answer.status, answer.headers['x-rows'], await textOf(answer)]).toEqual([
        203,
        '1',
        '{"id":7}\n',
      ]);
    });

    test('events have their fields, and headers that keep caches and proxies from buffering them', async () => {
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
        yield { event: 'row', id: 'a', data: { id: 1, secret: 'not declared' }, secret: 'not declared' };
      } as never);
      const answer = await ask(app);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
      expect(await textOf(answer)).toBe('event: row\nid: a\ndata: {"id":1}\n\n');
    });

    test('an iterable without items is an empty response', async () => {
      const app = make();
      app.get('/json', { schema: streams('application/json', row) }, (() => rows(0)) as never);
      app.get('/lines', { schema: streams('application/x-ndjson', row) }, (() => rows(0)) as never);
      expect(await textOf(await ask(app, { path: '/json' }))).toBe('[]');
      expect(await textOf(await ask(app, { path: '/lines' }))).toBe('');
    });

    test('a generator that ends with a status without content sends none', async () => {
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* (
        _request: Request,
        reply: Reply,
      ) {
        reply.code(204);
        yield* rows(0);
      } as never);
      const answer = await ask(app);
      expect([answer.status, await textOf(answer)]).toEqual([204, '']);
    });

    test('an error before the first item gets an error reply', async () => {
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
        yield* rows(0);
        throw Object.assign(new Error('no such room'), { statusCode: 404 });
      } as never);
      const answer = await ask(app);
      expect([answer.status, JSON.parse(await textOf(answer)).message]).toEqual([404, 'no such room']);
    });

    test('a first item that does not fit its schema gets an error reply', async () => {
      const app = make();
      app.get('/', { schema: streams('application/json', row) }, async function* () {
        yield { name: 'without id' };
      } as never);
      const answer = await ask(app);
      expect([answer.status, JSON.parse(await textOf(answer))]).toMatchObject([
        500,
        { code: 'AMBIT_ERR_ITEM_INVALID', message: expect.stringContaining('item 0 of the stream of GET /') },
      ]);
    });

    for (const [status, message, sent] of [
      [
        500,
        'the password is hunter2',
        {
          statusCode: 500,
          error: 'Internal Server Error',
          message: 'Internal Server Error',
          requestId: 'req-1',
        },
      ],
      [409, 'edited meanwhile', { statusCode: 409, error: 'Conflict', message: 'edited meanwhile' }],
    ] as const) {
      test(`in production, an error ${status} after the first event is an error event`, async () => {
        vi.stubEnv('NODE_ENV', 'production');
        const app = make();
        app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
          yield { data: { id: 1 } };
          throw Object.assign(new Error(message), { statusCode: status });
        } as never);
        const [first, second] = (await textOf(await ask(app))).split('\n\n');
        expect(first).toBe('data: {"id":1}');
        expect(second!.startsWith('event: error\ndata: ')).toBe(true);
        expect(JSON.parse(second!.slice('event: error\ndata: '.length))).toEqual(sent);
      });
    }

    for (const [status, message, problem] of [
      [500, 'the password is hunter2', { title: 'Internal Server Error', status: 500 }],
      [409, 'edited meanwhile', { title: 'Conflict', status: 409, detail: 'edited meanwhile' }],
    ] as const) {
      test(`in production, an error ${status} after the first event is an event with problem details if the context uses them`, async () => {
        vi.stubEnv('NODE_ENV', 'production');
        const app = make({ errors: 'problem' });
        app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
          yield { data: { id: 1 } };
          throw Object.assign(new Error(message), { statusCode: status });
        } as never);
        const [, second] = (await textOf(await ask(app))).split('\n\n');
        expect(second!.startsWith('event: error\ndata: ')).toBe(true);
        expect(JSON.parse(second!.slice('event: error\ndata: '.length))).toEqual({
          type: 'about:blank',
          instance: '#req-1',
          ...problem,
        });
      });
    }

    for (const [what, problem] of [
      ['throws when it is read', new Proxy({}, { ownKeys: () => Object.getOwnPropertyNames(null) })],
      ['cannot be written as JSON', { balance: 30n }],
    ] as const) {
      test(`an error whose problem ${what} is an error event without it`, async () => {
        const app = make({ errors: 'problem' });
        app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
          yield { data: { id: 1 } };
          throw Object.assign(new Error('too poor'), { statusCode: 403, problem });
        } as never);
        const [, second] = (await textOf(await ask(app))).split('\n\n');
        expect(JSON.parse(second!.slice('event: error\ndata: '.length))).toEqual({
          type: 'about:blank',
          title: 'Internal Server Error',
          status: 500,
          instance: '#req-1',
        });
      });
    }

    for (const mediaType of ['application/x-ndjson', 'application/json']) {
      test(`an item of ${mediaType} that does not fit its schema cuts off the response, and its index is logged`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        app.get('/', { schema: streams(mediaType, row) }, async function* () {
          yield* rows(2);
          yield { name: 'without id' };
        } as never);
        // The connection may be cut off before the head was read.
        await expect(ask(app).then(textOf)).rejects.toThrow();
        const line = await lines.until('response terminated with an error with headers already sent');
        expect(line.err!.message).toContain('item 2 of the stream of GET /');
      });
    }

    test('HEAD gets the headers, and does not start the generator', async () => {
      let isBegun = false;
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* () {
        isBegun = true;
        yield { data: { id: 1 } };
      } as never);
      const answer = await ask(app, { method: 'HEAD' });
      expect([answer.status, answer.headers['content-type'], answer.headers['content-length']]).toEqual([
        200,
        'text/event-stream',
        undefined,
      ]);
      expect(await textOf(answer)).toBe('');
      expect(isBegun).toBe(false);
    });

    test('a client that leaves aborts the signal and ends the generator', async () => {
      const ended = new EventEmitter();
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* (request: Request) {
        try {
          yield { data: { id: 1 } };
          await once(request.signal, 'abort');
        } finally {
          ended.emit('finally', request.signal.aborted);
        }
      } as never);
      const leaving = new AbortController();
      const hasEnded = once(ended, 'finally');
      const answer = await ask(app, { signal: leaving.signal });
      answer.content.on('error', () => {});
      await once(answer.content, 'data');
      leaving.abort();
      expect(await hasEnded).toEqual([true]);
    });

    test('a client that leaves before the first item ends the generator, too', async () => {
      const state = new EventEmitter();
      const app = make();
      app.get('/', { schema: streams('application/x-ndjson', row) }, async function* (request: Request) {
        try {
          const aborted = once(request.signal, 'abort');
          state.emit('begun');
          await aborted;
        } finally {
          state.emit('finally');
        }
        yield { id: 1 };
      } as never);
      const leaving = new AbortController();
      const hasBegun = once(state, 'begun');
      const hasEnded = once(state, 'finally');
      const asked = ask(app, { signal: leaving.signal }).catch(() => {});
      await hasBegun;
      leaving.abort();
      await hasEnded;
      await Promise.race([asked, null]);
    });

    test('onSend hooks see a stream of bytes', async () => {
      const app = make();
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.header('x-payload', String(typeof (payload as { pipe: unknown }).pipe));
      });
      app.get('/', { schema: streams('application/json', row) }, (() => rows(1)) as never);
      const answer = await ask(app);
      expect([answer.headers['x-payload'], await textOf(answer)]).toEqual([
        'function',
        '[{"id":0,"name":"row \\"0\\""}]',
      ]);
    });

    test('close() aborts the signal, and an event stream that ends then is complete', async () => {
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* ({ signal }: Request) {
        yield { data: { id: 1 } };
        await once(signal, 'abort');
        yield { event: 'bye', data: { id: signal.reason.statusCode } };
      } as never);
      const answer = await ask(app);
      const closed = app.close();
      expect(await textOf(answer)).toBe('data: {"id":1}\n\nevent: bye\ndata: {"id":503}\n\n');
      hurry();
      await closed;
    });

    test('a generator that throws because close() aborted its signal ends the event stream without an error event', async () => {
      const app = make();
      app.get('/', { schema: streams('text/event-stream', event) }, async function* ({ signal }: Request) {
        yield { data: { id: 1 } };
        for await (const [data] of on(new EventEmitter(), 'row', { signal })) yield { data };
      } as never);
      const answer = await ask(app);
      const closed = app.close();
      expect(await textOf(answer)).toBe('data: {"id":1}\n\n');
      hurry();
      await closed;
    });

    test('a generator that fails after close() has aborted its signal is logged, and its client gets no error event', async () => {
      const lines = new LogLines();
      const app = make({ logger: { stream: lines } });
      app.get('/', { schema: streams('text/event-stream', event) }, async function* ({ signal }: Request) {
        yield { data: { id: 1 } };
        await once(signal, 'abort');
        throw new Error('the last row could not be saved');
      } as never);
      const answer = await ask(app);
      app.close();
      expect(await textOf(answer)).toBe('data: {"id":1}\n\n');
      const line = await lines.until('response terminated with an error with headers already sent');
      expect(line.err!.message).toBe('the last row could not be saved');
    });

    test('a generator that fails after close() and before its first item is answered 503, and the cause is logged', async () => {
      const lines = new LogLines();
      const begun = new EventEmitter();
      const app = make({ logger: { stream: lines } });
      app.get('/', { schema: streams('text/event-stream', event) }, async function* ({ signal }: Request) {
        const aborted = once(signal, 'abort');
        begun.emit('begun');
        await aborted;
        yield* rows(0);
        throw new Error('no database');
      } as never);
      const hasBegun = once(begun, 'begun');
      const asked = ask(app);
      await hasBegun;
      app.close();
      const answer = await asked;
      expect([answer.status, JSON.parse(await textOf(answer)).code]).toEqual([
        503,
        'AMBIT_ERR_STREAM_CLOSING',
      ]);
      expect(JSON.stringify(lines.lines)).toContain('no database');
    });

    test('a generator that fails after its client has left is logged, unless it fails because of that', async () => {
      const lines = new LogLines();
      const app = make({ logger: { stream: lines } });
      const handler = (fail: (signal: AbortSignal) => void) =>
        async function* ({ signal }: Request) {
          yield { data: { id: 1 } };
          await once(signal, 'abort');
          fail(signal);
        } as never;
      const schema = streams('text/event-stream', event);
      app.get(
        '/given-up',
        { schema },
        handler((signal) => signal.throwIfAborted()),
      );
      app.get(
        '/failed',
        { schema },
        handler(() => {
          throw new Error('the last row could not be saved');
        }),
      );
      for (const path of ['/given-up', '/failed']) {
        const leaving = new AbortController();
        const answer = await ask(app, { path, signal: leaving.signal });
        answer.content.on('error', () => {});
        await once(answer.content, 'data');
        leaving.abort();
      }
      await lines.until('a stream failed after its response had ended');
      const failures = lines.lines.filter(
        ({ msg }) => msg === 'a stream failed after its response had ended',
      );
      expect(failures.map(({ err }) => err!.message)).toEqual(['the last row could not be saved']);
    });

    test('a stream that continues after close() is cut off at its deadline', async () => {
      const app = make();
      const options = { stream: { closeMs: 1 }, schema: streams('text/event-stream', event) };
      app.get('/', options, async function* () {
        yield { data: { id: 1 } };
        await never;
      } as never);
      const answer = await ask(app);
      answer.content.on('error', () => {});
      const closed = app.close();
      await expect(textOf(answer)).rejects.toThrow();
      hurry();
      await closed;
    });

    test('a stream without an item yet is answered 503 at the deadline of close()', async () => {
      const begun = new EventEmitter();
      const app = make();
      app.get(
        '/',
        { stream: { closeMs: 1 }, schema: streams('text/event-stream', event) },
        async function* () {
          begun.emit('begun');
          await never;
          yield {};
        } as never,
      );
      const hasBegun = once(begun, 'begun');
      const asked = ask(app);
      await hasBegun;
      const closed = app.close();
      const answer = await asked;
      expect([answer.status, JSON.parse(await textOf(answer)).code]).toEqual([
        503,
        'AMBIT_ERR_STREAM_CLOSING',
      ]);
      hurry();
      await closed;
    });

    test('a heartbeat sends the head before the first event, and is repeated between events', async () => {
      const app = make();
      app.get(
        '/',
        { stream: { heartbeatMs: 1 }, schema: streams('text/event-stream', event) },
        async function* () {
          await never;
          yield {};
        } as never,
      );
      const answer = await ask(app);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
      let text = '';
      for await (const chunk of answer.content) {
        text += chunk;
        if (text.length >= 6) break;
      }
      expect(text.startsWith(':\n\n:\n\n')).toBe(true);
    });

    test('a heartbeat that sends the head runs the hooks in the async context of its own request', async () => {
      const storage = makeStorage<string>();
      const app = make();
      app.addHook('onRequest', (request, _reply, done) => storage.run(request.url, done));
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.header('stored', storage.getStore());
        return payload;
      });
      app.get(
        '/*',
        { stream: { heartbeatMs: 1 }, schema: streams('text/event-stream', event) },
        async function* () {
          await never;
          yield {};
        } as never,
      );
      const paths = ['/one', '/two'];
      const answers = await Promise.all(paths.map((path) => ask(app, { path })));
      for (const { content } of answers) content.on('error', () => {}).destroy();
      expect(answers.map(({ headers }) => headers.stored)).toEqual(paths);
    });

    test('an event without fields sends the head at once', async () => {
      const app = make();
      const options = { stream: { heartbeatMs: false }, schema: streams('text/event-stream', event) };
      app.get(
        '/',
        options as never,
        async function* () {
          yield {};
          await never;
        } as never,
      );
      const answer = await ask(app);
      const [chunk] = await once(answer.content, 'data');
      expect(String(chunk)).toBe(':\n\n');
      answer.content.on('error', () => {}).destroy();
    });
  });

  test('a stream that ends while the application closes is not reported at its deadline', async () => {
    const lines = new LogLines();
    const app = makeFlavor({ logger: { stream: lines } });
    const events = new EventEmitter();
    app.addHook('preClose', async () => void events.emit('hooks'));
    const options = { stream: { closeMs: 5_000 }, schema: streams('text/event-stream', event) };
    app.get('/', options, async function* () {
      // Closing with times tells streams twice: when the listener has closed, and before these hooks.
      const hooks = once(events, 'hooks');
      events.emit('begun');
      await hooks;
      yield { data: { id: 1 } };
    } as never);
    await app.ready();
    const begun = once(events, 'begun');
    const asked = app.inject('/');
    await begun;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await app.close({ graceMs: 60_000 });
    expect((await asked).payload).toBe('data: {"id":1}\n\n');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lines.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  test('a stream that goes on while the application closes is cut at its deadline, and not before', async () => {
    const app = makeFlavor();
    const events = new EventEmitter();
    app.addHook('preClose', async () => void events.emit('hooks'));
    const options = { stream: { closeMs: 60_000 }, schema: streams('text/event-stream', event) };
    app.get('/', options, async function* () {
      events.emit('begun');
      await never;
      yield {};
    } as never);
    await app.ready();
    const begun = once(events, 'begun');
    const asked = app.inject('/');
    const answered = vi.fn();
    asked.then(answered);
    await begun;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const told = once(events, 'hooks');
    const closed = app.close({ graceMs: 120_000 });
    await told;
    await vi.advanceTimersByTimeAsync(59_999);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await asked).statusCode).toBe(503);
    await closed;
  });

  describe.each(transportsFor(flavor, paced))(
    'over $name, a client that does not read',
    ({ options, ask }) => {
      test('stops the generator until it reads again', async () => {
        const itemBytes = 64 * 1024;
        const total = 512;
        let count = 0;
        const app = makeFlavor(options);
        app.get('/', { schema: streams('application/x-ndjson', { type: 'string' }) }, async function* () {
          for (; count < total; count++) yield 'x'.repeat(itemBytes);
        } as never);
        app.get('/count', () => count);
        const answer = await ask(app);
        // Other requests are served in the meantime. The buffers of the wire are much smaller than all items.
        for (let i = 0; i < 50; i++) await textOf(await ask(app, { path: '/count' }));
        expect(count).toBeLessThan(total / 2);
        let receivedBytes = 0;
        for await (const chunk of answer.content) receivedBytes += (chunk as Buffer).length;
        expect([count, receivedBytes]).toEqual([total, total * (itemBytes + 3)]);
      });
    },
  );
});
