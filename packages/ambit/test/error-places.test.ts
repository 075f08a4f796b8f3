// What boot fails with says where: the plugin on its path, the line, and the step; also when what was thrown is no error.
import { fastify } from '@ambit/fastify';
import { type AmbitOptions, ambit, type CodedError, type Context, hoist, type Plugin } from 'ambit';
import { describe, expect, test } from 'vitest';
import { LogLines } from './support/log-lines.ts';

type Make = (options?: AmbitOptions) => Context;
const flavors: [string, string, Make][] = [
  ['ambit', 'ambit', (options) => ambit(options) as Context],
  ['the facade', 'fastify', (options) => fastify(options as never) as unknown as Context],
];

const here = expect.stringMatching(/error-places\.test\.ts:\d+:\d+$/);

async function failureOf(run: () => unknown): Promise<CodedError> {
  try {
    await run();
  } catch (error) {
    return error as CodedError;
  }
  throw new Error('nothing failed');
}

/** Ways in which a plugin fails, each with the same thing. */
const styles: [string, (failure: unknown) => Plugin][] = [
  [
    'throws',
    (failure) =>
      function broken() {
        throw failure;
      },
  ],
  [
    'rejects with',
    (failure) =>
      async function broken() {
        throw failure;
      },
  ],
  [
    'throws, in callback style,',
    (failure) =>
      function broken(_context, _options, _done) {
        throw failure;
      },
  ],
];

for (const [flavor, root, make] of flavors) {
  describe(`on ${flavor}`, () => {
    describe('a plugin', () => {
      for (const [what, failing] of styles) {
        test(`that ${what} an error is named in it, with the line that registered it`, async () => {
          const app = make();
          app.register(async function outer(context) {
            context.register(failing(new Error('no database')));
          });
          expect(await failureOf(() => app.ready())).toMatchObject({
            message: 'no database',
            where: { plugin: `${root} > outer > broken`, file: here },
          });
        });

        for (const thrown of [undefined, null, 0, '', false, 'no database']) {
          test(`that ${what} ${JSON.stringify(thrown)} fails the boot with an error that says so`, async () => {
            const app = make();
            app.register(failing(thrown));
            const error = await failureOf(() => app.ready());
            expect(error).toMatchObject({
              code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
              cause: thrown,
              where: { plugin: `${root} > broken`, file: here },
            });
            expect(error.message).toMatch(/^the plugin failed with .* instead of an error$/);
          });
        }
      }

      test('that calls done with an error is named in it', async () => {
        const app = make();
        app.register(function broken(_context, _options, done) {
          done(new Error('no database'));
        });
        expect(await failureOf(() => app.ready())).toMatchObject({
          message: 'no database',
          where: { plugin: `${root} > broken`, file: here },
        });
      });

      test('that is hoisted is named in its error', async () => {
        const app = make();
        app.register(hoist(async () => Promise.reject(new Error('no database')), 'database'));
        expect(await failureOf(() => app.ready())).toMatchObject({
          where: { plugin: `${root} > database`, file: here },
        });
      });

      test('that fails with an error that cannot be changed fails the boot with it', async () => {
        const app = make();
        const error = Object.freeze(new Error('frozen'));
        app.register(async () => {
          throw error;
        });
        expect(await failureOf(() => app.ready())).toBe(error);
      });

      test('that fails with an error that says where keeps what it says', async () => {
        const app = make();
        app.register(async () => {
          throw Object.assign(new Error('elsewhere'), { where: 'elsewhere' });
        });
        expect(await failureOf(() => app.ready())).toMatchObject({ where: 'elsewhere' });
      });

      test('that awaits another which fails is not blamed for it', async () => {
        const app = make();
        app.register(async function outer(context) {
          await context.register(async function inner() {
            throw new Error('no database');
          });
        });
        expect(await failureOf(() => app.ready())).toMatchObject({
          where: { plugin: `${root} > outer > inner` },
        });
      });

      test('that is awaited rejects with an error that says where', async () => {
        const app = make({ pluginTimeout: 20 });
        const error = await failureOf(async () => {
          await app.register(function stuck(_context, _options, _done) {});
        });
        expect(error).toMatchObject({
          code: 'FST_ERR_PLUGIN_TIMEOUT',
          where: { plugin: `${root} > stuck`, file: here },
        });
      });
    });

    describe('a plugin that comes by promise', () => {
      for (const [what, promise] of [
        ['rejects with nothing', () => Promise.reject(undefined)],
        ['resolves with nothing', () => Promise.resolve(undefined)],
        ['resolves with an object', () => Promise.resolve({ default: 'plugin' })],
        ['rejects with an error', () => Promise.reject(new Error('no such module'))],
      ] as const) {
        test(`which ${what} fails the boot, with the line that registered it`, async () => {
          const app = make();
          app.register(promise() as never);
          expect(await failureOf(() => app.ready())).toMatchObject({ where: { file: here } });
        });
      }
    });

    test('an onRegister hook that throws fails the boot, with the plugin whose context opens', async () => {
      const app = make();
      app.addHook('onRegister', () => {
        throw new Error('no context');
      });
      app.register(async function users() {});
      expect(await failureOf(() => app.ready())).toMatchObject({
        message: 'no context',
        where: { plugin: `${root} > users`, file: here },
      });
    });

    describe('an onReady hook', () => {
      for (const [what, fail] of [
        [
          'throws',
          (hook: { failure: unknown }) => () => {
            throw hook.failure;
          },
        ],
        [
          'rejects with',
          (hook: { failure: unknown }) => async () => {
            throw hook.failure;
          },
        ],
      ] as const) {
        test(`that ${what} an error is named in it, with its context and the line that added it`, async () => {
          const app = make();
          app.register(async function users(context) {
            const hook = { warmUp: fail({ failure: new Error('cold') }) };
            Object.defineProperty(hook.warmUp, 'name', { value: 'warmUp' });
            context.addHook('onReady', hook.warmUp);
          });
          expect(await failureOf(() => app.ready())).toMatchObject({
            message: 'cold',
            where: { plugin: `${root} > users`, file: here, step: 'onReady hook "warmUp"' },
          });
        });

        test(`that ${what} undefined fails the boot`, async () => {
          const app = make();
          app.addHook('onReady', fail({ failure: undefined }));
          expect(await failureOf(() => app.ready())).toMatchObject({
            code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
            where: { plugin: root, file: here },
          });
        });
      }

      test('that never ends is named with the line that added it', async () => {
        const app = make({ pluginTimeout: 20 });
        app.addHook('onReady', function connect(_done) {});
        expect(await failureOf(() => app.ready())).toMatchObject({
          code: 'FST_ERR_HOOK_TIMEOUT',
          where: { plugin: root, file: here, step: 'onReady hook "connect"' },
        });
      });

      test('that calls done with an error is named in it', async () => {
        const app = make();
        app.addHook('onReady', (done) => done(new Error('cold')));
        expect(await failureOf(() => app.ready())).toMatchObject({
          message: 'cold',
          where: { plugin: root, file: here, step: 'onReady hook' },
        });
      });
    });

    test('an onListen hook that fails is logged with its place', async () => {
      const stream = new LogLines();
      const app = make({ logger: { stream, level: 'error' } });
      app.addHook('onListen', async () => {
        throw new Error('not announced');
      });
      await app.listen({ port: 0 });
      const { err } = await stream.until('not announced');
      expect(err).toMatchObject({ where: { plugin: root, file: here, step: 'onListen hook' } });
      await app.close();
    });

    describe('a listener of after', () => {
      for (const [what, listener] of [
        [
          'throws',
          () => {
            throw undefined;
          },
        ],
        [
          'rejects',
          async () => {
            throw undefined;
          },
        ],
      ] as const) {
        test(`that ${what} undefined fails the boot, with the line that gave it`, async () => {
          const app = make();
          app.after(listener);
          expect(await failureOf(() => app.ready())).toMatchObject({
            code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
            message: 'the listener passed to `after` failed with undefined instead of an error',
            where: { plugin: root, file: here },
          });
        });
      }

      test('that hands on the error of a plugin is not blamed for it', async () => {
        const app = make();
        app.register(async function users() {
          throw new Error('no database');
        });
        app.after((error, done) => done(error ?? undefined));
        expect(await failureOf(() => app.ready())).toMatchObject({ where: { plugin: `${root} > users` } });
      });
    });

    test('an onClose hook that fails says where it was added', async () => {
      const app = make();
      app.register(async function users(context) {
        context.addHook('onClose', async () => {
          throw new Error('still open');
        });
      });
      await app.ready();
      expect(await failureOf(() => app.close())).toMatchObject({
        message: 'still open',
        where: { plugin: `${root} > users`, file: here },
      });
    });

    describe('after boot', () => {
      for (const [what, call] of [
        ['a route', (app: Context) => app.get('/', () => 'late')],
        ['a hook', (app: Context) => app.addHook('onRequest', async () => {})],
        ['a plugin', (app: Context) => app.register(async () => {})],
        ['a decorator', (app: Context) => app.decorate('late', 1)],
        ['a decorator of requests', (app: Context) => app.decorateRequest('late', 1)],
        ['a schema', (app: Context) => app.addSchema({ $id: 'late' })],
        ['a parser', (app: Context) => app.addContentTypeParser('text/late', async () => '')],
        ['an error handler', (app: Context) => app.setErrorHandler(() => {})],
        ['a not-found handler', (app: Context) => app.setNotFoundHandler(() => {})],
        ['a method', (app: Context) => app.addHttpMethod('LINK')],
        ['a validator compiler', (app: Context) => app.setValidatorCompiler(() => () => true)],
        ['a generator of ids', (app: Context) => app.setGenReqId(() => 'late')],
      ] as const) {
        test(`${what} is refused with the context and the line`, async () => {
          const app = make();
          const children: Context[] = [];
          app.register(async function users(context) {
            children.push(context);
          });
          await app.ready();
          expect(await failureOf(() => call(children[0]!))).toMatchObject({
            code: expect.stringMatching(/^FST_ERR_/),
            where: { plugin: `${root} > users`, file: here },
          });
        });
      }

      test('a route is refused with its method and URL', async () => {
        const app = make();
        await app.ready();
        expect(await failureOf(() => app.get('/late', () => 'late'))).toMatchObject({
          where: { plugin: root, route: 'GET /late', file: here },
        });
      });

      test('listening on a port that is taken says where it was tried', async () => {
        const first = make();
        await first.listen({ port: 0, host: '127.0.0.1' });
        const { port } = first.addresses()[0]!;
        const error = await failureOf(() => make().listen({ port, host: '127.0.0.1' }));
        expect(error).toMatchObject({ code: 'EADDRINUSE', where: { plugin: root, file: here } });
        await first.close();
      });
    });
  });
}

describe('a plugin without a name', () => {
  const line = expect.stringMatching(/^ambit > packages\/ambit\/test\/error-places\.test\.ts:\d+$/);

  test('is named in errors by the file and the line that registered it', async () => {
    const app = ambit();
    app.register(async () => {
      throw new Error('no database');
    });
    expect(await failureOf(() => app.ready())).toMatchObject({ where: { plugin: line } });
  });

  test('is named so on the path of what it registers', async () => {
    const app = ambit();
    app.register(async (context) => {
      context.register(async function users() {
        throw new Error('no database');
      });
    });
    const { where } = await failureOf(() => app.ready());
    expect(where?.plugin).toMatch(/^ambit > .*error-places\.test\.ts:\d+ > users$/);
  });

  test('is named so in pluginName, printPlugins and what times out', async () => {
    const app = ambit({ pluginTimeout: 30 });
    const names: string[] = [];
    app.register(async (context) => void names.push(context.pluginName));
    app.register((_context, _options, _done) => {});
    const { message } = await failureOf(() => app.ready());
    expect(names).toEqual([expect.stringMatching(/^packages.*error-places\.test\.ts:\d+$/)]);
    expect(message).toMatch(/'packages\S*error-places\.test\.ts:\d+'/);
    expect(app.printPlugins()).toMatch(/ packages\S*error-places\.test\.ts:\d+ /);
    expect(app.printPlugins()).not.toContain('=>');
  });

  test('is named by the option `name` if it has one', async () => {
    const app = ambit();
    app.register(
      async () => {
        throw new Error('no database');
      },
      { name: 'users' },
    );
    expect(await failureOf(() => app.ready())).toMatchObject({ where: { plugin: 'ambit > users' } });
  });

  test('is named so in errors of the facade, which shows its source as pluginName, as Fastify does', async () => {
    const app = fastify();
    const names: string[] = [];
    app.register(async (context) => {
      names.push(context.pluginName);
      throw new Error('no database');
    });
    const { where } = await failureOf(() => app.ready());
    expect(where?.plugin).toMatch(/^fastify > packages\S*error-places\.test\.ts:\d+$/);
    expect(names).toEqual([expect.stringContaining('=>')]);
  });
});
