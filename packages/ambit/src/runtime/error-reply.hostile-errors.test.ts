/** Errors whose fields throw when they are read, or cannot be converted: each gets one error reply, and the process continues. */
import type { Context, Reply } from 'ambit';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { flavors } from '../../test/support/flavors.ts';
import { hostileErrors, hostileObjects } from '../../test/support/hostile-values.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

type Throw = (reply: Reply, error: unknown) => unknown;

/** The ways in which a request fails with an error; the last two are in a later turn. */
const ways: Record<string, Throw> = {
  'thrown by a handler': (_reply, error) => {
    throw error;
  },
  'rejected by a handler': (_reply, error) => Promise.reject(error),
  'sent by a handler': (reply, error) => {
    reply.send(error);
  },
  'sent from a timer': (reply, error) => {
    setTimeout(() => reply.send(error), 1);
  },
};

const errors = hostileErrors();

/** An application that fails with the error of that number, and counts the responses of each request. */
function failing(app: Context, way: Throw, make: (index: number) => unknown): Map<string, number> {
  const responses = new Map<string, number>();
  app.addHook('onResponse', async ({ url }) => {
    responses.set(url, (responses.get(url) ?? 0) + 1);
  });
  app.get<{ Params: { index: string } }>('/:index', (request, reply) =>
    way(reply, make(Number(request.params.index))),
  );
  return responses;
}

for (const [flavor, make] of flavors) {
  for (const [way, run] of Object.entries(ways)) {
    test(`errors that cannot be read, ${way}, are answered 500 once each on ${flavor}`, async () => {
      const lines = new LogLines();
      const app = make({ logger: { level: 'error', stream: lines } });
      const responses = failing(app, run, (index) => errors[index]![1]());
      const origin = await serve(app);
      for (const [index, [what]] of errors.entries()) {
        const { status, headers } = await ask(`${origin}/${index}`);
        expect({ what, status, type: headers['content-type'] }).toEqual({
          what,
          status: 500,
          type: 'application/json; charset=utf-8',
        });
        expect(responses.get(`/${index}`)).toBe(1);
      }
    });

    test(`errors that cannot be read, ${way}, reach an error handler on ${flavor}`, async () => {
      const app = make();
      app.setErrorHandler((_error, _request, reply) => reply.code(503).send('handled'));
      const responses = failing(app, run, (index) => errors[index]![1]());
      const origin = await serve(app);
      for (const [index, [what]] of errors.entries()) {
        expect({ what, body: (await ask(`${origin}/${index}`)).body }).toEqual({ what, body: 'handled' });
        expect(responses.get(`/${index}`)).toBe(1);
      }
    });

    test(`errors that cannot be read, ${way}, are written by a response schema, or answered 500, on ${flavor}`, async () => {
      const app = make();
      const anything = {
        type: 'object',
        additionalProperties: true,
        properties: { message: { type: 'string' } },
      };
      app.addHook('onRoute', (route) => {
        route.schema = { response: { '5xx': anything } };
      });
      failing(app, run, (index) => errors[index]![1]());
      const origin = await serve(app);
      for (const [index, [what]] of errors.entries()) {
        expect({ what, status: (await ask(`${origin}/${index}`)).status }).toEqual({ what, status: 500 });
      }
    });
  }

  test(`objects that cannot be read are answered 500 when they are thrown on ${flavor}`, async () => {
    const thrown = Object.entries(hostileObjects);
    for (const run of [ways['thrown by a handler']!, ways['rejected by a handler']!]) {
      const app = make();
      const responses = failing(app, run, (index) => thrown[index]![1]());
      const origin = await serve(app);
      for (const [index, [what]] of thrown.entries()) {
        const { status } = await ask(`${origin}/${index}`);
        // A thrown Response is sent with its own status, and this status cannot be sent.
        expect({ what, status }).toEqual({ what, status: 500 });
        expect(responses.get(`/${index}`)).toBe(1);
      }
    }
  });

  describe(`the headers of an error on ${flavor}`, () => {
    test('are sent, except those that cannot be read or converted to text', async () => {
      const app = make();
      const headers = Object.defineProperty(
        {
          'x-text': 'text',
          'x-number': 5,
          'x-url': new URL('http://a.b/'),
          'x-symbol': Symbol('no'),
          'x-list': ['a', 'b'],
        },
        'x-broken',
        {
          get() {
            throw new Error('read');
          },
          enumerable: true,
        },
      );
      app.get('/', () => {
        throw Object.assign(new Error('failed'), { statusCode: 418, headers });
      });
      const answer = await ask(await serve(app));
      expect(answer.status).toBe(418);
      expect(answer.headers).toMatchObject({
        'x-text': 'text',
        'x-number': '5',
        'x-url': 'http://a.b/',
        'x-list': 'a, b',
      });
      expect(Object.keys(answer.headers)).not.toContain('x-symbol');
      expect(Object.keys(answer.headers)).not.toContain('x-broken');
    });
  });

  describe(`the status of an error on ${flavor}`, () => {
    for (const [errorStatus, status] of [
      [404, 404],
      ['404', 404],
      [404.5, 404],
      [399, 500],
      [600, 500],
      [Number.NaN, 500],
      [Number.POSITIVE_INFINITY, 500],
      ['text', 500],
      [[404], 500],
      [true, 500],
    ] as const) {
      test(`is ${status} if its status is ${JSON.stringify(errorStatus)}`, async () => {
        const app = make();
        app.get('/', (_request, reply) => {
          reply.code(200);
          throw Object.assign(new Error('failed'), { status: errorStatus });
        });
        expect((await app.inject('/')).statusCode).toBe(status);
      });
    }

    test('is 500 if raw had an invalid status', async () => {
      const app = make();
      app.get('/', (_request, reply) => {
        reply.raw.statusCode = Symbol('status') as never;
        return 'text';
      });
      expect((await ask(await serve(app))).status).toBe(500);
    });
  });
}
