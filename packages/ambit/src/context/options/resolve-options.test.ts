// Options of the factory: their defaults, and those that are refused.
import { ambit, hoist } from 'ambit';
import { expect, test } from 'vitest';

const here = expect.stringContaining('resolve-options.test.ts');

for (const [what, options, code] of [
  ['that are no object', 'options', 'FST_ERR_OPTIONS_NOT_OBJ'],
  ['with an unknown name', { bodyLimt: 5 }, 'AMBIT_ERR_UNKNOWN_OPTION'],
  ['with an unknown router option', { routerOptions: { maxParamLenght: 5 } }, 'AMBIT_ERR_UNKNOWN_OPTION'],
  ['with a bodyLimit of 0', { bodyLimit: 0 }, 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT'],
  ['with a bodyLimit of 1.5', { bodyLimit: 1.5 }, 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT'],
  ['with a pluginTimeout that is text', { pluginTimeout: 'long' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with a pluginTimeout of -1', { pluginTimeout: -1 }, 'FST_ERR_INIT_OPTS_INVALID'],
  [
    'with an onProtoPoisoning that does not exist',
    { onProtoPoisoning: 'allow' },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  [
    'with a querystringParser that is no function',
    { routerOptions: { querystringParser: 'qs' } },
    'FST_ERR_QSP_NOT_FN',
  ],
  [
    'with a schema bucket that is no function',
    { schemaController: { bucket: {} } },
    'FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN',
  ],
  [
    'with an async formatter',
    { schemaErrorFormatter: async () => new Error('late') },
    'FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN',
  ],
  ['with an unknown option of ajv', { ajv: { customOption: {} } }, 'AMBIT_ERR_UNKNOWN_OPTION'],
  ['with an ajv that is text', { ajv: 'strict' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with an onCreate of ajv that is text', { ajv: { onCreate: 'x' } }, 'FST_ERR_INIT_OPTS_INVALID'],
  [
    'with an unknown option of schemaController',
    { schemaController: { buckt: () => ({}) } },
    'AMBIT_ERR_UNKNOWN_OPTION',
  ],
  [
    'with an unknown compiler factory',
    { schemaController: { compilersFactory: { buildValidators: () => () => true } } },
    'AMBIT_ERR_UNKNOWN_OPTION',
  ],
  [
    'with a compiler factory that is no function',
    { schemaController: { compilersFactory: { buildSerializer: 'x' } } },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  [
    'with a handler for bad URLs that is text',
    { routerOptions: { onBadUrl: 'x' } },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  [
    'with a constraint strategy that is empty',
    { routerOptions: { constraints: { tenant: {} } } },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  ['with a trustProxy that is no address', { trustProxy: 'nonsense' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with a log level that does not exist', { logger: { level: 'loud' } }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with an http that is text', { http: 'x' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with an https that is text', { https: 'x' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with an http2 that is text', { http2: 'x' }, 'FST_ERR_INIT_OPTS_INVALID'],
  [
    'with a forceCloseConnections that does not exist',
    { forceCloseConnections: 'idel' },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  ['with a forceCloseConnections that is null', { forceCloseConnections: null }, 'FST_ERR_INIT_OPTS_INVALID'],
  [
    'with a maxParamLength that is no number',
    { routerOptions: { maxParamLength: 'long' } },
    'FST_ERR_INIT_OPTS_INVALID',
  ],
  ['with routerOptions that are text', { routerOptions: 'x' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with a logTraceContext that is text', { logTraceContext: 'traceparent' }, 'FST_ERR_INIT_OPTS_INVALID'],
  ['with a requestIdHeader that is a number', { requestIdHeader: 5 }, 'FST_ERR_INIT_OPTS_INVALID'],
] as const) {
  test(`options ${what} are refused, naming the caller`, () => {
    expect(() => ambit(options as never)).toThrow(
      expect.objectContaining({ code, where: { plugin: 'ambit', file: here } }),
    );
  });
}

test('the error for an unknown option names the most similar option', () => {
  expect(() => ambit({ bodyLimt: 5 } as never)).toThrow(
    "unknown option 'bodyLimt' of the factory; did you mean 'bodyLimit'?",
  );
});

const functionOptions = [
  'genReqId',
  'rewriteUrl',
  'childLoggerFactory',
  'frameworkErrors',
  'clientErrorHandler',
  'serverFactory',
] as const;

for (const name of functionOptions) {
  test(`${name} must be a function`, () => {
    expect(() => ambit({ [name]: 'x' })).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_INIT_OPTS_INVALID',
        message: `Invalid initialization options: '${name} must be function, instead got string'`,
        where: { plugin: 'ambit', file: here },
      }),
    );
  });

  for (const nothing of [undefined, null, false]) {
    test(`${name} may be ${nothing}, which means that it is not set`, async () => {
      const app = ambit({ [name]: nothing });
      app.get('/', () => 'served');
      expect((await app.inject('/')).body).toBe('served');
    });
  }
}

test('the error of a library about an option is the cause of our error', () => {
  expect(() => ambit({ trustProxy: 'nonsense' })).toThrow(
    expect.objectContaining({
      message: "Invalid initialization options: 'trustProxy: invalid IP address: nonsense'",
      cause: expect.objectContaining({ message: 'invalid IP address: nonsense' }),
    }),
  );
});

test('ajv may have options of its own where another engine validates', () => {
  const buildValidator = () => () => () => true;
  const ajv = { dialect: 'mine' } as never;
  expect(() => ambit({ ajv, schemaController: { compilersFactory: { buildValidator } } })).not.toThrow();
});

test('a schemaController may have null for what it does not replace', async () => {
  const nothings = { bucket: null, compilersFactory: { buildValidator: null, buildSerializer: null } };
  const app = ambit({ schemaController: nothings as never });
  app.setSchemaController(nothings as never);
  app.get('/', { schema: { querystring: { page: { type: 'integer' } } } }, () => 'served');
  expect((await app.inject('/?page=one')).statusCode).toBe(400);
});

// -------------------------------------------------------------------------------------------------- setters of contexts

for (const setter of [
  'setGenReqId',
  'setChildLoggerFactory',
  'setValidatorCompiler',
  'setSerializerCompiler',
  'setReplySerializer',
] as const) {
  test(`${setter} takes a function, and nothing else`, () => {
    expect(() => ambit()[setter]('x' as never)).toThrow(
      expect.objectContaining({
        code: 'AMBIT_ERR_OPTION_INVALID',
        message: `${setter}: requires a function, instead got string`,
        where: { plugin: 'ambit', file: here },
      }),
    );
  });
}

for (const setter of ['setGenReqId', 'setReplySerializer'] as const) {
  test(`${setter} with null goes back to the default`, async () => {
    const app = ambit();
    app[setter](() => 'set');
    app[setter](null as never);
    app.get('/', ({ id }) => ({ id }));
    expect((await app.inject('/')).json()).toEqual({ id: 'req-1' });
  });
}

for (const [what, options, code] of [
  ['text', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['an unknown option', { buckt: () => ({}) }, 'AMBIT_ERR_UNKNOWN_OPTION'],
  ['a bucket that is no function', { bucket: 'x' }, 'FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN'],
] as const) {
  test(`setSchemaController refuses ${what}`, () => {
    expect(() => ambit().setSchemaController(options as never)).toThrow(
      expect.objectContaining({ code, where: { plugin: 'ambit', file: here } }),
    );
  });
}

for (const [what, args, code] of [
  ['text', ['x'], 'AMBIT_ERR_OPTION_INVALID'],
  ['a handler that is text', [{}, 'x'], 'AMBIT_ERR_OPTION_INVALID'],
  ['a hook that is text', [{ preHandler: 'x' }, () => 'none'], 'FST_ERR_HOOK_INVALID_HANDLER'],
  ['a misspelt hook', [{ preHandlr: () => {} }, () => 'none'], 'AMBIT_ERR_UNKNOWN_OPTION'],
] as const) {
  test(`setNotFoundHandler refuses ${what}`, () => {
    const app = ambit();
    expect(() => app.setNotFoundHandler(...(args as unknown as [never, never]))).toThrow(
      expect.objectContaining({ code, where: { plugin: 'ambit', file: here } }),
    );
  });
}

test('setNotFoundHandler takes null for no options, and null for no hook', async () => {
  const app = ambit();
  app.setNotFoundHandler(null as never, () => 'none');
  app.register(
    async (context) => {
      context.setNotFoundHandler({ preHandler: null } as never, () => 'none in the plugin');
    },
    { prefix: '/plugin' },
  );
  expect((await app.inject('/')).body).toBe('none');
  expect((await app.inject('/plugin/a')).body).toBe('none in the plugin');
});

// ------------------------------------------------------------------------------------------------- options of `register`

for (const [name, value] of [
  ['prefix', 3],
  ['logLevel', 30],
  ['logSerializers', 'x'],
] as const) {
  test(`register refuses the ${name} ${value}, naming the plugin`, async () => {
    const app = ambit();
    app.register(async function users() {}, { [name]: value } as never);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_OPTION_INVALID',
      where: { plugin: 'ambit > users', file: here },
    });
  });
}

test('a hoisted plugin may have a prefix of its own kind', async () => {
  const app = ambit();
  let seen: unknown;
  app.register(
    hoist(async (_context, options) => {
      seen = options;
    }),
    { prefix: ['a', 'b'] } as never,
  );
  await app.ready();
  expect(seen).toMatchObject({ prefix: ['a', 'b'] });
});

// -------------------------------------------------------------------------------------------------------- what is shown

test('the smallest body limit is 1, and pluginTimeout may be 0', () => {
  expect(ambit({ bodyLimit: 1, pluginTimeout: 0 }).initialConfig).toMatchObject({
    bodyLimit: 1,
    pluginTimeout: 0,
  });
});

test('number options may be text, as environment variables are', async () => {
  const app = ambit({ keepAliveTimeout: '8', routerOptions: { maxParamLength: '2' } } as never);
  expect(app.initialConfig).toMatchObject({ keepAliveTimeout: 8, maxParamLength: 2 });
  app.get('/:name', async () => 'ok');
  const answers = ['/ab', '/abc'].map((url) => app.inject(url));
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 414]);
});

test('initialConfig shows the defaults and is frozen', () => {
  const { initialConfig } = ambit();
  expect(initialConfig).toMatchObject({
    bodyLimit: 1_048_576,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    pluginTimeout: 10_000,
    maxParamLength: 100,
  });
  expect(Object.isFrozen(initialConfig)).toBe(true);
});

test('the server has the timeouts of the defaults', () => {
  const { server } = ambit();
  expect([server.requestTimeout, server.headersTimeout, server.keepAliveTimeout]).toEqual([
    300_000, 60_000, 72_000,
  ]);
});
