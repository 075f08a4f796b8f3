/** Values that are passed to `done`: all except `undefined` and `null` fail the request, in every hook. */
import type { Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { falsyValues } from '../../test/support/falsy-values.ts';
import { flavors } from '../../test/support/flavors.ts';
import { donePosition } from '../../test/support/hook-styles.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { open, request as rawRequest } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

type AnyDone = (error?: unknown, value?: unknown) => void;
type Hook = (...args: unknown[]) => void;

const passes: [what: string, args: unknown[]][] = [
  ['nothing', []],
  ['undefined', [undefined]],
  ['null', [null]],
];

type Phase = keyof typeof donePosition;
const phases = Object.keys(donePosition) as Phase[];
const guards: Phase[] = ['onRequest', 'preParsing', 'preValidation', 'preHandler'];

const failing = new Map(falsyValues);
type Asked = { headers: Record<string, string> };

/**
 * A hook that passes the value that its request names to its `done`, once a request, because hooks of the reply also run for the reply to
 * their own failure.
 */
function givingWhatIsAsked(phase: Phase): Hook {
  const failed = new WeakSet<Asked>();
  return (...args) => {
    const request = args[0] as Asked;
    const done = args[donePosition[phase]] as AnyDone;
    const { what, when } = request.headers;
    const settle = (): void => {
      const isFirst = !failed.has(request);
      failed.add(request);
      if (isFirst) done(failing.get(what!));
      else done();
    };
    if (when === 'late') setTimeout(settle, 1);
    else settle();
  };
}

/** A hook that passes these to its `done`, once, because hooks of the reply also run for the reply to their own failure. */
function giving(phase: Phase, isLate: boolean, ...given: unknown[]): Hook {
  let runs = 0;
  return (...args) => {
    const done = args[donePosition[phase]] as AnyDone;
    const settle = (): void => (runs++ === 0 ? done(...given) : done());
    if (isLate) setTimeout(settle, 1);
    else settle();
  };
}

/** The places where a hook can be added; the route of each is `/`. */
const places: Record<string, (app: Context, phase: Phase, hook: Hook, handler: () => unknown) => void> = {
  'in the root': (app, phase, hook, handler) => {
    app.addHook(phase as never, hook as never);
    app.get('/', handler);
  },
  'in a plugin': (app, phase, hook, handler) => {
    app.register(async (plugin) => {
      plugin.addHook(phase as never, hook as never);
      plugin.get('/', handler);
    });
  },
  'in a route': (app, phase, hook, handler) => {
    app.get('/', { [phase]: hook }, handler);
  },
  'last in the array of a route': (app, phase, hook, handler) => {
    const before = giving(phase, false);
    app.get('/', { [phase]: [before, hook] }, handler);
  },
};

for (const [flavor, make] of flavors) {
  describe(`done on ${flavor}`, () => {
    for (const phase of phases) {
      for (const [where, place] of Object.entries(places)) {
        test(`each value, passed in ${phase} ${where}, fails the request`, async () => {
          const app = make();
          const seen: unknown[] = [];
          let runs = 0;
          app.setErrorHandler((error, _request, reply) => {
            seen.push(error);
            reply.code(403).send('refused');
          });
          place(app, phase, givingWhatIsAsked(phase), () => ({ runs: ++runs }));
          const origin = await serve(app);
          for (const [what, value] of falsyValues) {
            for (const when of ['at once', 'late']) {
              seen.length = 0;
              runs = 0;
              const { status, body } = await ask(origin, { what, when });
              expect({ what, when, status, body }).toEqual({ what, when, status: 403, body: 'refused' });
              expect(runs).toBe(guards.includes(phase) ? 0 : 1);
              expect(seen).toEqual([
                expect.objectContaining({ code: 'FST_ERR_SEND_UNDEFINED_ERR', cause: value }) as Error,
              ]);
            }
          }
        });
      }

      for (const [what, value] of falsyValues) {
        test(`${what}, passed in ${phase} without an error handler, is answered 500`, async () => {
          const app = make();
          app.get('/', { [phase]: giving(phase, false, value) }, () => ({}));
          const { status } = await ask(await serve(app));
          expect(status).toBe(500);
        });
      }

      for (const [what, args] of passes) {
        test(`${what}, passed in ${phase}, lets the request continue`, async () => {
          for (const isLate of [false, true]) {
            const app = make();
            app.get('/', { [phase]: giving(phase, isLate, ...args) }, () => ({ passed: true }));
            expect((await app.inject('/')).json()).toEqual({ passed: true });
          }
        });
      }
    }

    for (const [what, value] of falsyValues) {
      test(`${what}, passed before a not-found handler, keeps it from running`, async () => {
        const app = make();
        let runs = 0;
        app.setNotFoundHandler(
          { preHandler: giving('preHandler', false, value) as never },
          () => `${++runs}`,
        );
        expect((await app.inject('/nowhere')).statusCode).toBe(500);
        expect(runs).toBe(0);
      });

      test(`${what}, passed to the done of a parser, rejects the body`, async () => {
        for (const options of [{ parseAs: 'string' as const }, {}]) {
          const app = make();
          let runs = 0;
          app.addContentTypeParser(
            'text/x',
            options as never,
            ((_request: unknown, _body: unknown, done: AnyDone) => {
              setImmediate(done, value, 'body');
            }) as never,
          );
          app.post('/', () => ++runs);
          const headers = { 'content-type': 'text/x' };
          const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'x' });
          expect(response.json()).toMatchObject({ statusCode: 500, code: 'FST_ERR_SEND_UNDEFINED_ERR' });
          expect(runs).toBe(0);
        }
      });

      test(`${what}, passed to the done of a trailer, leaves it out`, async () => {
        const app = make();
        app.get('/', (_request, reply) => {
          reply.trailer('x-digest', ((_reply: unknown, _payload: unknown, done: AnyDone) =>
            done(value, 'digest')) as never);
          return reply.send('text');
        });
        const { status, trailers } = await ask(await serve(app));
        expect({ status, trailers }).toEqual({ status: 200, trailers: {} });
      });

      test(`${what}, passed in onResponse, is logged as an error, and ends the hooks`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        let runs = 0;
        const failing = (_request: unknown, _reply: unknown, done: AnyDone): void => done(value);
        app.get('/', { onResponse: [failing, async () => void runs++] as never }, () => 'text');
        expect((await app.inject('/')).body).toBe('text');
        expect((await lines.until('request errored')).err?.code).toBe('FST_ERR_SEND_UNDEFINED_ERR');
        expect(runs).toBe(0);
      });

      test(`${what}, rejected in onResponse, is logged as an error`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        app.get('/', { onResponse: () => Promise.reject(value) }, () => 'text');
        expect((await app.inject('/')).body).toBe('text');
        expect((await lines.until('request errored')).err?.code).toBe('FST_ERR_SEND_UNDEFINED_ERR');
      });

      test(`${what}, passed in onRequestAbort, is logged as an error`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        app.addHook('onRequestAbort', ((_request: unknown, done: AnyDone) => done(value)) as never);
        app.get('/', (_request, reply) => {
          reply.raw.writeHead(200).write('begun');
        });
        const { socket, until } = await open(await servePort(app));
        socket.write(rawRequest('GET', '/'));
        await until('begun');
        socket.destroy();
        const line = await lines.until('onRequestAborted hook failed');
        expect(line.err?.code).toBe('FST_ERR_SEND_UNDEFINED_ERR');
      });

      test(`${what}, passed in onError, does not change the error reply`, async () => {
        const app = make();
        app.addHook('onError', ((_request: unknown, _reply: unknown, _error: unknown, done: AnyDone) =>
          done(value)) as never);
        app.get('/', () => {
          throw Object.assign(new Error('failed'), { statusCode: 418 });
        });
        expect((await app.inject('/')).statusCode).toBe(418);
      });
    }
  });

  describe(`a proxy of an async function on ${flavor}`, () => {
    const proxyOf = (apply: () => unknown) => new Proxy(async () => {}, { apply });
    const refusal = Object.assign(new Error('refused'), { statusCode: 403 });
    for (const [what, apply] of [
      [
        'throws',
        () => {
          throw refusal;
        },
      ],
      // biome-ignore lint/suspicious/noThenProperty: a promise of another class.
      ['returns a promise of an own class', () => ({ then: (_: unknown, fail: AnyDone) => fail(refusal) })],
    ] as const)
      test(`refuses the request if it ${what}`, async () => {
        const app = make();
        app.addHook('onRequest', proxyOf(apply) as never);
        app.get('/', () => 'a secret');
        expect((await app.inject('/')).statusCode).toBe(403);
      });

    test('does not change the error reply if it throws in onError', async () => {
      const app = make();
      let runs = 0;
      const report = () => {
        runs++;
        throw new Error('hook');
      };
      app.addHook('onError', proxyOf(report) as never);
      app.get('/', () => {
        throw Object.assign(new Error('failed'), { statusCode: 418 });
      });
      expect([(await app.inject('/')).statusCode, runs]).toEqual([418, 1]);
    });
  });

  describe(`the end of a body on ${flavor}`, () => {
    test('a stream that fails without an error fails the request, because the body is incomplete', async () => {
      const app = make();
      let runs = 0;
      app.addHook('preParsing', async (_request, _reply, payload) => {
        setImmediate(() => payload.emit('error', undefined));
        return payload;
      });
      app.post('/', () => ++runs);
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
        payload: 'half',
        simulate: { end: false },
      } as never);
      expect(response.json()).toMatchObject({ statusCode: 500, code: 'FST_ERR_SEND_UNDEFINED_ERR' });
      expect(runs).toBe(0);
    });
  });
}
