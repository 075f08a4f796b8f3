// Options of the factory: their defaults, and those that are refused.
import { ambit } from 'ambit';
import { expect, test } from 'vitest';

const here = expect.stringContaining('options.test.ts');

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
] as const) {
  test(`options ${what} are refused, naming the caller`, () => {
    expect(() => ambit(options as never)).toThrow(
      expect.objectContaining({ code, where: { plugin: 'ambit', file: here } }),
    );
  });
}

test('an unknown option is answered with the name that it may have meant', () => {
  expect(() => ambit({ bodyLimt: 5 } as never)).toThrow(
    "unknown option 'bodyLimt' of the factory; did you mean 'bodyLimit'?",
  );
});

test('the smallest body limit is 1, and pluginTimeout may be 0', () => {
  expect(ambit({ bodyLimit: 1, pluginTimeout: 0 }).initialConfig).toMatchObject({
    bodyLimit: 1,
    pluginTimeout: 0,
  });
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
