// How an application boots: the styles of plugins, their order, their metadata, and every way in which boot can fail.
import { setTimeout as delay } from 'node:timers/promises';
import { ambit, type Context, type Done, hoist, type Plugin, type PluginMetadata } from 'ambit';
import fastifyPlugin from 'fastify-plugin';
import { expect, test } from 'vitest';

const here = expect.stringContaining('boot.test.ts');
const routeAt =
  (url: string): Plugin =>
  async (context) => {
    context.get(url, () => url);
  };

/** A plugin with metadata, hoisted or not. */
function withMetadata(metadata: PluginMetadata, markers: object = {}): Plugin {
  return Object.assign(async () => {}, { [Symbol.for('plugin-meta')]: metadata }, markers) as Plugin;
}

// --------------------------------------------------------------------------------------------------------------- styles

const styles: [string, () => Plugin][] = [
  ['a promise', () => async (context) => void context.get('/', () => 'ok')],
  [
    'a callback',
    () => (context, _options, done) => {
      context.get('/', () => 'ok');
      setImmediate(done);
    },
  ],
  [
    'a callback that is called at once',
    () => (context, _options, done) => {
      context.get('/', () => 'ok');
      done();
    },
  ],
  ['nothing, with two parameters', () => (context, _options) => void context.get('/', () => 'ok')],
  ['nothing, with one parameter', () => (context) => void context.get('/', () => 'ok')],
  [
    'a thenable',
    () =>
      ((context: Context) => {
        context.get('/', () => 'ok');
        return Promise.resolve('ignored');
      }) as Plugin,
  ],
];
for (const [what, make] of styles) {
  test(`a plugin that ends with ${what} is loaded`, async () => {
    const app = ambit();
    app.register(make());
    expect((await app.inject('/')).body).toBe('ok');
  });
}

test('a promise of an ES module with a default export is a plugin', async () => {
  const app = ambit();
  app.register(import('./fixtures/default-export-plugin.ts'));
  expect((await app.inject('/from-module')).body).toBe('fromModule');
});

test('an ES module with a default export is a plugin', async () => {
  const app = ambit();
  app.register(await import('./fixtures/default-export-plugin.ts'));
  expect((await app.inject('/from-module')).body).toBe('fromModule');
});

test('a promise of a plugin is a plugin', async () => {
  const app = ambit();
  app.register(Promise.resolve(routeAt('/later')));
  expect((await app.inject('/later')).body).toBe('/later');
});

test('a promise of a plugin that rejects fails the boot with its reason', async () => {
  const app = ambit();
  app.register(Promise.reject(new Error('no such module')));
  await expect(app.ready()).rejects.toThrow('no such module');
});

test('a promise of something that is no plugin fails the boot', async () => {
  const app = ambit();
  app.register(Promise.resolve({ default: 'plugin' }) as never);
  await expect(app.ready()).rejects.toThrow();
});

// ---------------------------------------------------------------------------------------------------------------- sizes

test('10,000 sibling plugins boot', async () => {
  const app = ambit();
  for (let i = 0; i < 10_000; i++) app.register(routeAt(`/sibling/${i}`));
  await app.ready();
  expect((await app.inject('/sibling/9999')).body).toBe('/sibling/9999');
}, 60_000);

test('10,000 sibling plugins in callback style boot without a stack overflow', async () => {
  const app = ambit();
  let loaded = 0;
  for (let i = 0; i < 10_000; i++) {
    app.register((_context, _options, done) => {
      loaded++;
      done();
    });
  }
  await app.ready();
  expect(loaded).toBe(10_000);
}, 60_000);

test('2,000 nested plugins boot without a stack overflow, and the deepest sees the root', async () => {
  const app = ambit({ pluginTimeout: 0 });
  app.decorateRequest('answer', 42);
  const nest =
    (level: number): Plugin =>
    (context, _options, done) => {
      context.decorateRequest(`level${level}`, level);
      context.get(`/level/${level}`, (request) => [
        request.getDecorator('answer'),
        request.getDecorator(`level${level}`),
      ]);
      if (level < 2_000) context.register(nest(level + 1));
      done();
    };
  app.register(nest(1));
  await app.ready();
  expect((await app.inject('/level/2000')).json()).toEqual([42, 2_000]);
  await app.close();
}, 60_000);

// ---------------------------------------------------------------------------------------------------------------- order

test('plugins load one after the other, each with everything inside it', async () => {
  const app = ambit();
  const order: string[] = [];
  const step =
    (name: string, ...children: Plugin[]): Plugin =>
    async (context) => {
      order.push(`${name} begins`);
      for (const child of children) context.register(child);
      await delay(2);
      order.push(`${name} ends`);
    };
  app.register(step('a', step('a1', step('a11')), step('a2')));
  app.register(step('b'));
  await app.ready();
  expect(order).toEqual([
    'a begins',
    'a ends',
    'a1 begins',
    'a1 ends',
    'a11 begins',
    'a11 ends',
    'a2 begins',
    'a2 ends',
    'b begins',
    'b ends',
  ]);
});

test('awaiting register loads the plugin at once, with what it decorates', async () => {
  const app = ambit();
  app.register(async (context) => {
    await context.register(hoist(async (inner) => void inner.decorate('db', 'connected')));
    expect(context.getDecorator('db')).toBe('connected');
    context.get('/', () => context.getDecorator('db'));
  });
  expect((await app.inject('/')).body).toBe('connected');
});

test('awaiting register rejects with what the plugin threw', async () => {
  const app = ambit();
  const register = async () => {
    await app.register(async () => {
      throw new Error('no database');
    });
  };
  await expect(register()).rejects.toThrow('no database');
});

test('after runs when what is registered so far has loaded, before what is registered later', async () => {
  const app = ambit();
  const order: string[] = [];
  const note =
    (name: string): Plugin =>
    async () =>
      void order.push(name);
  app.register(note('first'));
  app.after(() => void order.push('after first'));
  app.register(note('second'));
  app.after((error, done) => {
    order.push(`after second, ${error}`);
    done();
  });
  await app.ready();
  expect(order).toEqual(['first', 'after first', 'second', 'after second, null']);
});

test('after without a function is a promise, and what it waited for is loaded', async () => {
  const app = ambit();
  app.register(hoist(async (context) => void context.decorate('db', 1)));
  await app.after();
  expect(app.hasDecorator('db')).toBe(true);
});

test('after is given the error of a plugin, which counts as dealt with', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.register(async () => {
    throw new Error('no database');
  });
  app.after((error) => void seen.push(error?.message));
  await app.ready();
  expect(seen).toEqual(['no database']);
});

test('after without a parameter does not deal with the error', async () => {
  const app = ambit();
  app.register(async () => {
    throw new Error('no database');
  });
  app.after(() => {});
  await expect(app.ready()).rejects.toThrow('no database');
});

test('an after listener that throws fails the boot', async () => {
  const app = ambit();
  app.after(() => {
    throw new Error('thrown in after');
  });
  await expect(app.ready()).rejects.toThrow('thrown in after');
});

test('an after listener may wait by promise', async () => {
  const app = ambit();
  const order: string[] = [];
  app.after(async () => {
    await delay(5);
    order.push('after');
  });
  app.register(async () => void order.push('plugin'));
  await app.ready();
  expect(order).toEqual(['after', 'plugin']);
});

test('ready resolves with the root, once everything has loaded and the onReady hooks have run', async () => {
  const app = ambit();
  const order: string[] = [];
  app.addHook('onReady', async () => void order.push('onReady root'));
  app.register(async (context) => {
    order.push('plugin');
    context.addHook('onReady', (done) => {
      order.push('onReady child');
      setImmediate(done);
    });
  });
  expect(await app.ready()).toBe(app);
  expect(order).toEqual(['plugin', 'onReady root', 'onReady child']);
});

test('ready may be called any number of times; plugins load once', async () => {
  const app = ambit();
  let loaded = 0;
  app.register(async () => void loaded++);
  await Promise.all([app.ready(), app.ready()]);
  await app.ready();
  expect(loaded).toBe(1);
});

test('ready takes a callback', async () => {
  const app = ambit();
  const error = await new Promise((resolve) => app.ready((error) => resolve(error)));
  expect(error).toBeNull();
});

test('ready hands its callback what boot failed with', async () => {
  const app = ambit();
  app.register(async () => {
    throw new Error('no database');
  });
  const error = await new Promise<Error | null>((resolve) => app.ready((error) => resolve(error)));
  expect(error?.message).toBe('no database');
});

test('an onReady hook that fails, fails the boot', async () => {
  const app = ambit();
  app.addHook('onReady', async () => {
    throw new Error('not ready');
  });
  await expect(app.ready()).rejects.toThrow('not ready');
});

test('close runs the onClose hooks in reverse order of registration, innermost first, and resolves', async () => {
  const app = ambit();
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  app.addHook('onClose', note('root 1'));
  app.register(async (context) => {
    context.addHook('onClose', note('child'));
  });
  app.addHook('onClose', note('root 2'));
  await app.ready();
  await app.close();
  expect(order).toEqual(['child', 'root 2', 'root 1']);
});

test('preClose runs before the server closes, onClose after', async () => {
  const app = ambit();
  const seen: [string, boolean][] = [];
  app.addHook('preClose', async () => void seen.push(['preClose', app.server.listening]));
  app.addHook('onClose', async () => void seen.push(['onClose', app.server.listening]));
  await app.listen({ port: 0 });
  await app.close();
  expect(seen).toEqual([
    ['preClose', true],
    ['onClose', false],
  ]);
});

test('close takes a callback, and an onClose hook takes the context and done', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook('onClose', (context, done) => {
    seen.push(context === app);
    setImmediate(done);
  });
  await app.ready();
  await new Promise<void>((resolve) => void app.close(() => resolve()));
  expect(seen).toEqual([true]);
});

test('close before ready boots first, then closes', async () => {
  const app = ambit();
  const order: string[] = [];
  app.register(async (context) => {
    order.push('plugin');
    context.addHook('onClose', async () => void order.push('onClose'));
  });
  await app.close();
  expect(order).toEqual(['plugin', 'onClose']);
});

test('close twice is harmless', async () => {
  const app = ambit();
  let closed = 0;
  app.addHook('onClose', async () => void closed++);
  await app.ready();
  await Promise.all([app.close(), app.close()]);
  await app.close();
  expect(closed).toBe(1);
});

test('an application is an async disposable: leaving its block closes it', async () => {
  const app = ambit();
  let closed = 0;
  app.addHook('onClose', async () => void closed++);
  await app.ready();
  await app[Symbol.asyncDispose]();
  expect(closed).toBe(1);
});

// ------------------------------------------------------------------------------------------------- plugins that misbehave

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
  test(`a plugin that throws ${JSON.stringify(thrown)} fails the boot all the same`, async () => {
    const app = ambit();
    const outcomes: string[] = [];
    app.register(() => {
      throw thrown;
    });
    await app.ready().then(
      () => outcomes.push('booted'),
      () => outcomes.push('failed'),
    );
    expect(outcomes).toEqual(['failed']);
  });
}

test('a boot that failed stays failed: ready, inject and listen all say why', async () => {
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

test('a plugin that calls done and then throws is loaded: the first word counts', async () => {
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

test('a plugin that never calls done fails the boot after pluginTimeout, and the error tells what it waited on', async () => {
  const app = ambit({ pluginTimeout: 30 });
  app.register(function stuck(_context, _options, _done) {});
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    message: expect.stringContaining('stuck'),
    cause: { code: 'AVV_ERR_PLUGIN_EXEC_TIMEOUT' },
    where: { plugin: 'ambit > stuck', file: here, step: 'the plugin has not called its `done` callback' },
  });
});

test('a plugin whose promise never settles is told so', async () => {
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
  const app = ambit({ pluginTimeout: 60 });
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

test('one plugin registered in two places is named where it is stuck', async () => {
  const app = ambit({ pluginTimeout: 30 });
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

test('a plugin may take as long as it likes under pluginTimeout 0', async () => {
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
  expect(() => children[0]!.register(routeAt('/late'))).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ROOT_PLG_BOOTED',
      where: { plugin: 'ambit > child', file: here },
    }),
  );
});

// ------------------------------------------------------------------------------------------------------ names and metadata

test('hasPlugin knows a hoisted plugin by its name, here and below, not beside', async () => {
  const app = ambit();
  const seen: { [context: string]: boolean } = {};
  app.register(hoist(async () => {}, 'database'));
  app.register(async (child) => {
    child.register(hoist(async () => {}, { name: 'users' }));
    child.after(() => {
      seen['child'] = child.hasPlugin('database') && child.hasPlugin('users');
    });
  });
  app.register(async (sibling) => {
    seen['sibling'] = sibling.hasPlugin('users');
  });
  await app.ready();
  expect(seen).toEqual({ child: true, sibling: false });
  expect([app.hasPlugin('database'), app.hasPlugin('users'), app.hasPlugin('nothing')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('hasPlugin is false until the plugin has loaded', async () => {
  const app = ambit();
  app.register(hoist(async () => {}, 'database'));
  expect(app.hasPlugin('database')).toBe(false);
  await app.ready();
  expect(app.hasPlugin('database')).toBe(true);
});

test('hoist takes the name from its details, as text, or from the function', async () => {
  const app = ambit();
  app.register(hoist(async () => {}, 'as-text'));
  app.register(hoist(async () => {}, { name: 'in-details' }));
  app.register(hoist(async function ownName() {}));
  await app.ready();
  expect(['as-text', 'in-details', 'ownName'].map((name) => app.hasPlugin(name))).toEqual([true, true, true]);
});

test('hoist takes an ES module', async () => {
  const app = ambit();
  app.register(hoist(await import('./fixtures/default-export-plugin.ts')));
  expect((await app.inject('/from-module')).body).toBe('ambit -> fromModule');
});

test('pluginName tells the plugins of a context: the one that opened it, then those hoisted into it', async () => {
  const app = ambit();
  const names: string[] = [];
  app.register(async function users(context) {
    await context.register(hoist(async () => {}, 'database'));
    names.push(context.pluginName);
  });
  await app.ready();
  expect(names).toEqual(['users -> database']);
});

test('a plugin whose dependency is there is loaded', async () => {
  const app = ambit();
  app.register(withMetadata({ name: 'database' }));
  app.register(withMetadata({ name: 'users', dependencies: ['database'] }));
  await app.ready();
  expect(app.hasPlugin('users')).toBe(true);
});

test('a plugin whose dependency is missing is refused, with its place', async () => {
  const app = ambit();
  app.register(async function api(context) {
    context.register(hoist(async () => {}, { name: 'users', dependencies: ['database'] }));
  });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
    message: "The dependency 'database' of plugin 'users' is not registered",
    where: { plugin: 'ambit > api > users', file: here },
  });
});

test('a dependency that is registered later does not count', async () => {
  const app = ambit();
  app.register(withMetadata({ name: 'users', dependencies: ['database'] }));
  app.register(withMetadata({ name: 'database' }));
  await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' });
});

const owners = [
  ['fastify', 'Fastify', (app: Context) => app.decorate('conn', 1)],
  ['request', 'Request', (app: Context) => app.decorateRequest('conn', 1)],
  ['reply', 'Reply', (app: Context) => app.decorateReply('conn', 1)],
] as const;
for (const [owner, shown, decorate] of owners) {
  const needy = () => withMetadata({ name: 'users', decorators: { [owner]: ['conn'] } });

  test(`a plugin that needs a ${owner} decorator is loaded where it is visible`, async () => {
    const app = ambit();
    decorate(app);
    app.register(async (child) => void child.register(needy()));
    await app.ready();
  });

  test(`a plugin that needs a ${owner} decorator is refused where it is missing`, async () => {
    const app = ambit();
    app.register(async (sibling) => void decorate(sibling));
    app.register(needy());
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE',
      message: `The decorator 'conn' required by 'users' is not present in ${shown}`,
      where: { plugin: expect.stringMatching(/^ambit > /), file: here },
    });
  });
}

for (const range of ['5.x', '^5.3.0', '4.x', '^4.17.0', '>=4', '4.x || 5.x', '5.12.8', '*', '>=5.0.0 <6']) {
  test(`a plugin written for the range ${range} is loaded`, async () => {
    const app = ambit();
    app.register(withMetadata({ name: 'users', fastify: range }));
    await app.ready();
    expect(app.hasPlugin('users')).toBe(true);
  });
}

for (const range of ['2.x', '>=99', '^3.0.0', '6.x', '5.12.9', '<4']) {
  test(`a plugin written for the range ${range} is refused, with both versions`, async () => {
    const app = ambit();
    app.register(withMetadata({ name: 'users', fastify: range }));
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_PLUGIN_VERSION_MISMATCH',
      message: `fastify-plugin: users - expected '${range}' fastify version, '5.12.8' is installed`,
      where: { plugin: expect.stringMatching(/^ambit > /), file: here },
    });
  });
}

for (const [what, metadata] of [
  ['dependencies that are no list', { name: 'users', dependencies: 'database' }],
  ['decorators that are no list', { name: 'users', decorators: { request: 'conn' } }],
  ['a version range that is none', { name: 'users', fastify: 'the newest' }],
] as const) {
  test(`a plugin with ${what} is refused`, async () => {
    const app = ambit();
    app.register(withMetadata(metadata as never));
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_PLUGIN_METADATA',
      where: { file: here },
    });
  });
}

test('the marker fastify.display-name gives the name to show', async () => {
  const app = ambit();
  app.register(withMetadata({}, { [Symbol.for('fastify.display-name')]: 'shown-name' }));
  await app.ready();
  expect(app.printPlugins()).toContain('shown-name');
});

test('a plugin wrapped with fastify-plugin is hoisted, named, and checked', async () => {
  const app = ambit();
  const wrapped = fastifyPlugin(
    async (context: { decorate(name: string, value: unknown): unknown }) => {
      context.decorate('db', 'connected');
    },
    { name: 'database', fastify: '5.x' },
  );
  app.register(wrapped as unknown as Plugin);
  await app.ready();
  expect(app.getDecorator('db')).toBe('connected');
  expect(app.hasPlugin('database')).toBe(true);
});

test('a plugin wrapped with fastify-plugin as encapsulated has a context of its own', async () => {
  const app = ambit();
  const wrapped = fastifyPlugin(
    async (context: { decorate(name: string, value: unknown): unknown }) => {
      context.decorate('db', 'connected');
    },
    { name: 'database', encapsulate: true },
  );
  app.register(wrapped as unknown as Plugin);
  await app.ready();
  expect(app.hasDecorator('db')).toBe(false);
  expect(app.hasPlugin('database')).toBe(true);
});

test('a plugin wrapped with fastify-plugin whose dependency is missing is refused', async () => {
  const app = ambit();
  app.register(
    fastifyPlugin(async () => {}, { name: 'users', dependencies: ['database'] }) as unknown as Plugin,
  );
  await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' });
});

// -------------------------------------------------------------------------------------------------------- wrong options

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
    "unknown option 'bodyLimt' of ambit(); did you mean 'bodyLimit'?",
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
    headersTimeout: 60_000,
    keepAliveTimeout: 72_000,
    pluginTimeout: 10_000,
    routerOptions: { maxParamLength: 100 },
  });
  expect(Object.isFrozen(initialConfig)).toBe(true);
});

// ----------------------------------------------------------------------------------------------------------- onRegister

test('onRegister is called with each child context and its options, not for hoisted plugins', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook(
    'onRegister',
    (child, options) => void seen.push([Object.getPrototypeOf(child) === app, options]),
  );
  app.register(async () => {}, { prefix: '/v1', answer: 42 });
  app.register(
    hoist(async () => {}),
    { hoisted: true },
  );
  await app.ready();
  expect(seen).toEqual([[true, { prefix: '/v1', answer: 42 }]]);
});
