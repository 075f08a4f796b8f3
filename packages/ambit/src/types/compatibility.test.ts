// The names and messages of errors and warnings: Ambit's on `ambit`, Fastify's on the facade. Codes are the same.
import { errorCodes, fastify } from '@ambit/fastify';
import {
  type AmbitOptions,
  ambit,
  type CodedError,
  type Context,
  errors,
  hoist,
  type Reply,
  type Request,
} from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LogLines } from '../../test/support/log-lines.ts';

afterEach(() => void vi.restoreAllMocks());

const onAmbit = (options?: AmbitOptions): Context => ambit(options) as Context;
const onFacade = (options?: AmbitOptions): Context => fastify(options as never) as unknown as Context;

/** Functions that each make one application warn once. */
const warnings: { what: string; run: (make: typeof onAmbit) => unknown; kind: string }[] = [
  {
    what: 'the warning of a schema that is undefined',
    run: (make) =>
      make()
        .put('/', { schema: { querystring: undefined } as never }, () => '')
        .ready(),
    kind: 'Warning',
  },
  {
    what: 'the warning of a second error handler',
    run: (make) =>
      make()
        .setErrorHandler(() => {})
        .setErrorHandler(() => {}),
    kind: 'Warning',
  },
  {
    what: 'the warning of an option of the router at the top level',
    run: (make) => make({ caseSensitive: false } as never),
    kind: 'Warning',
  },
  {
    what: 'the warning of an async callback of listen',
    run: async (make) => {
      const app = make();
      await new Promise<void>((resolve) => void app.listen({ port: 0 }, async () => resolve()));
      await app.close();
    },
    kind: 'Warning',
  },
  {
    what: 'the warning of a loose pattern of media types',
    run: (make) => make().addContentTypeParser(/json/, (_request, _body, done) => done(null)),
    kind: 'Security',
  },
  {
    what: 'the warning of an old option of logs',
    run: (make) => make({ disableRequestLogging: true }),
    kind: 'Deprecation',
  },
  {
    what: 'the warning of a method that is there',
    run: (make) => make().addHttpMethod('GET'),
    kind: 'Deprecation',
  },
];

const flavors = [
  { flavor: 'ambit', make: onAmbit, name: 'AmbitError', warning: 'Ambit' },
  { flavor: 'the facade', make: onFacade, name: 'FastifyError', warning: 'Fastify' },
] as const;

/** Functions that each fail with an error that both flavors have, with a message of their own. */
const failures: {
  what: string;
  run: (make: typeof onAmbit) => Promise<unknown> | unknown;
  texts: [string, string];
}[] = [
  {
    what: 'an option of the factory',
    run: (make) => make({ bodyLimit: -1 }),
    texts: [
      "'bodyLimit' option must be an integer > 0. Got '-1'",
      "'bodyLimit' option must be an integer > 0. Got '-1'",
    ],
  },
  {
    what: 'a declaration',
    run: (make) => make().get('/', undefined as never),
    texts: ['Missing handler function for "GET:/" route.', 'Missing handler function for "GET:/" route.'],
  },
  {
    what: 'a setter',
    run: (make) => make().setErrorHandler('none' as never),
    texts: ['Error Handler must be a function', 'Error Handler must be a function'],
  },
  {
    what: 'a route after boot',
    run: async (make) => (await make().ready()).get('/', () => 'late'),
    texts: [
      'The application has already started. Cannot add route!',
      'Fastify instance is already listening. Cannot add route!',
    ],
  },
  {
    what: 'a hook after boot',
    run: async (make) => (await make().ready()).addHook('onRequest', async () => {}),
    texts: [
      'The application has already started. Cannot call "addHook"!',
      'Fastify instance is already listening. Cannot call "addHook"!',
    ],
  },
  {
    what: 'a parser after boot',
    run: async (make) => (await make().ready()).removeAllContentTypeParsers(),
    texts: [
      'Cannot call "removeAllContentTypeParsers" when the application has already started!',
      'Cannot call "removeAllContentTypeParsers" when fastify instance is already started!',
    ],
  },
  {
    what: 'a plugin after boot',
    run: async (make) => (await make().ready()).register(async () => {}),
    texts: ['Root plugin has already booted', 'fastify-plugin: Root plugin has already booted'],
  },
  {
    what: 'something that is no plugin',
    run: (make) => make().register('plugin' as never),
    texts: [
      "Plugin must be a function or a promise. Received: 'string'",
      "fastify-plugin: Plugin must be a function or a promise. Received: 'string'",
    ],
  },
  {
    what: 'a plugin that never ends',
    run: (make) =>
      make({ pluginTimeout: 20 })
        .register(function stuck(_context, _options, _done) {})
        .ready(),
    texts: [
      "Plugin did not start in time: 'stuck'. You may have forgotten to call 'done' function or to resolve a Promise",
      "fastify-plugin: Plugin did not start in time: 'stuck'. You may have forgotten to call 'done' function or to resolve a Promise",
    ],
  },
  {
    what: 'a plugin for another version',
    run: (make) =>
      make()
        .register(hoist(async () => {}, { name: 'users', fastify: '2.x' }))
        .ready(),
    texts: [
      "the plugin 'users' requires version '2.x' of the Fastify API, but this is '5.12.8'",
      "fastify-plugin: users - expected '2.x' fastify version, '5.12.8' is installed",
    ],
  },
  {
    what: 'a decorator of the context that a plugin needs',
    run: (make) =>
      make()
        .register(hoist(async () => {}, { name: 'users', decorators: { fastify: ['db'] } }))
        .ready(),
    texts: [
      "The decorator 'db' required by 'users' is not present in Context",
      "The decorator 'db' required by 'users' is not present in Fastify",
    ],
  },
  {
    what: 'a decorator of replies that a plugin needs',
    run: (make) =>
      make()
        .register(hoist(async () => {}, { name: 'users', decorators: { reply: ['db'] } }))
        .ready(),
    texts: [
      "The decorator 'db' required by 'users' is not present in Reply",
      "The decorator 'db' required by 'users' is not present in Reply",
    ],
  },
  {
    what: 'a schema that does not compile',
    run: (make) =>
      make()
        .get('/', { schema: { querystring: { $ref: 'none#' } } }, () => '')
        .ready(),
    texts: [
      expect.stringContaining('Failed building the validation schema for GET: /'),
      expect.stringContaining('Failed building the validation schema for GET: /'),
    ],
  },
  {
    what: 'an onReady hook that never ends',
    run: (make) =>
      make({ pluginTimeout: 20 })
        .addHook('onReady', (_done) => {})
        .ready(),
    texts: [
      expect.stringContaining("A callback for 'onReady' hook timed out"),
      expect.stringContaining("A callback for 'onReady' hook timed out"),
    ],
  },
  {
    what: 'listening twice',
    run: async (make) => {
      const app = make();
      await app.listen({ port: 0 });
      await app.listen({ port: 0 }).finally(() => app.close());
    },
    texts: ['The application is already listening', 'Fastify is already listening'],
  },
  {
    what: 'a request after close',
    run: async (make) => {
      const app = make();
      await app.close();
      await app.inject('/');
    },
    texts: [
      'The application has already been closed and cannot be reopened',
      'Fastify has already been closed and cannot be reopened',
    ],
  },
];

async function failureOf(run: () => unknown): Promise<CodedError> {
  try {
    await run();
  } catch (error) {
    return error as CodedError;
  }
  throw new Error('nothing failed');
}

for (const [index, { flavor, make, name, warning }] of flavors.entries()) {
  describe(`on ${flavor}`, () => {
    for (const { what, run, texts } of failures) {
      test(`an error of ${what} has the name and the message of the flavor`, async () => {
        const error = await failureOf(() => run(make));
        expect(error).toMatchObject({ name, message: texts[index] });
        expect(error.constructor.name).toBe(name);
        expect(error.code).toMatch(/^FST_ERR_/);
        expect(error).toBeInstanceOf(errorCodes[error.code as 'FST_ERR_NOT_FOUND']);
        expect(error.stack).toContain(error.code);
        expect(error.where).toBeDefined();
      });
    }

    test('an error that Fastify does not have is an AmbitError', async () => {
      const app = make();
      app.setNotFoundHandler(() => 'none');
      const error = await failureOf(() => app.setNotFoundHandler(() => 'none'));
      expect(error).toMatchObject({ name: 'AmbitError', code: 'AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET' });
    });

    test(`an onError hook and the log get a ${name}`, async () => {
      const stream = new LogLines();
      const app = make({ logger: { stream } });
      const seen: string[] = [];
      app.post('/', () => 'in');
      app.addHook('onError', async (_request, _reply, error) => void seen.push(error.name));
      const headers = { 'content-type': 'application/json' };
      const reply = await app.inject({ method: 'POST', url: '/', payload: '{', headers });
      expect(reply.json()).toMatchObject({ code: 'FST_ERR_CTP_INVALID_JSON_BODY' });
      expect(seen).toEqual([name]);
      expect(stream.lines.flatMap(({ err }) => err?.type ?? [])).toEqual([name]);
    });

    test(`a second reply is logged as a ${name}`, async () => {
      const stream = new LogLines();
      const app = make({ logger: { stream } });
      app.get('/', (_request, reply) => reply.send('first').send('second'));
      await app.inject('/');
      expect(stream.lines.flatMap(({ err }) => err?.type ?? [])).toEqual([name]);
    });

    test(`request.validationError is a ${name}`, async () => {
      const app = make({
        schemaErrorFormatter: () =>
          new (errors.ValidationFailed as never as new (text: string) => Error)('refused'),
      });
      const schema = { querystring: { type: 'object', required: ['page'] } };
      app.get('/', { schema, attachValidation: true }, (request) => String(request.validationError?.name));
      expect((await app.inject('/')).body).toBe(name);
    });

    test(`frameworkErrors gets a ${name}`, async () => {
      const app = make({
        frameworkErrors: (error, _request, reply) => {
          reply.send((error as Error).name);
        },
      });
      expect((await app.inject('/%')).body).toBe(name);
    });

    for (const [what, call] of [
      ['reply.code', (_request: Request, reply: Reply) => reply.code(0)],
      ['reply.trailer', (_request: Request, reply: Reply) => reply.trailer('content-length', null as never)],
      ['reply.serializeInput', (_request: Request, reply: Reply) => reply.serializeInput({}, '200')],
      ['reply.getDecorator', (_request: Request, reply: Reply) => reply.getDecorator('none')],
      ['request.getDecorator', (request: Request) => request.getDecorator('none')],
      ['request.setDecorator', (request: Request) => request.setDecorator('none', 1)],
      ['request.validateInput', (request: Request) => request.validateInput({}, 'body')],
    ] as const) {
      test(`an error that ${what} throws is a ${name}`, async () => {
        const app = make();
        app.get('/', async (request, reply) => (await failureOf(() => call(request, reply))).name);
        expect((await app.inject('/')).body).toBe(name);
      });
    }

    for (const { what, run, kind } of warnings) {
      test(`${what} is an ${warning}${kind}`, async () => {
        const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
        await run(make);
        expect(emitWarning.mock.calls.map(([, options]) => (options as { type: string }).type)).toEqual([
          `${warning}${kind}`,
        ]);
      });
    }
  });
}

test('no message of ambit mentions Fastify, except those about its API', () => {
  const texts = Object.values(errors).map(
    (ErrorClass) =>
      new (ErrorClass as never as new (...args: unknown[]) => Error)('a', 'b', 'Request').message,
  );
  expect(texts.filter((text) => /fastify/i.test(text))).toEqual([
    expect.stringContaining('of the Fastify API'),
    expect.stringContaining('such as @fastify/express'),
  ]);
});

test('an error of either flavor is an instance of the class of the other', () => {
  expect(new errors.AlreadyListening()).toBeInstanceOf(errorCodes.FST_ERR_REOPENED_SERVER);
  expect(new (errorCodes.FST_ERR_REOPENED_SERVER as never as new () => Error)()).toBeInstanceOf(
    errors.AlreadyListening,
  );
});

test('the facade creates errors of its catalogue with the messages of Fastify', () => {
  const AlreadyStarted = errorCodes.FST_ERR_INSTANCE_ALREADY_LISTENING as never as new (
    call: string,
  ) => Error;
  expect(new AlreadyStarted('Too late')).toMatchObject({
    name: 'FastifyError',
    message: 'Fastify instance is already listening. Too late',
  });
});
