/** Whatever a handler, a hook or a serializer throws: there is one response per request, and no uncaught error. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type Done, type RequestHookName } from 'ambit';
import { describe, expect, test } from 'vitest';
import { type AnyHook, donePosition } from '../../test/support/hook-styles.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

/** Returns the statuses on a connection that requests `/` and then `/next`. If there are not two, a request got two responses. */
async function answers(app: Context): Promise<number[]> {
  app.get('/next', () => 'next');
  const port = await servePort(app);
  return statuses(await converse(port, request('GET', '/') + lastRequest('GET', '/next')));
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe('a thrown value that is not an Error', () => {
  const values = [
    ['a string', 'text'],
    ['an empty string', ''],
    ['a number', 7],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    ['an object', { any: 'thing' }],
    ['an array', [1]],
    ['a function', () => {}],
    ['a symbol', Symbol('thrown')],
    ['an object without a prototype', Object.create(null)],
  ] as const;

  for (const [what, value] of values) {
    test(`${what}, thrown by a handler, is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', throwing(value));
      expect(await answers(app)).toEqual([500, 200]);
    });

    test(`${what}, rejected by a handler, is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', () => Promise.reject(value));
      expect(await answers(app)).toEqual([500, 200]);
    });

    test(`${what}, thrown by a hook, is answered 500 once, and the handler does not run`, async () => {
      const app = ambit();
      let runs = 0;
      app.get('/', { onRequest: throwing(value) }, () => ++runs);
      expect(await answers(app)).toEqual([500, 200]);
      expect(runs).toBe(0);
    });

    test(`${what}, rejected by a hook, is answered 500 once, and the handler does not run`, async () => {
      const app = ambit();
      let runs = 0;
      app.get('/', { preHandler: () => Promise.reject(value) }, () => ++runs);
      expect(await answers(app)).toEqual([500, 200]);
      expect(runs).toBe(0);
    });
  }

  test('reaches a custom error handler as it is', async () => {
    const app = ambit();
    const thrown = { any: 'thing' };
    let received: unknown;
    app.setErrorHandler((error, _request, reply) => {
      received = error;
      reply.code(400).send('handled');
    });
    app.get('/', throwing(thrown));
    expect((await app.inject('/')).body).toBe('handled');
    expect(received).toBe(thrown);
  });

  test('an object may name its status', async () => {
    const app = ambit();
    app.get('/', throwing({ statusCode: 418, message: 'short and stout' }));
    expect(await answers(app)).toEqual([418, 200]);
  });
});

describe('errors in hooks', () => {
  const failing = (): Error => Object.assign(new Error('in the hook'), { statusCode: 418 });
  const position: Record<string, number> = donePosition;

  const ways: Record<string, (name: string) => AnyHook> = {
    'given to done':
      (name) =>
      (...args) =>
        (args[position[name]!] as Done)(failing()),
    'given to done in a later turn':
      (name) =>
      (...args) => {
        setImmediate(() => (args[position[name]!] as Done)(failing()));
      },
    thrown: () => throwing(failing()),
    rejected: () => async () => {
      await nextTurn();
      throw failing();
    },
  };

  for (const name of Object.keys(position) as RequestHookName[]) {
    for (const [way, makeHook] of Object.entries(ways)) {
      test(`an error ${way} in ${name} is answered once, by the error handler`, async () => {
        const app = ambit();
        const seen: string[] = [];
        app.setErrorHandler((error, _request, reply) => {
          seen.push(error.message);
          reply.code(error.statusCode!).type('text/plain').send('handled');
        });
        let runs = 0;
        // Hooks of the reply would fail again for the error reply.
        const hook: AnyHook = makeHook(name);
        app.get(
          '/',
          {
            [name]: function (this: Context, ...args: unknown[]) {
              if (++runs === 1) return hook.apply(this, args);
              return (args[position[name]!] as Done)();
            },
          },
          () => ({ handled: false }),
        );
        expect(await answers(app)).toEqual([418, 200]);
        expect(seen).toEqual(['in the hook']);
      });
    }
  }

  for (const name of ['preSerialization', 'onSend'] as const) {
    test(`${name} hooks that fail for every payload get one default reply`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => reply.send({ handled: error.message }));
      app.get('/', { [name]: async () => Promise.reject(new Error('again')) }, () => ({}));
      expect(await answers(app)).toEqual([500, 200]);
    });
  }

  test('an onSend hook that fails for a 404 gets one reply', async () => {
    const app = ambit();
    app.addHook('onSend', async (request) => {
      if (request.is404) throw new Error('again');
    });
    expect(await answers(app)).toEqual([404, 200]);
  });

  for (const [way, hook] of [
    ['given to done', (_request: unknown, _reply: unknown, done: Done) => done(new Error('too late'))],
    ['thrown', throwing(new Error('too late'))],
    ['rejected', async () => Promise.reject(new Error('too late'))],
  ] as const) {
    test(`an error ${way} in onResponse is logged, and does not change the reply`, async () => {
      const lines = new LogLines();
      const app = ambit({ logger: { stream: lines } });
      app.get('/', { onResponse: hook as never }, () => 'answered');
      expect(await answers(app)).toEqual([200, 200]);
      expect((await lines.until('request errored')).err?.message).toBe('too late');
    });
  }

  test('an error in a hook of a sibling does not affect other contexts', async () => {
    const app = ambit();
    app.register(async (sibling) => {
      sibling.addHook('onRequest', throwing(new Error('not here')));
    });
    app.get('/', () => 'fine');
    expect(await answers(app)).toEqual([200, 200]);
  });
});

describe('errors in serializers', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  for (const [what, value] of [
    ['a circular object', circular],
    ['a BigInt', { big: 1n }],
    ['an object whose toJSON throws', { toJSON: throwing(new Error('no JSON')) }],
    [
      'an object whose getter throws',
      Object.defineProperty({}, 'broken', { get: throwing('no'), enumerable: true }),
    ],
  ] as const) {
    test(`${what} is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', () => value);
      expect(await answers(app)).toEqual([500, 200]);
    });
  }

  for (const [what, error] of [
    ['an Error', new Error('in the serializer')],
    ['a string', 'in the serializer'],
    ['undefined', undefined],
  ] as const) {
    test(`${what} thrown by reply.serializer is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', (_request, reply) => reply.serializer(throwing(error)).send({}));
      expect(await answers(app)).toEqual([500, 200]);
    });

    test(`${what} thrown by the serializer of the context is answered 500 once`, async () => {
      const app = ambit();
      app.register(async (child) => {
        child.setReplySerializer(throwing(error));
        child.get('/', () => ({}));
      });
      expect(await answers(app)).toEqual([500, 200]);
    });

    test(`${what} thrown by a compiled serializer is answered 500 once`, async () => {
      const app = ambit();
      app.get(
        '/',
        { serializerCompiler: () => throwing(error), schema: { response: { 200: {} } } },
        () => ({}),
      );
      expect(await answers(app)).toEqual([500, 200]);
    });
  }

  for (const [what, value] of [
    ['an object', {}],
    ['a number', 1],
    ['a promise', Promise.resolve('late')],
  ] as const) {
    test(`a serializer that returns ${what} is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', (_request, reply) => reply.serializer(() => value as never).send({}));
      expect(await answers(app)).toEqual([500, 200]);
    });
  }

  test('the error reaches the error handler', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => {
      reply.code(422).send({ reason: error.message });
    });
    const response = { 200: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };
    app.get('/', { schema: { response } }, () => ({}));
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({ reason: '"id" is required!' });
  });

  test('a response schema that cannot serialize the error gets one reply, with the error', async () => {
    const app = ambit();
    const response = { 500: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };
    app.get('/', { schema: { response } }, throwing(new Error('it broke')));
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ statusCode: 500, message: 'it broke' });
    expect(await answers(makeBrokenErrorSchema())).toEqual([500, 200]);
  });

  function makeBrokenErrorSchema(): Context {
    const app = ambit();
    const response = { 500: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };
    return app.get('/', { schema: { response } }, throwing(new Error('it broke')));
  }

  for (const [what, value] of [
    ['a line break', 'a\r\nb: c'],
    ['a character beyond Latin-1', '→'],
  ] as const) {
    test(`a header with ${what} is answered 500 once, and never sent`, async () => {
      const app = ambit();
      app.get('/', (_request, reply) => reply.header('x-broken', value).send('text'));
      app.get('/next', () => 'next');
      const port = await servePort(app);
      const received = await converse(port, request('GET', '/') + lastRequest('GET', '/next'));
      expect(statuses(received)).toEqual([500, 200]);
      expect(received).not.toContain('x-broken: ');
    });
  }

  for (const status of [99, 600, 'text', null, Number.NaN]) {
    test(`the status ${status} is answered 500 once`, async () => {
      const app = ambit();
      app.get('/', (_request, reply) => reply.code(status as number).send('text'));
      expect(await answers(app)).toEqual([500, 200]);
    });
  }
});

describe('errors in the schema error formatter', () => {
  for (const [what, make] of [
    ['an Error', () => new Error('in the formatter')],
    ['a string', () => 'in the formatter'],
    ['null', () => null],
    ['undefined', () => undefined],
  ] as const) {
    test(`${what} thrown is answered 500 once, and the handler does not run`, async () => {
      const app = ambit({ schemaErrorFormatter: throwing(make()) });
      let runs = 0;
      const querystring = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
      app.get('/', { schema: { querystring } }, () => ++runs);
      expect(await answers(app)).toEqual([500, 200]);
      expect(runs).toBe(0);
    });

    test(`${what} thrown by a validator is answered 500 once, and the handler does not run`, async () => {
      const app = ambit();
      let runs = 0;
      const details = { validatorCompiler: () => throwing(make()), schema: { querystring: {} } };
      app.get('/', details, () => ++runs);
      expect(await answers(app)).toEqual([500, 200]);
      expect(runs).toBe(0);
    });

    test(`${what} rejected by a validator is answered 400 once, and the handler does not run`, async () => {
      const app = ambit();
      let runs = 0;
      const details = { validatorCompiler: () => () => Promise.reject(make()), schema: { querystring: {} } };
      app.get('/', details, () => ++runs);
      expect(await answers(app)).toEqual([400, 200]);
      expect(runs).toBe(0);
    });
  }
});

describe('errors in body parsers', () => {
  for (const [what, parser] of [
    ['throws', throwing(new Error('cannot parse'))],
    ['rejects', async () => Promise.reject(new Error('cannot parse'))],
    ['rejects with undefined', () => Promise.reject(undefined)],
    [
      'gives an error to done',
      (_request: unknown, _body: unknown, done: Done) => done(new Error('cannot parse')),
    ],
    [
      'gives an error to done after a body',
      (_request: unknown, _body: unknown, done: (error: Error | null, body?: unknown) => void) => {
        setImmediate(() => {
          done(new Error('cannot parse'));
          done(null, 'body');
        });
      },
    ],
  ] as const) {
    test(`a parser that ${what} is answered 500 once, and the handler does not run`, async () => {
      const app = ambit();
      let runs = 0;
      app.addContentTypeParser('text/x', { parseAs: 'string' }, parser as never);
      app.post('/', () => ++runs);
      const port = await servePort(app);
      const text = `${request('POST', '/', 'Content-Type: text/x', 'Content-Length: 2')}ab${lastRequest('POST', '/')}`;
      expect(statuses(await converse(port, text))[0]).toBe(500);
      expect(runs).toBeLessThanOrEqual(1);
    });
  }

  test('a parser that ends twice runs the handler once', async () => {
    const app = ambit();
    let runs = 0;
    app.addContentTypeParser('text/x', { parseAs: 'string' }, (_request, body, done) => {
      done(null, body);
      done(null, body);
      done(new Error('too late'));
    });
    app.post('/', () => `run ${++runs}`);
    const headers = { 'content-type': 'text/x' };
    expect((await app.inject({ method: 'POST', url: '/', headers, payload: 'x' })).body).toBe('run 1');
    expect(runs).toBe(1);
  });
});

describe('a reply that is sent already', () => {
  test('send twice sends the first, and logs the second', async () => {
    const lines = new LogLines();
    const app = ambit({ logger: { stream: lines } });
    app.get('/', (_request, reply) => {
      reply.send('first');
      reply.send('second');
    });
    app.get('/next', () => 'next');
    const port = await servePort(app);
    const received = await converse(port, request('GET', '/') + lastRequest('GET', '/next'));
    expect(statuses(received)).toEqual([200, 200]);
    expect(received).toContain('first');
    expect(received).not.toContain('second');
    expect(
      lines.lines.some(({ level, err }) => level === 40 && err?.code === 'FST_ERR_REP_ALREADY_SENT'),
    ).toBe(true);
  });

  for (const [what, handler] of [
    [
      'a value returned after send',
      (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        return 'second';
      },
    ],
    [
      'a promised value after send',
      async (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        await nextTurn();
        return 'second';
      },
    ],
    [
      'a rejection after send',
      async (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        throw new Error('too late');
      },
    ],
    [
      'a late rejection after send',
      async (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        await nextTurn();
        throw new Error('too late');
      },
    ],
    [
      'an exception after send',
      (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        throw new Error('too late');
      },
    ],
    [
      'a late send',
      (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        setImmediate(() => reply.send('second'));
      },
    ],
    [
      'a late send of an error',
      (reply: { send(payload: unknown): unknown }) => {
        reply.send('first');
        setImmediate(() => reply.send(new Error('too late')));
      },
    ],
  ] as const) {
    test(`${what} changes nothing`, async () => {
      const app = ambit();
      app.get('/', (_request, reply) => handler(reply));
      app.get('/next', () => 'next');
      const port = await servePort(app);
      const received = await converse(port, request('GET', '/') + lastRequest('GET', '/next'));
      expect(statuses(received)).toEqual([200, 200]);
      expect(received).toContain('first');
    });
  }

  test('an error that is thrown after hijack does not change the response', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.end('hijacked');
      throw new Error('too late');
    });
    expect(await answers(app)).toEqual([200, 200]);
  });
});
