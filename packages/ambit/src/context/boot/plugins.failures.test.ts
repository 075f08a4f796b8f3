// Plugins and hooks that fail the boot: they throw, never finish, or come too late.
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type Done, type Plugin } from 'ambit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hurry } from '../../../test/support/hurry.ts';

const here = expect.stringContaining('plugins.failures.test.ts');

for (const [what, plugin] of [
  [
    'throws synchronously',
    () => {
      throw new Error('broken plugin');
    },
  ],
  [
    'throws synchronously in callback style',
    (_context: Context, _options: object, _done: Done) => {
      throw new Error('broken plugin');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('broken plugin');
    },
  ],
  [
    'calls done with an error',
    (_context: Context, _options: object, done: Done) => done(new Error('broken plugin')),
  ],
] as const) {
  test(`a plugin that ${what} fails the boot with its own error`, async () => {
    const app = ambit();
    app.register(plugin as Plugin);
    await expect(app.ready()).rejects.toThrow('broken plugin');
  });

  test(`a nested plugin that ${what} fails the boot with its own error`, async () => {
    const app = ambit();
    app.register(async (context) => {
      context.register(async (child) => void child.register(plugin as Plugin));
    });
    await expect(app.ready()).rejects.toThrow('broken plugin');
  });
}

for (const thrown of [undefined, null, 'text', 0]) {
  for (const [what, plugin] of [
    [
      'throws',
      () => {
        throw thrown;
      },
    ],
    [
      'rejects with',
      async () => {
        throw thrown;
      },
    ],
  ] as const) {
    test(`a plugin that ${what} ${JSON.stringify(thrown)} fails the boot all the same`, async () => {
      const app = ambit();
      const outcomes: string[] = [];
      app.register(plugin);
      await app.ready().then(
        () => outcomes.push('booted'),
        () => outcomes.push('failed'),
      );
      expect(outcomes).toEqual(['failed']);
    });
  }
}

test('after boot has failed, ready, inject and listen all fail with its error', async () => {
  const app = ambit();
  app.register(async () => {
    throw new Error('no database');
  });
  await expect(app.ready()).rejects.toThrow('no database');
  await expect(app.ready()).rejects.toThrow('no database');
  await expect(app.inject('/')).rejects.toThrow('no database');
  await expect(app.listen({ port: 0 })).rejects.toThrow('no database');
});

test('a boot that failed can be closed, and runs the onClose hooks that are there', async () => {
  const app = ambit();
  let closed = 0;
  app.register(async (context) => {
    context.addHook('onClose', async () => void closed++);
    throw new Error('no database');
  });
  await expect(app.ready()).rejects.toThrow();
  await app.close();
  expect(closed).toBe(1);
});

test('a plugin that calls done twice is loaded once, and what comes after it too', async () => {
  const app = ambit();
  let after = 0;
  app.register((context, _options, done) => {
    context.get('/', () => 'ok');
    done();
    done();
    setImmediate(done);
  });
  app.register(async () => void after++);
  expect((await app.inject('/')).body).toBe('ok');
  expect(after).toBe(1);
});

test('a plugin that calls done and then throws is loaded: the first result counts', async () => {
  const app = ambit();
  app.register((context, _options, done) => {
    context.get('/', () => 'ok');
    done();
    throw new Error('too late');
  });
  expect((await app.inject('/')).body).toBe('ok');
});

test('an async plugin that takes done as well is refused: it would end twice', async () => {
  const app = ambit();
  app.register(async function both(_context, _options, _done) {});
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
    message: expect.stringContaining('The both plugin being registered mixes async and callback styles'),
    where: { plugin: 'ambit > both', file: here },
  });
});

test('a plugin that never calls done fails the boot after pluginTimeout, and the error names what boot waited for', async () => {
  const app = ambit({ pluginTimeout: 30 });
  app.register(function stuck(_context, _options, _done) {});
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    message: expect.stringContaining('stuck'),
    cause: { code: 'AVV_ERR_PLUGIN_EXEC_TIMEOUT' },
    where: { plugin: 'ambit > stuck', file: here, step: 'the plugin has not called its `done` callback' },
  });
});

test('if the promise of a plugin never settles, the error says so', async () => {
  const app = ambit({ pluginTimeout: 30 });
  app.register(async function stuck() {
    await new Promise(() => {});
  });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    where: {
      plugin: 'ambit > stuck',
      file: here,
      step: 'the promise that the plugin returned has not settled',
    },
  });
});

test('the plugin that is stuck is named, not the plugins around it', async () => {
  // Long enough to reach the innermost plugin, even on a busy machine.
  hurry(10);
  const app = ambit({ pluginTimeout: 2_000 });
  app.register(async function outer(context) {
    await context.register(async function middle(child) {
      child.register(function inner(_context, _options, _done) {});
    });
  });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    where: { plugin: 'ambit > outer > middle > inner' },
  });
});

test('the plugin that is stuck is named even if the time limit of an outer plugin ends first', async () => {
  const waitBusily = (ms: number): void => {
    const endMs = performance.now() + ms;
    while (performance.now() < endMs);
  };
  const app = ambit({ pluginTimeout: 100 });
  app.register(async function outer(context) {
    waitBusily(60);
    await context.register(async function middle(child) {
      waitBusily(60);
      child.register(function inner(_context, _options, _done) {});
    });
  });
  await expect(app.ready()).rejects.toMatchObject({
    message: expect.stringContaining("'inner'"),
    where: { plugin: 'ambit > outer > middle > inner' },
  });
});

test('a plugin that is stuck fails boot when pluginTimeout is over, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = ambit({ pluginTimeout: 60_000 });
  const begun = new Promise<void>((resolve) => {
    app.register(function stuck(_context, _options, _done) {
      resolve();
    });
  });
  const failed = vi.fn();
  app.ready().catch(failed);
  await begun;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(failed).toHaveBeenCalledOnce();
});

test('if a plugin that is registered in two places is stuck, the error names the right place', async () => {
  hurry(10);
  const app = ambit({ pluginTimeout: 1_000 });
  const sometimes: Plugin<{ stuck: boolean }> = function sometimes(_context, { stuck }, done) {
    setTimeout(done, stuck ? 60_000 : 0).unref();
  };
  app.register(async function first(context) {
    context.register(sometimes, { stuck: true });
  });
  app.register(async function second(context) {
    context.register(sometimes, { stuck: false });
  });
  await expect(app.ready()).rejects.toMatchObject({ where: { plugin: 'ambit > first > sometimes' } });
});

test('an after listener that never ends fails the boot', async () => {
  const app = ambit({ pluginTimeout: 30 });
  app.after((_error, _done) => {});
  await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_TIMEOUT' });
});

test('an onReady hook that never ends fails the boot, by name', async () => {
  const app = ambit({ pluginTimeout: 30 });
  app.addHook('onReady', function connect(_done) {});
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_HOOK_TIMEOUT',
    message: expect.stringContaining('\'onReady\' hook "connect" timed out'),
    where: { step: 'onReady hook "connect"' },
  });
});

test('with pluginTimeout 0, a plugin may take any time', async () => {
  const app = ambit({ pluginTimeout: 0 });
  app.register(async () => {
    await delay(50);
  });
  await app.ready();
});

test('register after the boot is refused, in a child too', async () => {
  const app = ambit();
  const children: Context[] = [];
  app.register(async function child(context) {
    children.push(context);
  });
  await app.ready();
  expect(() => children[0]!.register(async () => {})).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ROOT_PLG_BOOTED',
      where: { plugin: 'ambit > child', file: here },
    }),
  );
});

test('after the time limit of a plugin, what still loads in it is the parent of nothing', async () => {
  const app = ambit({ pluginTimeout: 200 });
  const events = new EventEmitter();
  const paths: string[] = [];
  app.register(
    async function outer(context) {
      // So the limit of the next one ends after that of the plugin around it.
      context.register(async () => delay(100));
      context.register(async function late(child) {
        await once(events, 'outer failed');
        expect(() => child.register(async () => void paths.push('in late'))).toThrow(/was already loaded/);
        events.emit('registered');
      });
      context.register(async () => void paths.push('after late'));
      await context.after();
    },
    { prefix: '/outer' },
  );
  app.after((error) => expect(error).toMatchObject({ code: 'FST_ERR_PLUGIN_TIMEOUT' }));
  app.register(async function next(context) {
    const registered = once(events, 'registered');
    events.emit('outer failed');
    await registered;
    await nextTurn();
    paths.push(context.pluginName, context.prefix);
  });
  await app.ready();
  expect(paths).toEqual(['next', '']);
});

test('a promise of a plugin that rejects before its turn fails boot, and not the process', async () => {
  const app = ambit();
  app.register(async () => delay(20));
  app.register(Promise.reject(new Error('no such module')));
  await expect(app.ready()).rejects.toThrow('no such module');
});

test('the context of a plugin that has loaded takes no plugins any more', async () => {
  const app = ambit();
  let error: unknown;
  app.register(async function early(context) {
    setTimeout(() => {
      try {
        context.register(async function late() {});
      } catch (thrown) {
        error = thrown;
      }
    }, 5);
  });
  app.register(async () => delay(30));
  await app.ready();
  expect(error).toMatchObject({
    code: 'FST_ERR_PARENT_PLUGIN_BOOTED',
    message: "Impossible to load 'late' plugin because the parent 'ambit > early' was already loaded",
  });
});

test('a function of options does not name the plugin', async () => {
  const app = ambit();
  app.register(
    () => {},
    function readOptions() {
      return {};
    },
  );
  await app.ready();
  expect(app.printPlugins()).not.toContain('readOptions');
});
