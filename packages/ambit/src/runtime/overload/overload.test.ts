import { PassThrough } from 'node:stream';
import {
  type AmbitOptions,
  ambit,
  type BodyStream,
  type Context,
  errors,
  overloadState,
  type RouteOverloadOptions,
} from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../../test/support/flavors.ts';
import { LogLines } from '../../../test/support/log-lines.ts';
import { converse, open, request, statuses } from '../../../test/support/raw-client.ts';
import { servePort } from '../../../test/support/serve.ts';
import { textOf, transports } from '../../../test/support/transports.ts';

/** A fixed limit: one request at a time, and one more in a burst. */
const one = { minLimit: 1, maxLimit: 1 };

/** Requests that run until they are released. */
class BlockedRequests {
  readonly #waiting: (() => void)[] = [];
  readonly #starts: (() => void)[] = [];
  #started = 0;

  readonly handler = async (): Promise<string> => {
    const end = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#started++;
    for (const notify of this.#starts.splice(0)) notify();
    await end;
    return 'blocked';
  };

  async started(count: number): Promise<void> {
    while (this.#started < count) await new Promise<void>((resolve) => this.#starts.push(resolve));
  }

  release(): void {
    for (const end of this.#waiting.splice(0)) end();
  }
}

function addBlockedRoute(
  app: Context,
  url = '/blocked',
  overload: RouteOverloadOptions | false = {},
): BlockedRequests {
  const blocked = new BlockedRequests();
  app.get(url, { overload }, blocked.handler);
  return blocked;
}

/** Resolves when this turn of the event loop has ended. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

for (const [flavor, make] of flavors) {
  describe(`overload protection of ${flavor}`, () => {
    for (const { name, options, ask } of transports) {
      test(`${name}: more requests than the limit get 503 with Retry-After, and later ones are served`, async () => {
        const app = make({ ...options, overload: one });
        const blocked = addBlockedRoute(app);
        app.get('/', () => 'served');
        await app.ready();
        const first = ask(app, { path: '/blocked' });
        await blocked.started(1);
        const second = ask(app, { path: '/blocked' });
        await blocked.started(2);
        const refused = await ask(app);
        expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
        expect(JSON.parse(await textOf(refused))).toEqual({
          error: 'Service Unavailable',
          code: 'AMBIT_ERR_OVERLOADED',
          message: 'The server is overloaded',
          statusCode: 503,
        });
        blocked.release();
        expect([await textOf(await first), await textOf(await second)]).toEqual(['blocked', 'blocked']);
        await turn();
        expect(await textOf(await ask(app))).toBe('served');
        expect(overloadState(app)).toMatchObject({ limit: 1, admitted: 3, refused: 1 });
      });
    }

    for (const options of [{}, { engine: 'node' }] as const satisfies AmbitOptions[]) {
      const lane = 'engine' in options ? "node's server" : 'our engine';

      test(`${lane}: a request is refused before its body has arrived`, async () => {
        const app = make({ ...options, overload: one });
        const blocked = addBlockedRoute(app);
        app.post('/', () => 'read');
        const port = await servePort(app);
        const held1 = converse(port, request('GET', '/blocked', 'Connection: close'));
        await blocked.started(1);
        const held2 = converse(port, request('GET', '/blocked', 'Connection: close'));
        await blocked.started(2);
        const received = await converse(
          port,
          request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 1000000'),
        );
        expect(statuses(received)).toEqual([503]);
        expect(received.toLowerCase()).toContain('connection: close');
        blocked.release();
        await Promise.all([held1, held2]);
      });

      test(`${lane}: a client that sends its body slowly does not block others`, async () => {
        const app = make({ ...options, overload: one });
        const { promise: reading, resolve } = withResolvers();
        const noteReading = async (_request: unknown, _reply: unknown, payload: BodyStream) => {
          resolve();
          return payload;
        };
        app.post('/', { preParsing: [noteReading] }, () => 'read');
        const slow = await open(await servePort(app));
        slow.socket.write(`${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 2')}a`);
        await reading;
        await turn();
        expect(overloadState(app)).toMatchObject({ inFlight: 0, admitted: 1 });
        slow.socket.write('b');
        await slow.until('read');
        await turn();
        expect(overloadState(app)?.inFlight).toBe(0);
        slow.socket.destroy();
      });

      test(`${lane}: a client that reads its response slowly does not block others`, async () => {
        const app = make({ ...options, overload: one });
        const stream = new PassThrough();
        app.get('/', () => stream);
        const slow = await open(await servePort(app));
        slow.socket.write(request('GET', '/'));
        stream.write('begin');
        await slow.until('begin');
        await turn();
        expect(overloadState(app)).toMatchObject({ inFlight: 0, admitted: 1 });
        stream.end();
        await slow.until('\r\n0\r\n');
        slow.socket.destroy();
      });

      test(`${lane}: a client that leaves no longer counts`, async () => {
        const app = make({ ...options, overload: one });
        const blocked = addBlockedRoute(app);
        const { promise: left, resolve } = withResolvers();
        app.get('/later', { onRequestAbort: async () => resolve() }, blocked.handler);
        const leaving = await open(await servePort(app));
        leaving.socket.write(request('GET', '/later'));
        await blocked.started(1);
        expect(overloadState(app)?.inFlight).toBe(1);
        leaving.socket.destroy();
        await left;
        await turn();
        expect(overloadState(app)?.inFlight).toBe(0);
        blocked.release();
      });

      test(`${lane}: a client that leaves while it sends its body is subtracted only once`, async () => {
        const app = make({ ...options, overload: one });
        const reading = withResolvers();
        const noteReading = async (_request: unknown, _reply: unknown, payload: BodyStream) => {
          reading.resolve();
          return payload;
        };
        const left = withResolvers();
        app.post(
          '/',
          { preParsing: [noteReading], onRequestAbort: async () => left.resolve() },
          () => 'read',
        );
        const leaving = await open(await servePort(app));
        leaving.socket.write(`${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 2')}a`);
        await reading.promise;
        await turn();
        leaving.socket.destroy();
        await left.promise;
        await turn();
        expect(overloadState(app)).toMatchObject({ inFlight: 0, admitted: 1 });
      });

      test(`${lane}: synchronous handlers count until the turn of the event loop ends`, async () => {
        const app = make({ ...options, overload: one });
        app.get('/', () => 'served');
        const port = await servePort(app);
        const requests = request('GET', '/').repeat(3) + request('GET', '/', 'Connection: close');
        expect(statuses(await converse(port, requests))).toEqual([200, 200, 503, 503]);
        expect(overloadState(app)?.inFlight).toBe(0);
      });
    }

    test('a hijacked reply no longer counts', async () => {
      const app = make({ overload: one });
      app.get('/', (_request, reply) => {
        reply.hijack();
        expect(overloadState(app)?.inFlight).toBe(0);
        reply.raw.end('hijacked');
      });
      expect((await app.inject('/')).body).toBe('hijacked');
    });

    test('requests that end with an error no longer count', async () => {
      const app = make({ overload: one });
      app.get('/', () => {
        throw new Error('fails');
      });
      app.get('/twice', {
        errorHandler: () => {
          throw new Error('fails as well');
        },
        handler: () => {
          throw new Error('fails');
        },
      });
      for (const url of ['/', '/twice', '/', '/twice', '/'])
        expect((await app.inject(url)).statusCode).toBe(500);
      expect(overloadState(app)).toMatchObject({ inFlight: 0, admitted: 5, refused: 0 });
    });

    test('sequential requests through inject are never refused', async () => {
      const app = make({ overload: one });
      app.get('/', () => 'served');
      for (let i = 0; i < 50; i++) expect((await app.inject('/')).statusCode).toBe(200);
    });

    test('priorities: low uses half of the limit, high half as much again, and critical is never refused', async () => {
      const app = make({ overload: { minLimit: 4, maxLimit: 4 } });
      const priorities = ['low', 'normal', 'high', 'critical'] as const;
      const blocked = priorities.map((priority) => addBlockedRoute(app, `/${priority}`, { priority }));
      await app.ready();
      const running: Promise<unknown>[] = [];
      const start = async (priority: (typeof priorities)[number], count: number): Promise<void> => {
        running.push(app.inject(`/${priority}`));
        await blocked[priorities.indexOf(priority)]!.started(count);
      };
      const isRefused = async (priority: string): Promise<boolean> =>
        (await app.inject(`/${priority}`)).statusCode === 503;
      await start('low', 1);
      await start('low', 2);
      expect(await isRefused('low')).toBe(true);
      await start('normal', 1);
      await start('normal', 2);
      await start('high', 1);
      await start('high', 2);
      expect(await isRefused('high')).toBe(true);
      await start('critical', 1);
      await start('critical', 2);
      expect(await isRefused('normal')).toBe(true);
      for (const requests of blocked) requests.release();
      await Promise.all(running);
      expect(overloadState(app)).toMatchObject({ inFlight: 0, admitted: 8, refused: 3 });
    });

    test('probes, unknown URLs and routes with `overload: false` are never refused, and do not count', async () => {
      const app = make({ overload: one, health: true });
      const blocked = addBlockedRoute(app);
      const free = addBlockedRoute(app, '/free', false);
      await app.ready();
      const running = [
        app.inject('/blocked'),
        app.inject('/blocked'),
        app.inject('/free'),
        app.inject('/free'),
      ];
      await Promise.all([blocked.started(2), free.started(2)]);
      expect((await app.inject('/blocked')).statusCode).toBe(503);
      expect((await app.inject('/readyz')).statusCode).toBe(200);
      expect((await app.inject('/livez')).statusCode).toBe(200);
      expect((await app.inject('/nothing')).statusCode).toBe(404);
      expect(overloadState(app)?.inFlight).toBe(2);
      blocked.release();
      free.release();
      await Promise.all(running);
    });

    test('a context with limits of its own does not count for the contexts around it, and their limits do not apply', async () => {
      const app = make({ overload: one });
      const [outer, inner] = [addBlockedRoute(app), new BlockedRequests()];
      const contexts: Context[] = [];
      app.register(async (context) => {
        contexts.push(context as unknown as Context);
        context.setOverload({ minLimit: 2, maxLimit: 2 });
        context.get('/inner', inner.handler);
      });
      app.register(async (context) => {
        contexts.push(context as unknown as Context);
        context.setOverload(false);
        context.get('/unlimited', () => 'served');
      });
      await app.ready();
      const running = [app.inject('/blocked'), app.inject('/blocked')];
      for (let i = 0; i < 4; i++) running.push(app.inject('/inner'));
      await Promise.all([outer.started(2), inner.started(4)]);
      expect((await app.inject('/blocked')).statusCode).toBe(503);
      expect((await app.inject('/inner')).statusCode).toBe(503);
      expect((await app.inject('/unlimited')).statusCode).toBe(200);
      expect([app, ...contexts].map((context) => overloadState(context)?.inFlight)).toEqual([
        2,
        4,
        undefined,
      ]);
      outer.release();
      inner.release();
      await Promise.all(running);
    });

    test('a refused request runs no hook and no error handler before its response, and is logged', async () => {
      const log = new LogLines();
      const app = make({
        overload: { ...one, retryAfterSeconds: 7 },
        logger: { level: 'info', stream: log },
      });
      const met: string[] = [];
      const blocked = addBlockedRoute(app);
      const note = (name: string) => async () => {
        met.push(name);
      };
      await app.register(async (context) => {
        context.addHook('onRequest', note('onRequest'));
        context.addHook('onSend', note('onSend'));
        context.addHook('onError', note('onError'));
        context.addHook('onResponse', async (_request, reply) => {
          met.push(`onResponse ${reply.statusCode}`);
        });
        context.setErrorHandler(note('errorHandler'));
        context.get('/', note('handler'));
      });
      await app.ready();
      const running = [app.inject('/blocked'), app.inject('/blocked')];
      await blocked.started(2);
      const reply = await app.inject('/');
      expect(reply.headers['retry-after']).toBe('7');
      expect(met).toEqual(['onResponse 503']);
      blocked.release();
      await Promise.all(running);
      const completed = log.lines.filter(({ msg }) => msg === 'request completed');
      expect(completed[0]?.res?.statusCode).toBe(503);
    });

    test('problem details are sent if the context uses them', async () => {
      const app = make({ overload: one, errors: 'problem' });
      const blocked = addBlockedRoute(app);
      await app.ready();
      const running = [app.inject('/blocked'), app.inject('/blocked')];
      await blocked.started(2);
      const reply = await app.inject('/blocked');
      expect(reply.headers['content-type']).toContain('application/problem+json');
      expect(reply.json()).toMatchObject({ status: 503, code: 'AMBIT_ERR_OVERLOADED' });
      blocked.release();
      await Promise.all(running);
    });

    test('without the option, nothing is counted', async () => {
      const app = make();
      app.get('/', { overload: { priority: 'low' } }, () => 'served');
      await app.ready();
      expect(overloadState(app)).toBeUndefined();
      expect((await app.inject('/')).statusCode).toBe(200);
    });

    for (const [overload, message] of [
      ['on', 'overload must be object or boolean, instead got string'],
      [{ minLimits: 1 }, "unknown option 'minLimits' of overload; did you mean 'minLimit'?"],
      [{ minLimit: 0 }, 'overload.minLimit must be an integer >= 1, instead got 0'],
      [{ maxLimit: 1.5 }, 'overload.maxLimit must be an integer >= 1, instead got 1.5'],
      [{ minLimit: 20, maxLimit: 19 }, 'overload.maxLimit must be at least minLimit, 20, instead got 19'],
      [{ initialLimit: 5 }, 'overload.initialLimit must be an integer from 10 to 1000, instead got 5'],
      [{ tolerance: 0.9 }, 'overload.tolerance must be a number >= 1, instead got 0.9'],
      [{ tolerance: '2' }, 'overload.tolerance must be a number >= 1, instead got string'],
      [{ retryAfterSeconds: -1 }, 'overload.retryAfterSeconds must be an integer >= 0, instead got -1'],
    ] as const) {
      test(`refuses overload: ${JSON.stringify(overload)}`, () => {
        expect(() => make({ overload: overload as never })).toThrow(message);
        expect(() => make().setOverload(overload as never)).toThrow(message);
      });
    }

    test('limits without a value are derived from the others', async () => {
      for (const [overload, limit] of [
        [true, 20],
        [{ minLimit: 50 }, 50],
        [{ maxLimit: 5 }, 5],
        [{ minLimit: 2_000 }, 2_000],
      ] as const) {
        const app = make({ overload });
        await app.ready();
        expect(overloadState(app)?.limit).toBe(limit);
      }
    });
  });
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

// The facade ignores both, as Fastify does.
test('ambit refuses a priority that does not exist, and a misspelled option of a route', () => {
  const app = ambit({ overload: true });
  const declare = (overload: unknown) => () => app.get('/', { overload: overload as never }, () => '');
  expect(declare({ priority: 'urgent' })).toThrow(errors.OptionInvalid);
  expect(declare({ priority: 'urgent' })).toThrow("'low' or 'normal' or 'high' or 'critical'");
  expect(declare({ prioritys: 'low' })).toThrow("did you mean 'priority'?");
  expect(declare(true)).toThrow('overload must be object');
});
