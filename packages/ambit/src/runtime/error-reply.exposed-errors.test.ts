/** What clients get to read of errors: in production, nothing of server errors that are not made for them. */
import { Readable } from 'node:stream';
import { type AmbitOptions, ambit, type Context, defineProblem, errors } from 'ambit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { textOf, transports } from '../../test/support/transports.ts';

const secret = 'connect ECONNREFUSED postgres://admin:hunter2@db';
const refused = (more: object = {}): Error =>
  Object.assign(new Error(secret), { code: 'ECONNREFUSED', detail: secret, ...more });

const warnings: { message: string; code: string; detail: string }[] = [];

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production');
  warnings.length = 0;
  vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    warnings.push({ message, ...(options as object) } as never);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const hidden = (status: number, error: string, more: object = {}): object => ({
  statusCode: status,
  error,
  message: error,
  requestId: 'req-1',
  ...more,
});
const hiddenProblem = (status: number, title: string, more: object = {}): object => ({
  type: 'about:blank',
  title,
  status,
  instance: '#req-1',
  ...more,
});

/** Every way in which a request can fail with a server error. */
const ways: Record<string, (app: Context) => unknown> = {
  'a handler that throws': (app) =>
    app.get('/', () => {
      throw refused();
    }),
  'a handler that rejects': (app) => app.get('/', () => Promise.reject(refused())),
  'an error that is sent': (app) => app.get('/', (_request, reply) => reply.send(refused())),
  'an error that is sent after reply.code': (app) =>
    app.get('/', (_request, reply) => reply.code(500).send(refused())),
  'a text that is thrown': (app) =>
    app.get('/', () => {
      throw secret;
    }),
  'an object that is thrown': (app) =>
    app.get('/', () => {
      throw { message: secret, password: secret };
    }),
  'an object with enumerable fields only': (app) =>
    app.get('/', () => Promise.reject(Object.assign(Object.create(null), { password: secret }))),
  'an array that is thrown': (app) => app.get('/', () => Promise.reject([secret])),
  'null that is thrown': (app) => app.get('/', () => Promise.reject(null)),
  'an onRequest hook': (app) =>
    app.get('/', { onRequest: (_request, _reply, done) => done(refused()) }, () => ''),
  'an onSend hook': (app) => app.get('/', { onSend: async () => Promise.reject(refused()) }, () => ''),
  'a stream that fails before its first byte': (app) =>
    app.get(
      '/',
      () =>
        new Readable({
          read() {
            this.destroy(refused());
          },
        }),
    ),
  'a payload whose toJSON throws': (app) =>
    app.get('/', () => ({
      toJSON() {
        throw refused();
      },
    })),
  'a getter of a payload with a response schema': (app) =>
    app.get(
      '/',
      { schema: { response: { 200: { type: 'object', properties: { a: { type: 'string' } } } } } },
      () =>
        ({
          get a(): string {
            throw refused();
          },
        }) as never,
    ),
  'an error handler that throws': (app) => {
    app.setErrorHandler(() => {
      throw refused();
    });
    app.get('/', () => Promise.reject(new Error('first')));
  },
  'an error handler that calls the default one': (app) => {
    app.setErrorHandler((error, request, reply) => void fallback(error as never, request, reply));
    const fallback = ambit().errorHandler as (...values: unknown[]) => unknown;
    app.get('/', () => Promise.reject(refused()));
  },
  'the package http-errors, which marks server errors as not for clients': (app) =>
    app.get('/', () => Promise.reject(refused({ expose: false, statusCode: 500 }))),
  'a validator that throws': (app) =>
    app.get(
      '/',
      {
        schema: { querystring: { type: 'object' } },
        validatorCompiler: () => () => {
          throw refused();
        },
      },
      () => '',
    ),
  'a hook of a context': (app) =>
    app.addHook('preHandler', () => Promise.reject(refused())).get('/', () => ''),
};

for (const [way, add] of Object.entries(ways)) {
  test(`in production, ${way} tells the client the status and the id of the request`, async () => {
    const app = ambit();
    add(app);
    const response = await app.inject('/');
    expect(response.body).not.toContain('hunter2');
    expect([response.statusCode, response.json()]).toEqual([500, hidden(500, 'Internal Server Error')]);
  });

  test(`in production, ${way} tells the client no more in a problem`, async () => {
    const app = ambit({ errors: 'problem' });
    add(app);
    const response = await app.inject('/');
    expect([response.statusCode, response.json()]).toEqual([
      500,
      hiddenProblem(500, 'Internal Server Error'),
    ]);
  });
}

for (const { name, options, ask } of transports) {
  test(`in production, the message is hidden over ${name}`, async () => {
    const app = ambit({ ...options } as AmbitOptions);
    app.get('/', () => Promise.reject(refused()));
    const answer = await ask(app);
    expect(answer.status).toBe(500);
    expect(JSON.parse(await textOf(answer))).toEqual(hidden(500, 'Internal Server Error'));
    await app.close();
  });
}

test('in production, a status of 500 or more that reply.code has set hides the message', async () => {
  const app = ambit();
  app.get('/', (_request, reply) => {
    reply.code(503);
    throw refused();
  });
  expect((await app.inject('/')).json()).toEqual(hidden(503, 'Service Unavailable'));
});

test('the id is that of the request in the log, and absent if the request has none', async () => {
  const app = ambit({ genReqId: () => 'abc-7' });
  app.get('/', () => Promise.reject(refused()));
  expect((await app.inject('/')).json()).toMatchObject({ requestId: 'abc-7' });
  const nameless = ambit({
    genReqId: () => {
      throw refused();
    },
  });
  nameless.get('/', () => '');
  expect((await nameless.inject('/')).json()).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'Internal Server Error',
  });
});

describe('in production, the client reads', () => {
  const Overloaded = defineProblem({ type: '/problems/overloaded', title: 'Overloaded', status: 503 });

  test.each([
    ['an error of defineProblem', () => new Overloaded('back at 9'), 503, 'back at 9', undefined],
    [
      'an error of the catalogue',
      () => new errors.UploadRemoved(),
      500,
      new errors.UploadRemoved().message,
      'AMBIT_ERR_UPLOAD_REMOVED',
    ],
    ['an error with `expose`', () => refused({ statusCode: 502, expose: true }), 502, secret, 'ECONNREFUSED'],
    ['an error with a status below 500', () => refused({ statusCode: 499 }), 499, secret, 'ECONNREFUSED'],
  ])('%s', async (_what, make, statusCode, message, code) => {
    const app = ambit();
    app.get('/', () => Promise.reject(make()));
    const body = (await app.inject('/')).json<{ error: string }>();
    expect(body).toEqual({ statusCode, message, error: body.error, ...(code !== undefined && { code }) });
    const problem = ambit({ errors: 'problem' });
    problem.get('/', () => Promise.reject(make()));
    expect((await problem.inject('/')).json()).toMatchObject({ status: statusCode, detail: message });
  });

  test('the error of a time limit', async () => {
    const app = ambit({ handlerTimeout: 10 });
    app.get('/', () => new Promise(() => {}));
    expect((await app.inject('/')).json()).toMatchObject({
      code: 'FST_ERR_HANDLER_TIMEOUT',
      message: "Request timed out after 10 ms on route '/'",
    });
  });

  test('only the code of an error of the catalogue that quotes another error', async () => {
    const app = ambit();
    const item = { type: 'object', properties: { a: { type: 'string' } } };
    const response = { 200: { content: { 'application/x-ndjson': { itemSchema: item } } } };
    app.get('/', { schema: { response } }, async function* () {
      yield {
        get a(): string {
          throw refused();
        },
      };
    });
    expect((await app.inject('/')).json()).toEqual(
      hidden(500, 'Internal Server Error', { code: 'AMBIT_ERR_ITEM_INVALID' }),
    );
  });

  test('no message of an error with `expose: false`, whatever its status is', async () => {
    const app = ambit();
    app.get('/', () => Promise.reject(refused({ statusCode: 403, expose: false })));
    expect((await app.inject('/')).json()).toEqual(hidden(403, 'Forbidden'));
  });

  test('what an error handler of the application sends', async () => {
    const app = ambit();
    app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ told: error.message }));
    app.get('/', () => Promise.reject(new Error('by choice')));
    expect((await app.inject('/')).json()).toEqual({ told: 'by choice' });
  });

  test('no message in the event of a stream that fails after its head', async () => {
    const app = ambit();
    const response = { 200: { content: { 'text/event-stream': { itemSchema: { type: 'object' } } } } };
    app.get('/', { schema: { response } }, async function* () {
      yield { data: 1 };
      throw refused();
    });
    const { body } = await app.inject('/');
    expect(body).toContain('event: error');
    expect(body).toContain('"requestId":"req-1"');
    expect(body).not.toContain('hunter2');
  });
});

describe('in production, a response schema for the status', () => {
  async function answer(schema: object, error: unknown, status = 500): Promise<unknown> {
    const app = ambit();
    app.get('/', { schema: { response: { [status]: schema } } }, () => Promise.reject(error));
    return (await app.inject('/')).json();
  }
  const text = { type: 'string' };

  test('gets neither the message nor the code, but the id', async () => {
    const properties = { message: text, code: text, requestId: text };
    expect(await answer({ type: 'object', properties }, refused())).toEqual({
      message: 'Internal Server Error',
      requestId: 'req-1',
    });
  });

  test.each(['json', 'problem'] as const)(
    'gets no other field of the error, with errors: %s',
    async (format) => {
      const names = ['stack', 'cause', 'detail', 'address', 'query', 'validation', 'message', 'title'];
      const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
      const fields = {
        address: secret,
        query: secret,
        cause: refused(),
        validation: [secret],
        detail: secret,
      };
      const problem = { title: 'Internal Server Error' };
      for (const more of [{}, { statusCode: 409, expose: false }]) {
        const app = ambit({ errors: format });
        app.get('/', { schema: { response: { '4xx': schema, 500: schema } } }, () =>
          Promise.reject(refused({ ...fields, ...more })),
        );
        const { body } = await app.inject('/');
        expect(body).not.toContain('hunter2');
        if (format === 'problem' && !('expose' in more)) expect(JSON.parse(body)).toMatchObject(problem);
      }
    },
  );

  test.each([
    ['is empty', {}],
    ['is open', { type: 'object', additionalProperties: true }],
  ])('that %s gets the members of the default response', async (_what, schema) => {
    expect(await answer(schema, refused())).toEqual(hidden(500, 'Internal Server Error'));
    expect(await answer(schema, { statusCode: 403, message: 'no', password: 'x' }, 403)).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'no',
    });
  });
});

describe('in production, the detail of a hidden error', () => {
  const logged = (options: AmbitOptions = {}): [Context, LogLines] => {
    const lines = new LogLines();
    return [ambit({ logger: { stream: lines }, ...options }), lines];
  };

  test.each([
    ['of a handler', (app: Context) => app.get('/', () => Promise.reject(refused()))],
    [
      'of the hook that fails after an error',
      (app: Context) =>
        app.get(
          '/',
          {
            onSend: async (_request, reply) =>
              Promise.reject(reply.statusCode === 200 ? new Error('first') : refused()),
          },
          () => '',
        ),
    ],
  ])('%s goes to the log, once', async (_what, add) => {
    const [app, lines] = logged();
    add(app);
    const { requestId } = (await app.inject('/')).json<{ requestId: string }>();
    expect(lines.lines.filter(({ err }) => err?.message === secret)).toEqual([
      expect.objectContaining({ level: 50, reqId: requestId, msg: secret }),
    ]);
    expect(warnings).toEqual([]);
  });

  test('goes to the log also if requests are not logged', async () => {
    const [app, lines] = logged({ disableRequestLogging: true });
    app.get('/', () => Promise.reject(refused()));
    await app.inject('/');
    expect(lines.messages).toEqual([secret]);
  });

  test('goes to stderr once if there is no logger, with the route and a hint', async () => {
    const app = ambit();
    app.get('/users/:id', () => Promise.reject(refused()));
    await app.inject('/users/1');
    await app.inject('/users/2');
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'AMBWRN009',
        message: expect.stringMatching(/GET \/users\/:id .*`logger`/),
        detail: expect.stringContaining(secret),
      }),
    ]);
  });

  test('that cannot be read does not fail the response', async () => {
    const app = ambit();
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw refused();
        },
        has: () => {
          throw refused();
        },
      },
    );
    app.get('/', () => Promise.reject(hostile));
    expect((await app.inject('/')).json()).toEqual(hidden(500, 'Internal Server Error'));
  });
});

for (const environment of ['development', 'test', '']) {
  describe(`with NODE_ENV '${environment}'`, () => {
    beforeEach(() => void vi.stubEnv('NODE_ENV', environment));

    test('the client gets the error in full, and nothing goes to stderr', async () => {
      const app = ambit();
      app.get('/', () => Promise.reject(refused()));
      expect((await app.inject('/')).json()).toEqual({
        statusCode: 500,
        code: 'ECONNREFUSED',
        error: 'Internal Server Error',
        message: secret,
      });
      const problem = ambit({ errors: 'problem' });
      problem.get('/', () => Promise.reject(refused()));
      expect((await problem.inject('/')).json()).toEqual(
        hiddenProblem(500, 'Internal Server Error', { detail: secret, code: 'ECONNREFUSED' }),
      );
      expect(warnings).toEqual([]);
    });

    test.each([
      [
        'an object',
        { message: 'no', statusCode: 403, password: 'x' },
        { statusCode: 403, error: 'Forbidden', message: 'no' },
      ],
      [
        'an object with a code',
        { code: 'E1', status: 409, stack: 'x' },
        { statusCode: 409, code: 'E1', error: 'Conflict' },
      ],
      ['a text', 'no', { statusCode: 500, error: 'Internal Server Error', message: 'no' }],
      ['a number', 5, { statusCode: 500, error: 'Internal Server Error' }],
      ['an array', ['x'], { statusCode: 500, error: 'Internal Server Error' }],
      [
        'an instance',
        new (class {
          message = 'no';
          password = 'x';
        })(),
        { statusCode: 500, error: 'Internal Server Error', message: 'no' },
      ],
    ])('%s that is thrown sends no other members than those of an error', async (_what, thrown, body) => {
      const app = ambit();
      app.get('/', () => {
        throw thrown;
      });
      app.get('/async', () => Promise.reject(thrown));
      expect((await app.inject('/')).json()).toEqual(body);
      expect((await app.inject('/async')).json()).toEqual(body);
    });
  });
}

describe('on the facade, in production', () => {
  test('the message of an error is sent, as in Fastify', async () => {
    const app = fastify();
    app.get('/', () => Promise.reject(refused()));
    expect((await app.inject('/')).json()).toEqual({
      statusCode: 500,
      code: 'ECONNREFUSED',
      error: 'Internal Server Error',
      message: secret,
    });
  });

  test('a value that is thrown is the payload, as in Fastify', async () => {
    const app = fastify();
    app.get('/', () => Promise.reject({ message: 'no', password: 'x' }));
    expect((await app.inject('/')).json()).toEqual({ message: 'no', password: 'x' });
  });

  test('a problem hides it', async () => {
    const app = fastify({ errors: 'problem' } as AmbitOptions);
    app.get('/', () => Promise.reject(refused()));
    expect((await app.inject('/')).json()).toEqual(hiddenProblem(500, 'Internal Server Error'));
  });
});
