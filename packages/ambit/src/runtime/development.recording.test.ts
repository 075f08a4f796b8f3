/** When requests are recorded for the page of an error: only those that may get it. */
import { createRequire } from 'node:module';
import { fastify } from '@ambit/fastify';
import { type AmbitOptions, ambit } from 'ambit';
import { afterEach, expect, test, vi } from 'vitest';
import { closeAfterTest } from '../../test/support/serve.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

// The module that the framework loads.
const { RequestRecord } = createRequire(import.meta.url)(
  '@ambit/readable',
) as typeof import('@ambit/readable');

const logger = { stream: { write: () => {} } };
const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Returns the names of the steps that are recorded of a request. */
async function stepsOf(
  environment: string,
  options: AmbitOptions,
  request: object,
  create = ambit,
): Promise<string[]> {
  const begin = vi.spyOn(RequestRecord.prototype, 'begin');
  vi.stubEnv('NODE_ENV', environment);
  const app = create(options);
  closeAfterTest(app);
  app.get('/', () => Promise.reject(new Error('it failed')));
  await app.inject({ url: '/', headers: navigation, ...request });
  return begin.mock.calls.map(([step]) => (step as { name: string }).name);
}

test.each([
  ['in production', 'production', { logger }, {}],
  ['in tests', 'test', { logger }, {}],
  ['with errorPage: false', 'development', { logger, errorPage: false }, {}],
  ['of a program', 'development', { logger }, { headers: {} }],
  [
    'of a script in a page',
    'development',
    { logger },
    { headers: { ...navigation, 'sec-fetch-mode': 'cors' } },
  ],
  ['of another machine', 'development', { logger }, { remoteAddress: '192.0.2.7' }],
])('a request %s is not recorded', async (_which, environment, options, request) => {
  expect(await stepsOf(environment, options, request)).toEqual([]);
});

test('a request of the facade is not recorded', async () => {
  expect(await stepsOf('development', { logger }, {}, fastify as never)).toEqual([]);
});

test.each([{}, { logger }])(
  'a navigation on this machine is recorded, with and without a logger',
  async (options) => {
    expect(await stepsOf('development', options, {})).toEqual([
      'handler',
      'errorHandler',
      'defaultErrorReply',
      'write',
    ]);
  },
);
