// Async iterables are not serialized: an async generator would be sent as `{}`.
import { Readable } from 'node:stream';
import { ambit, type CodedError, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

async function* rows(): AsyncGenerator<string> {
  yield 'one ';
  yield 'two';
}

class Cursor {
  readonly namespace = 'notes';

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    yield* rows();
  }
}

class Page extends Cursor {
  toJSON(): object {
    return { page: 1 };
  }
}

const refused = {
  statusCode: 500,
  code: 'AMBIT_ERR_ASYNC_ITERABLE_SENT',
  message: expect.stringContaining('send `Readable.from(iterable)` of node:stream'),
};

for (const [flavor, make] of flavors) {
  describe(`on ${flavor}`, () => {
    for (const [what, payload] of [
      ['an async generator', () => rows()],
      ['an iterator of one', () => new Cursor()[Symbol.asyncIterator]()],
      ['an object of a class that iterates', () => new Cursor()],
      ['a literal that iterates', () => ({ [Symbol.asyncIterator]: rows })],
    ] as const) {
      for (const [how, handler] of [
        ['returned', () => payload()],
        ['resolved with', async () => payload()],
        [
          'sent',
          (_request: unknown, reply: { send(payload: unknown): unknown }) => void reply.send(payload()),
        ],
      ] as const) {
        test(`${what} that is ${how} is answered with an error that names what to send`, async () => {
          const app = make();
          app.get('/', handler as never);
          expect((await app.inject('/')).json()).toMatchObject(refused);
        });
      }

      test(`${what} is rejected with a response schema`, async () => {
        const app = make();
        app.get('/', { schema: { response: { 200: { type: 'object', properties: {} } } } }, payload as never);
        expect((await app.inject('/')).json()).toMatchObject(refused);
      });

      test(`${what} is rejected as text, too`, async () => {
        const app = make();
        app.get('/', (_request, reply) => reply.type('text/csv').send(payload() as never));
        expect((await app.inject('/')).json()).toMatchObject(refused);
      });
    }

    test('the error only fails one request, over a socket', async () => {
      const app = make();
      app.get('/', (() => rows()) as never);
      app.get('/fine', () => 'fine');
      const origin = await serve(app);
      expect((await fetch(origin)).status).toBe(500);
      expect(await (await fetch(`${origin}/fine`)).text()).toBe('fine');
    });

    test('an async iterable can be sent with Readable.from', async () => {
      const app = make();
      app.get('/', () => Readable.from(rows()));
      expect((await app.inject('/')).body).toBe('one two');
    });

    test('a stream and a web stream are async iterables, too, and are sent', async () => {
      const app = make();
      app.get('/node', () => Readable.from(['a', 'b']));
      app.get('/web', () => new Response('ab').body as never);
      expect((await app.inject('/node')).body).toBe('ab');
      expect((await app.inject('/web')).body).toBe('ab');
    });

    test('an async iterable with toJSON is serialized', async () => {
      const app = make();
      app.get('/', () => new Page());
      expect((await app.inject('/')).json()).toEqual({ page: 1 });
    });

    test('a serializer of the reply, or of its context, may accept an async iterable', async () => {
      const app = make();
      app.get('/own', (_request, reply) => reply.serializer(() => 'own').send(rows() as never));
      app.register(async (child) => {
        child.setReplySerializer(() => 'context');
        child.get('/context', (() => rows()) as never);
      });
      expect((await app.inject('/own')).body).toBe('own');
      expect((await app.inject('/context')).body).toBe('context');
    });

    test('a preSerialization hook may replace it with a value', async () => {
      const app = make();
      app.addHook('preSerialization', async (_request, _reply, payload) => {
        const values: unknown[] = [];
        for await (const value of payload as AsyncIterable<unknown>) values.push(value);
        return values;
      });
      app.get('/', (() => rows()) as never);
      expect((await app.inject('/')).json()).toEqual(['one ', 'two']);
    });
  });

  describe(`a generator function on ${flavor}`, () => {
    test('as a handler is accepted if an onRoute hook replaces it', async () => {
      const app = make();
      app.addHook('onRoute', (route) => {
        const { handler } = route;
        route.handler = () => Readable.from((handler as unknown as typeof rows)());
      });
      app.get('/', rows as never);
      expect((await app.inject('/')).body).toBe('one two');
    });
  });
}

// The facade takes them with a warning, as Fastify takes them: declarations.test.ts.
describe('a generator function on ambit', () => {
  const here = expect.stringContaining('send.async-iterables.test.ts');
  const generators = [
    ['an async generator', rows],
    [
      'a generator',
      function* numbers() {
        yield 1;
      },
    ],
  ] as const;

  for (const [what, generator] of generators) {
    test(`${what} as a handler fails boot, with the route and the line`, async () => {
      const app = ambit();
      app.register(async function users(context) {
        context.get('/users', generator as never);
      });
      const error = await app.ready().catch((error: CodedError) => error);
      expect(error).toMatchObject({
        code: 'AMBIT_ERR_HANDLER_IS_GENERATOR',
        message: expect.stringContaining('`Readable.from(generator())`'),
        where: { plugin: expect.stringMatching(/ > users$/), route: 'GET /users', file: here },
      });
    });

    for (const [where, declare] of [
      ['an error handler', (app: Context) => app.setErrorHandler(generator as never)],
      ['a not-found handler', (app: Context) => app.setNotFoundHandler(generator as never)],
      [
        'the error handler of a not-found handler',
        (app: Context) => app.setNotFoundHandler({ errorHandler: generator } as never, () => {}),
      ],
    ] as const) {
      test(`${what} as ${where} is rejected at its declaration`, () => {
        expect(() => declare(ambit())).toThrow(
          expect.objectContaining({ code: 'AMBIT_ERR_HANDLER_IS_GENERATOR', where: expect.anything() }),
        );
      });
    }

    test(`${what} as the error handler of a route fails boot`, async () => {
      const app = ambit();
      app.get('/', { errorHandler: generator as never }, () => 'fine');
      await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_HANDLER_IS_GENERATOR' });
    });

    test(`${what} as a hook is refused`, () => {
      for (const name of ['onRequest', 'onReady', 'onClose'] as const) {
        expect(() => ambit().addHook(name as 'onRequest', generator as never)).toThrow(
          expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_HANDLER' }),
        );
      }
      expect(() => ambit().get('/', { preHandler: [generator as never] }, () => 'fine')).toThrow(
        expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_HANDLER' }),
      );
    });

    test(`${what} as a plugin is rejected, because its body would not run`, () => {
      expect(() => ambit().register(generator as never)).toThrow(
        expect.objectContaining({ code: 'FST_ERR_PLUGIN_NOT_VALID', where: expect.anything() }),
      );
    });
  }
});
