/** A context that sets something after a plugin has loaded: the plugin goes on without it, and a warning says so in development. */
import { ambit, type Context, hoist } from 'ambit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { warningsOf } from '../../../fastify/test/support/warnings.ts';

const shown = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

async function users(context: Context): Promise<void> {
  context.post('/users', { schema: { body: shown } }, (request) => ({
    tenant: (request as { tenant?: string }).tenant ?? 'none',
  }));
}

const tooLate: Record<string, (context: Context) => void> = {
  'error handler': (context) => context.setErrorHandler((_error, _request, reply) => reply.code(409).send()),
  validatorCompiler: (context) => context.setValidatorCompiler(() => () => true),
  serializerCompiler: (context) => context.setSerializerCompiler(() => () => 'late'),
  replySerializer: (context) => context.setReplySerializer(() => 'late'),
  schemaErrorFormatter: (context) => context.setSchemaErrorFormatter(() => new Error('late')),
  errorFormat: (context) => context.setErrorFormat('problem'),
  childLoggerFactory: (context) => context.setChildLoggerFactory((logger) => logger),
  overload: (context) => context.setOverload(true),
  'parser for text/late': (context) => context.addContentTypeParser('text/late', async () => ({ a: 1 })),
  'removal of the parser for application/json': (context) =>
    context.removeContentTypeParser('application/json'),
  'removal of the parser for all': (context) => context.removeAllContentTypeParsers(),
  'request decorator tenant': (context) => context.decorateRequest('tenant', 'late'),
  'reply decorator tenant': (context) => context.decorateReply('tenant', 'late'),
};

const inTime: Record<string, (context: Context) => void> = {
  'a hook': (context) => context.addHook('onRequest', async () => {}),
  'a method of requests': (context) => context.decorateRequest('late', () => 1),
  'a getter of replies': (context) => context.decorateReply('late', { getter: () => 1 }),
  'a decorator of contexts': (context) => context.decorate('late', 1),
  'a shared schema': (context) => context.addSchema({ $id: 'late', type: 'string' }),
  'request ids': (context) => context.setGenReqId(() => 'late'),
  'a not-found handler': (context) => context.setNotFoundHandler(() => 'late'),
};

/** The warnings about late settings of an application that sets something after `users` has loaded. */
async function warn(set: (context: Context) => void): Promise<string[]> {
  const warnings = await warningsOf(async () => {
    const app = ambit();
    await app.register(users);
    set(app);
    await app.close();
  });
  return warnings.filter(({ code }) => code === 'AMBWRN010').map(({ message }) => message);
}

describe('what is set after a plugin has loaded', () => {
  test.each(Object.entries(tooLate))(
    '%s: a warning names the plugin, the setting and both places',
    async (name, set) => {
      const [message, ...others] = await warn(set);
      expect(others).toEqual([]);
      expect(message).toContain(`the ${name} that ambit sets at `);
      expect(message).toMatch(
        /late-settings\.test\.ts:\d+:\d+ does not apply to the plugin ambit > users \(registered at .*late-settings\.test\.ts:\d+:\d+\)/,
      );
    },
  );

  test.each(Object.entries(inTime))('%s reaches the plugin, so there is no warning', async (_name, set) => {
    expect(await warn(set)).toEqual([]);
  });

  test.each(Object.entries(tooLate))('%s: no warning in production', async (_name, set) => {
    vi.stubEnv('NODE_ENV', 'production');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await warn(set)).toEqual([]);
  });

  test('a plugin that has its own setting is not named', async () => {
    const warnings = await warningsOf(async () => {
      const app = ambit();
      await app.register(async (context) => {
        context.setErrorHandler(() => 'own');
        context.register(users);
      });
      app.setErrorHandler(() => 'late');
      await app.close();
    });
    expect(warnings).toEqual([]);
  });

  test('a setting before the plugin is registered causes no warning', async () => {
    const warnings = await warningsOf(async () => {
      const app = ambit();
      app.setErrorHandler(() => 'early');
      await app.register(users);
      await app.close();
    });
    expect(warnings).toEqual([]);
  });
});

describe('the plugin', () => {
  async function statusOf(build: (app: Context) => unknown): Promise<number> {
    const app = ambit();
    onTestFinished(() => app.close());
    await build(app);
    return (await app.inject({ method: 'POST', url: '/users', payload: {} })).statusCode;
  }
  const conflict = (context: Context) => void tooLate['error handler']!(context);

  test('does not get the error handler of a hoisted plugin that is registered after it, awaited or not', async () => {
    expect(
      await statusOf((app) => {
        app.register(users);
        app.register(hoist(async (context) => conflict(context)));
      }),
    ).toBe(400);
    expect(
      await statusOf(async (app) => {
        await app.register(users);
        await app.register(hoist(async (context) => conflict(context)));
      }),
    ).toBe(400);
  });

  test('gets the error handler of a hoisted plugin that is registered before it', async () => {
    expect(
      await statusOf((app) => {
        app.register(hoist(async (context) => conflict(context)));
        app.register(users);
      }),
    ).toBe(409);
  });

  test('gets what its parent sets in the same turn, before anything has loaded', async () => {
    expect(
      await statusOf((app) => {
        app.register(users);
        conflict(app);
      }),
    ).toBe(409);
  });

  test('does not get the overload protection that is set after it has loaded', async () => {
    const app = ambit();
    onTestFinished(() => app.close());
    let resolve: (text: string) => void = () => {};
    const promise = new Promise<string>((settle) => {
      resolve = settle;
    });
    await app.register(async (context) => void context.get('/early', () => promise));
    app.setOverload({ minLimit: 1, initialLimit: 1, maxLimit: 1 });
    app.get('/own', () => promise);
    await app.ready();
    const ask = async (url: string) => (await app.inject(url)).statusCode;
    const served = Promise.all(['/early', '/early', '/early', '/own', '/own'].map(ask));
    expect(await ask('/own')).toBe(503);
    resolve('answered');
    expect(await served).toEqual([200, 200, 200, 200, 200]);
  });
});
