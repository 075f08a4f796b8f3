// Requests that hang: in development, a route whose handler or hook never ends is reported once.
import type { AmbitOptions, Context, Reply } from 'ambit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';

const warnings: string[] = [];

beforeEach(() => {
  warnings.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(process, 'emitWarning').mockImplementation((text, options) => {
    warnings.push(`${(options as { code: string }).code} ${text}`);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Lets requests reach their handlers, which takes turns but no time. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
}

/** Starts a request that may never be answered. */
async function ask(app: Context, ...urls: string[]): Promise<void> {
  await app.ready();
  for (const url of urls) void Promise.resolve(app.inject(url)).catch(() => {});
  await turns();
}

async function seconds(count: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(count * 1_000);
}

for (const [flavor, make] of flavors) {
  describe(`on ${flavor}`, () => {
    test('a handler that returns undefined and never replies is reported with its route', async () => {
      const app = make();
      app.register(async (child) => void child.get('/users/:id', () => {}), { prefix: '/v1' });
      await ask(app, '/v1/users/1');
      expect(warnings).toEqual([]);
      await seconds(10);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^AMBWRN005 .*GET \/v1\/users\/:id.*the handler \(.*unanswered-requests\.test\.ts:\d+:\d+\) returned undefined and has not replied/,
        ),
      ]);
    });

    test('it is reported once for a route, however many requests hang', async () => {
      const app = make();
      app.get('/a', () => {});
      app.get('/b', () => {});
      await ask(app, '/a', '/a', '/b');
      await seconds(10);
      await ask(app, '/a', '/b');
      await seconds(10);
      expect(warnings).toHaveLength(2);
    });

    test('a handler that replies later is not reported', async () => {
      const app = make();
      app.get('/', (_request, reply) => {
        setTimeout(() => reply.send('late'), 1_000);
      });
      await ask(app, '/');
      await seconds(10);
      expect(warnings).toEqual([]);
    });

    test('a request that hangs after others that were answered is reported', async () => {
      const app = make();
      app.get('/', (request, reply) => {
        setTimeout(() => Object.keys(request.query as object).length === 0 && reply.send('late'), 1_000);
      });
      await ask(app, '/');
      await seconds(2);
      await ask(app, '/?hang=1', '/');
      await seconds(20);
      expect(warnings).toHaveLength(1);
    });

    for (const [what, handler] of [
      ['is async', async () => {}],
      ['returns a value', () => 'value'],
      ['returns a promise that takes its time', () => new Promise(() => {})],
      ['has replied', (_request: unknown, reply: Reply) => void reply.send('replied')],
      ['has taken the response over', (_request: unknown, reply: Reply) => void reply.hijack()],
      ['writes to the raw response', (_request: unknown, reply: Reply) => void reply.raw.writeHead(200)],
    ] as const) {
      test(`a handler that ${what} is not reported`, async () => {
        const app = make();
        app.get('/', handler as never);
        await ask(app, '/');
        await seconds(10);
        expect(warnings).toEqual([]);
      });
    }

    for (const [phase, hook] of [
      ['onRequest', () => {}],
      ['preParsing', () => {}],
      ['preValidation', (_request: unknown, _reply: unknown, _done: unknown) => {}],
      ['preHandler', (_request: unknown, _reply: unknown, _done: unknown) => {}],
      ['preSerialization', () => {}],
      ['onSend', () => {}],
    ] as const) {
      test(`the ${phase} hook that never calls done is reported by name`, async () => {
        const app = make();
        Object.defineProperty(hook, 'name', { value: 'forgetful' });
        app.addHook(phase as 'onRequest', hook as never);
        app.get('/', () => ({ a: 1 }));
        await ask(app, '/');
        await seconds(10);
        expect(warnings).toEqual([
          expect.stringMatching(
            // The line is known if a tool has asked for the lines of declarations.
            new RegExp(
              `GET / has had no reply for seconds: the ${phase} hook "forgetful"( \\(.*\\))? has not called done`,
            ),
          ),
        ]);
      });
    }

    test('a hook that calls done later is not reported', async () => {
      const app = make();
      app.addHook('onRequest', (_request, _reply, done) => {
        setTimeout(done, 1_000);
      });
      app.get('/', () => 'fine');
      await ask(app, '/');
      await seconds(10);
      expect(warnings).toEqual([]);
    });

    for (const environment of ['development', 'production']) {
      for (const [what, handler, problem] of [
        ['returns undefined', () => {}, 'returned undefined and has not replied'],
        ['returns a promise that never settles', () => new Promise(() => {}), 'has not ended'],
      ] as const) {
        test(`in ${environment}, an error handler that ${what} is reported by name, once`, async () => {
          vi.stubEnv('NODE_ENV', environment);
          const app = make();
          app.register(async function users(child) {
            child.setErrorHandler(function forgetful() {
              return handler();
            });
            child.get('/', () => {
              throw new Error('failed');
            });
          });
          await ask(app, '/', '/');
          await seconds(10);
          await ask(app, '/');
          await seconds(10);
          expect(warnings).toEqual([
            expect.stringMatching(
              `^AMBWRN005 .*GET / has had no reply for seconds: the error handler "forgetful" of .*users ${problem}`,
            ),
          ]);
        });
      }

      test(`in ${environment}, the error handler of a route and frameworkErrors are reported, too`, async () => {
        vi.stubEnv('NODE_ENV', environment);
        const app = make({ frameworkErrors: () => {} });
        app.get('/:id', { errorHandler: () => {} }, () => {
          throw new Error('failed');
        });
        await ask(app, '/1', '/%E0%A4%A');
        await seconds(10);
        expect(warnings).toEqual([
          expect.stringContaining('GET /:id has had no reply for seconds: the errorHandler of the route'),
          expect.stringContaining('GET /%E0%A4%A has had no reply for seconds: frameworkErrors'),
        ]);
      });

      test(`in ${environment}, an error handler that replies later is not reported`, async () => {
        vi.stubEnv('NODE_ENV', environment);
        const app = make();
        app.setErrorHandler((_error, _request, reply) => {
          setTimeout(() => reply.send('late'), 1_000);
        });
        app.get('/', () => {
          throw new Error('failed');
        });
        await ask(app, '/');
        await seconds(10);
        expect(warnings).toEqual([]);
        expect(vi.getTimerCount()).toBe(0);
      });
    }

    test('a not-found handler that never replies is reported with the URL', async () => {
      const app = make();
      app.setNotFoundHandler(() => {});
      await ask(app, '/nowhere');
      await seconds(10);
      expect(warnings).toEqual([
        expect.stringContaining('GET /nowhere has had no reply for seconds: the handler'),
      ]);
    });

    test('nothing is reported in production, and no timer runs', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const app = make();
      app.get('/', () => {});
      app.addHook('onRequest', (_request, _reply, done) => done());
      await ask(app, '/');
      expect(vi.getTimerCount()).toBe(0);
      await seconds(10);
      expect(warnings).toEqual([]);
    });

    test('one timer serves all requests, and ends with them', async () => {
      const app = (make as (options?: AmbitOptions) => Context)();
      const replies: Reply[] = [];
      app.get('/a', (_request, reply) => void replies.push(reply as never));
      app.get('/b', (_request, reply) => void replies.push(reply as never));
      await ask(app, '/a', '/a', '/b');
      expect(vi.getTimerCount()).toBe(1);
      for (const reply of replies) reply.send('late');
      await seconds(10);
      expect(vi.getTimerCount()).toBe(0);
      expect(warnings).toEqual([]);
    });
  });
}
