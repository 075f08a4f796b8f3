// What an error of boot suggests: the name that was probably meant, or the form of the value.
import { ambit, type Context, closeOnSignals } from 'ambit';
import { describe, expect, test, vi } from 'vitest';

type Declare = (app: Context) => unknown;

async function errorOf(run: Declare): Promise<Record<string, unknown>> {
  const app = ambit();
  try {
    await run(app);
    await app.ready();
  } catch (error) {
    return error as Record<string, unknown>;
  }
  return {};
}

const handler = (): string => 'x';
const respond = (status: string): Declare => {
  const schema = { response: { [status]: { type: 'string' } } };
  return (app) => app.get('/', { schema: schema as never, handler });
};
const strategy = { name: 'tenant', storage: () => new Map(), deriveConstraint: () => 'a', validate() {} };

const hints: Record<string, readonly [code: string, hint: string, declare: Declare]> = {
  'a log level': [
    'FST_ERR_INIT_OPTS_INVALID',
    "did you mean 'warn'?",
    () => ambit({ logger: { level: 'wran' } }),
  ],
  'a log level of the application': [
    'FST_ERR_INIT_OPTS_INVALID',
    "did you mean 'audit'?",
    () => ambit({ logger: { level: 'adit', customLevels: { audit: 35 } } }),
  ],
  'what to do with prototypes': [
    'FST_ERR_INIT_OPTS_INVALID',
    "did you mean 'ignore'?",
    () => ambit({ onProtoPoisoning: 'ignor' as never }),
  ],
  'a signal': [
    'AMBIT_ERR_CLOSE_OPTIONS_INVALID',
    "did you mean 'SIGTERM'?",
    (app) => closeOnSignals(app, { signals: ['SIGTREM' as never] }),
  ],
  'how to parse': [
    'FST_ERR_CTP_INVALID_PARSE_TYPE',
    "did you mean 'string'?",
    (app) => app.addContentTypeParser('text/csv', { parseAs: 'strng' as never }, handler as never),
  ],
  'a status': ['FST_ERR_SCH_SERIALIZATION_BUILD', "did you mean 'default'?", respond('defualt')],
  'a range of statuses': ['FST_ERR_SCH_SERIALIZATION_BUILD', "did you mean '2xx'?", respond('2x')],
  'a number that is no status': ['FST_ERR_SCH_SERIALIZATION_BUILD', "'600' is not a status", respond('600')],
  'a constraint': [
    'AMBIT_ERR_ROUTE_INVALID',
    "did you mean 'version'?",
    (app) => app.get('/', { constraints: { vresion: '1' } as never, handler }),
  ],
  'a constraint of the application': [
    'AMBIT_ERR_ROUTE_INVALID',
    "did you mean 'tenant'?",
    (app) => {
      app.addConstraintStrategy(strategy as never);
      app.get('/', { constraints: { tennant: '1' } as never, handler });
    },
  ],
  'a limit with a unit': [
    'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
    'give a number of bytes: 1_048_576 is 1 MiB',
    (app) => app.post('/', { bodyLimit: '1mb' as never, handler }),
  ],
  'the console as a logger': [
    'FST_ERR_LOG_INVALID_LOGGER',
    'for a logger of the framework, set `logger: true`; a logger of your own needs all of these functions',
    () => ambit({ logger: console as never }),
  ],
  'a port without its name': [
    'FST_ERR_LISTEN_OPTIONS_INVALID',
    'pass an object: { port: 8080 }',
    (app) => app.listen(8080 as never),
  ],
};

describe('the hint is about', () => {
  for (const [what, [code, hint, declare]] of Object.entries(hints)) {
    test(what, async () => {
      expect(await errorOf(declare)).toMatchObject({ code, hint });
    });
  }
});

test('in development, a second decorator names the line of the first', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  const { where } = await errorOf((app) => {
    app.decorateRequest('user', '');
    app.decorateRequest('user', '');
  });
  vi.unstubAllEnvs();
  const first = expect.stringMatching(/hints\.test\.ts:\d+:\d+$/);
  expect(where).toMatchObject({ first: { plugin: 'ambit', file: first } });
});
