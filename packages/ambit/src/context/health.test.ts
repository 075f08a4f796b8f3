import { once } from 'node:events';
import { drain, errors, listRoutes } from 'ambit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { textOf, transports } from '../../test/support/transports.ts';

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

for (const [flavor, make] of flavors) {
  describe(`health of ${flavor}`, () => {
    for (const { name, options, ask } of transports) {
      test(`${name}: both probes answer 200, and a failed check makes readiness 503`, async () => {
        const app = make({ ...options, health: true });
        let isThere = true;
        app.addReadinessCheck('database', () => isThere, { cacheMs: 0 });
        const live = await ask(app, { path: '/livez' });
        expect([live.status, await textOf(live)]).toEqual([200, '{"status":"ok"}']);
        const ready = await ask(app, { path: '/readyz' });
        expect(ready.status).toBe(200);
        expect(ready.headers['cache-control']).toBe('no-store');
        expect(JSON.parse(await textOf(ready))).toEqual({
          status: 'ready',
          checks: [{ name: 'database', status: 'passed' }],
        });
        isThere = false;
        const unavailable = await ask(app, { path: '/readyz' });
        expect(unavailable.status).toBe(503);
        expect(JSON.parse(await textOf(unavailable))).toEqual({
          status: 'unavailable',
          checks: [{ name: 'database', status: 'failed' }],
        });
        expect((await ask(app, { path: '/livez' })).status).toBe(200);
      });
    }

    for (const { name, options, ask } of transports) {
      test(`${name}: no line is logged for a probe, also where requests have a time limit`, async () => {
        const log = new LogLines();
        const app = make({
          ...options,
          health: true,
          handlerTimeout: 60_000,
          logger: { level: 'info', stream: log },
        });
        app.addReadinessCheck('database', () => false);
        app.get('/', () => 'served');
        await textOf(await ask(app, { method: 'HEAD', path: '/readyz' }));
        for (const path of ['/livez', '/readyz', '/']) await textOf(await ask(app, { path }));
        await log.until('request completed');
        const last = await log.until('incoming request');
        expect(last.req?.url).toBe('/');
        const requests = log.lines.filter(({ req, res, reqId }) => req ?? res ?? reqId);
        expect(requests.map(({ msg, req, res }) => [msg, req?.url ?? res?.statusCode])).toEqual([
          ['incoming request', '/'],
          ['request completed', 200],
        ]);
      });
    }

    test('HEAD is answered like GET, without content', async () => {
      const app = make({ health: { ready: '/ready' } });
      const reply = await app.inject({ method: 'HEAD', url: '/ready' });
      expect([reply.statusCode, reply.body]).toEqual([200, '']);
    });

    test('an application without the option has no such routes, and its checks never run', async () => {
      const app = make();
      let runs = 0;
      app.addReadinessCheck('database', () => runs++);
      expect((await app.inject('/livez')).statusCode).toBe(404);
      expect((await app.inject('/readyz')).statusCode).toBe(404);
      expect(runs).toBe(0);
    });

    test('paths can be chosen, and either probe left out', async () => {
      const app = make({ health: { live: false, ready: '/internal/ready' } });
      expect((await app.inject('/internal/ready')).statusCode).toBe(200);
      expect((await app.inject('/livez')).statusCode).toBe(404);
    });

    test('no hook, error handler, serializer or log line of the application concerns a probe', async () => {
      const log = new LogLines();
      const app = make({ health: true, logger: { level: 'info', stream: log } });
      const refuse = () => {
        throw new Error('not for probes');
      };
      app.addHook('onRequest', async () => refuse());
      app.addHook('onSend', async () => refuse());
      app.addHook('onRoute', refuse);
      app.setErrorHandler(refuse);
      app.setSerializerCompiler(refuse);
      app.setReplySerializer(refuse);
      expect((await app.inject('/livez')).body).toBe('{"status":"ok"}');
      expect((await app.inject('/readyz')).body).toBe('{"status":"ready","checks":[]}');
      expect(log.lines.filter(({ req, res }) => req ?? res)).toEqual([]);
    });

    test('the error of a check is logged once for each change, and not sent to the client', async () => {
      const log = new LogLines();
      const app = make({ health: true, logger: { level: 'info', stream: log } });
      let failure: Error | undefined = new Error('password of the user admin is wrong');
      app.addReadinessCheck(
        'database',
        async () => {
          if (failure) throw failure;
        },
        { cacheMs: 0 },
      );
      const first = await app.inject('/readyz');
      await app.inject('/readyz');
      failure = undefined;
      await app.inject('/readyz');
      await app.inject('/readyz');
      expect(first.body).toBe('{"status":"unavailable","checks":[{"name":"database","status":"failed"}]}');
      const lines = log.lines.filter(({ check }) => check === 'database');
      expect(lines.map(({ msg, err, level }) => [level, msg, err?.message])).toEqual([
        [40, 'readiness check failed', 'password of the user admin is wrong'],
        [30, 'readiness check passes again', undefined],
      ]);
    });

    test('a check that does not end within its time limit fails, and its signal aborts', async () => {
      const app = make({ health: true });
      let aborted: Promise<unknown> | undefined;
      app.addReadinessCheck(
        'queue',
        (signal) => {
          aborted = once(signal, 'abort');
          return new Promise(() => {});
        },
        { timeoutMs: 1 },
      );
      const reply = await app.inject('/readyz');
      expect(reply.statusCode).toBe(503);
      expect((reply.json() as { checks: unknown }).checks).toEqual([{ name: 'queue', status: 'timed-out' }]);
      await aborted;
    });

    test('liveness runs no check', async () => {
      const app = make({ health: true });
      let runs = 0;
      app.addReadinessCheck('database', () => ++runs > 0, { cacheMs: 0 });
      expect((await app.inject('/livez')).statusCode).toBe(200);
      expect(runs).toBe(0);
      await app.inject('/readyz');
      expect(runs).toBe(1);
    });

    test('probes that come at the same time share one run of a check', async () => {
      const app = make({ health: true });
      const check = withResolvers();
      const started = withResolvers();
      let runs = 0;
      app.addReadinessCheck(
        'database',
        () => {
          runs++;
          started.resolve();
          return check.promise;
        },
        { cacheMs: 0, timeoutMs: 60_000 },
      );
      const replies = Promise.all([app.inject('/readyz'), app.inject('/readyz'), app.inject('/readyz')]);
      await started.promise;
      check.resolve();
      expect((await replies).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(runs).toBe(1);
    });

    test('a result is used again while it is recent, also when it is a failure', async () => {
      const app = make({ health: true });
      let runs = 0;
      app.addReadinessCheck('database', () => ++runs > 1, { cacheMs: 3_600_000 });
      expect((await app.inject('/readyz')).statusCode).toBe(503);
      expect((await app.inject('/readyz')).statusCode).toBe(503);
      expect(runs).toBe(1);
    });

    test('a result is used again for one second, unless the check says otherwise', async () => {
      const app = make({ health: true });
      let runs = 0;
      app.addReadinessCheck('database', () => ++runs > 0);
      await app.ready();
      let nowMs = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
      onTestFinished(() => clock.mockRestore());
      const seen: number[] = [];
      for (nowMs of [1_000, 1_999, 2_000]) {
        await app.inject('/readyz');
        seen.push(runs);
      }
      expect(seen).toEqual([1, 1, 2]);
    });

    test('a check gets its context as `this`, and siblings may use the same name', async () => {
      const app = make({ health: true });
      for (const prefix of ['/users', '/orders']) {
        app.register(
          async (context) => {
            context.addReadinessCheck('database', function () {
              return this.prefix === prefix;
            });
          },
          { prefix },
        );
      }
      const reply = await app.inject('/readyz');
      expect(reply.json()).toEqual({
        status: 'ready',
        checks: [
          { name: 'database', prefix: '/users', status: 'passed' },
          { name: 'database', prefix: '/orders', status: 'passed' },
        ],
      });
    });

    test('a name can be used once in a context, its ancestors and its children', async () => {
      const app = make({ health: true });
      app.addReadinessCheck('database', () => true);
      expect(() => app.addReadinessCheck('database', () => true)).toThrow(errors.OptionInvalid);
      app.register(async (context) => {
        context.addReadinessCheck('queue', () => true);
        expect(() => context.addReadinessCheck('database', () => true)).toThrow(/has a check of this name/);
      });
      app.after(() => {
        expect(() => app.addReadinessCheck('queue', () => true)).toThrow(/has a check of this name/);
      });
      await app.ready();
      expect(() => app.addReadinessCheck('late', () => true)).toThrow(/addReadinessCheck/);
    });

    test('while the application closes, readiness is 503 without asking a check, and liveness 200', async () => {
      const app = make({ health: true });
      let runs = 0;
      app.addReadinessCheck('database', () => runs++);
      app.get('/', () => 'served');
      const answers: [string, number, string][] = [];
      app.addHook('preClose', async () => {
        for (const url of ['/readyz', '/livez', '/']) {
          const reply = await app.fetch(new Request(`http://localhost${url}`));
          answers.push([url, reply.status, await reply.text()]);
        }
      });
      expect((await app.inject('/readyz')).statusCode).toBe(200);
      await app.close();
      expect(runs).toBe(1);
      expect(answers).toEqual([
        ['/readyz', 503, '{"status":"stopping","checks":[]}'],
        ['/livez', 200, '{"status":"ok"}'],
        ['/', 503, expect.stringContaining('Service Unavailable')],
      ]);
    });

    test('an application that drains is not ready, and still live', async () => {
      const app = make({ health: true });
      await app.ready();
      await drain(app, 0);
      expect((await app.inject('/readyz')).json()).toEqual({ status: 'stopping', checks: [] });
      expect((await app.inject('/livez')).statusCode).toBe(200);
      await app.close();
    });

    test('a readiness request that comes before the application stops, and is answered after, reports that it stops', async () => {
      const app = make({ health: true });
      const check = withResolvers();
      const started = withResolvers();
      app.addReadinessCheck(
        'database',
        () => {
          started.resolve();
          return check.promise;
        },
        { timeoutMs: 60_000 },
      );
      const answered = app.fetch(new Request('http://localhost/readyz'));
      await started.promise;
      const closed = app.close();
      check.resolve();
      expect(await (await answered).json()).toEqual({ status: 'stopping', checks: [] });
      await closed;
    });

    test('the routes have schemas, which documents of the API leave out', async () => {
      const app = make({ health: true });
      await app.ready();
      const schemas = listRoutes(app)
        .filter(({ isAutomatic }) => !isAutomatic)
        .map(({ url, options: { schema } }) => [url, schema?.hide, Object.keys(schema?.response ?? {})]);
      expect(schemas).toEqual([
        ['/livez', true, ['200']],
        ['/readyz', true, ['200', '503']],
      ]);
    });

    for (const [health, message] of [
      [{ lives: '/a' }, "unknown option 'lives' of health; did you mean 'live'?"],
      [{ live: 'livez' }, 'health.live must be a path such as \'/livez\' or false, instead got "livez"'],
      [{ ready: '/:id' }, 'health.ready must be a path'],
      [{ ready: '/*' }, 'health.ready must be a path'],
      [{ ready: true }, 'health.ready must be a path'],
      [{ live: '/a', ready: '/a' }, 'health.live and health.ready must be different paths'],
      ['/livez', 'health must be object or boolean, instead got string'],
    ] as const) {
      test(`refuses health: ${JSON.stringify(health)}`, () => {
        expect(() => make({ health: health as never })).toThrow(message);
      });
    }

    for (const [args, message] of [
      [[undefined, () => true], 'requires a name, instead got undefined'],
      [['', () => true], "requires a name, instead got ''"],
      [['a', 'b'], 'requires a function, instead got string'],
      [['a', () => true, 5], 'options must be object, instead got number'],
      [['a', () => true, null], 'options must be object, instead got null'],
      [['a', () => true, { timeout: 5 }], "did you mean 'timeoutMs'?"],
      [
        ['a', () => true, { timeoutMs: 0 }],
        'timeoutMs must be an integer from 1 to 2147483647, instead got 0',
      ],
      [['a', () => true, { timeoutMs: 2 ** 31 }], 'timeoutMs must be an integer from 1 to 2147483647'],
      [['a', () => true, { cacheMs: -1 }], 'cacheMs must be an integer from 0 to 2147483647, instead got -1'],
    ] as const) {
      test(`refuses addReadinessCheck(${args.map(String).join(', ')})`, () => {
        const app = make();
        expect(() => app.addReadinessCheck(...(args as unknown as [string, () => true]))).toThrow(message);
      });
    }

    test('a route of the application at the path of a probe fails at its declaration', () => {
      const app = make({ health: true });
      expect(() => app.get('/livez', () => 'mine')).toThrow(/already declared/);
    });
  });
}
