/** Payloads that throw when they are read: `send` fails the request, and never throws. */
import type { Context, Reply } from 'ambit';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { flavors } from '../../test/support/flavors.ts';
import { hostileObjects } from '../../test/support/hostile-values.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

interface Outcome {
  status: number;
  responses: number;
  thrown: unknown[];
}

/** Sends one request, and returns its response, how often it ended, and what `respond` threw. */
async function outcome(app: Context, respond: (reply: Reply) => unknown): Promise<Outcome> {
  let responses = 0;
  const thrown: unknown[] = [];
  app.addHook('onResponse', async () => {
    responses++;
  });
  app.get('/', (_request, reply) => {
    setTimeout(() => {
      try {
        respond(reply);
      } catch (error) {
        thrown.push(error);
      }
    }, 1);
  });
  app.get('/next', () => 'next');
  const origin = await serve(app);
  const { status } = await ask(`${origin}/`);
  expect((await ask(`${origin}/next`)).body).toBe('next');
  return { status, responses: responses - 1, thrown };
}

for (const [flavor, make] of flavors) {
  describe(`sent from a timer on ${flavor}`, () => {
    const failing = [
      'a proxy that was revoked',
      'a proxy of an error that was revoked',
      'a proxy whose traps throw',
      'an object whose pipe throws',
      'an object whose toJSON throws',
      'an object whose tag throws',
      'an object that contains itself',
      'an object that looks like a stream',
      'an object that looks like a web stream',
      'an object that looks like a response',
      'a frozen error',
    ];
    for (const what of failing) {
      test(`${what} is answered 500 once`, async () => {
        const payload = hostileObjects[what]!();
        expect(await outcome(make(), (reply) => reply.send(payload))).toEqual({
          status: 500,
          responses: 1,
          thrown: [],
        });
      });

      test(`${what} is answered once by an error handler`, async () => {
        const app = make();
        app.setErrorHandler((_error, _request, reply) => reply.code(503).send('handled'));
        const payload = hostileObjects[what]!();
        expect(await outcome(app, (reply) => reply.send(payload))).toEqual({
          status: 503,
          responses: 1,
          thrown: [],
        });
      });
    }

    for (const [what, value] of [
      ['a symbol', Symbol('header')],
      ['an object without a prototype', Object.create(null)],
      ['an object whose toString throws', hostileObjects['an object whose toString throws']!()],
    ] as const) {
      test(`a value with ${what} as a header is answered 500 once`, async () => {
        const result = await outcome(make(), (reply) =>
          reply.header('x-broken', value as never).send('text'),
        );
        expect(result).toEqual({ status: 500, responses: 1, thrown: [] });
      });
    }

    test('a value with a content type that cannot be converted to text is answered 500 once', async () => {
      const result = await outcome(make(), (reply) => reply.type(Object.create(null) as never).send({}));
      expect(result).toEqual({ status: 500, responses: 1, thrown: [] });
    });

    test('a value with a number as its content type is sent as JSON', async () => {
      const result = await outcome(make(), (reply) => reply.type(5 as never).send({}));
      expect(result).toEqual({ status: 200, responses: 1, thrown: [] });
    });

    test('a value may throw an error that cannot be read', async () => {
      const thrown = hostileObjects['a proxy that was revoked']!();
      const payload = Object.defineProperty({}, 'pipe', {
        get() {
          throw thrown;
        },
      });
      expect(await outcome(make(), (reply) => reply.send(payload))).toEqual({
        status: 500,
        responses: 1,
        thrown: [],
      });
    });

    test('a value may throw undefined', async () => {
      const payload = Object.defineProperty({}, 'pipe', {
        get() {
          throw undefined;
        },
      });
      expect(await outcome(make(), (reply) => reply.send(payload))).toEqual({
        status: 500,
        responses: 1,
        thrown: [],
      });
    });
  });

  describe(`send in an onError hook on ${flavor}`, () => {
    test('throws while the hook runs', async () => {
      const app = make();
      const thrown: unknown[] = [];
      app.addHook('onError', (_request, reply, _error, done) => {
        try {
          reply.send('no');
        } catch (error) {
          thrown.push(error);
        }
        done();
      });
      app.get('/', () => {
        throw new Error('failed');
      });
      expect((await app.inject('/')).statusCode).toBe(500);
      expect(thrown).toEqual([expect.objectContaining({ code: 'FST_ERR_SEND_INSIDE_ONERR' })]);
    });

    test('from a timer is logged, and the error is answered', async () => {
      const codes: unknown[] = [];
      const stream = { write: (line: string) => codes.push(JSON.parse(line).err?.code) };
      const app = make({ logger: { level: 'warn', stream } });
      app.addHook('onError', (_request, reply, _error, done) => {
        setTimeout(() => {
          reply.send('no');
          done();
        }, 1);
      });
      app.get('/', () => {
        throw Object.assign(new Error('failed'), { statusCode: 418 });
      });
      expect((await app.inject('/')).statusCode).toBe(418);
      expect(codes).toContain('FST_ERR_SEND_INSIDE_ONERR');
    });
  });
}
