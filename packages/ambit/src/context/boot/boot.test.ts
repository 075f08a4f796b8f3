// How an application boots: the kinds of plugins, their number, and the order of steps.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, hoist, type Plugin } from 'ambit';
import { expect, test } from 'vitest';

const routeAt =
  (url: string): Plugin =>
  async (context) => {
    context.get(url, () => url);
  };

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
  app.register(import('../../../test/fixtures/default-export-plugin.ts'));
  expect((await app.inject('/from-module')).body).toBe('fromModule');
});

test('an ES module with a default export is a plugin', async () => {
  const app = ambit();
  app.register(await import('../../../test/fixtures/default-export-plugin.ts'));
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

test('a promise of a value that is not a plugin fails boot', async () => {
  const app = ambit();
  app.register(Promise.resolve({ default: 'plugin' }) as never);
  await expect(app.ready()).rejects.toThrow();
});

// ---------------------------------------------------------------------------------------------------------------- sizes

// The plugins have names, because the name of one without is its location, which takes longer to find than the plugin to boot.
// Fastify overflows the stack with 2,500.
test('3,000 sibling plugins boot', async () => {
  const app = ambit();
  for (let i = 0; i < 3_000; i++) {
    app.register(async function sibling(context) {
      context.get(`/sibling/${i}`, () => `/sibling/${i}`);
    });
  }
  await app.ready();
  expect((await app.inject('/sibling/2999')).body).toBe('/sibling/2999');
});

test('5,000 sibling plugins in callback style boot without a stack overflow', async () => {
  const app = ambit();
  let loaded = 0;
  for (let i = 0; i < 5_000; i++) {
    app.register(function sibling(_context, _options, done) {
      loaded++;
      done();
    });
  }
  await app.ready();
  expect(loaded).toBe(5_000);
});

test('1,000 nested plugins boot without a stack overflow, and the deepest sees the root', async () => {
  const app = ambit({ pluginTimeout: 0 });
  app.decorateRequest('answer', 42);
  const nest = (level: number): Plugin =>
    function nested(context, _options, done) {
      context.decorateRequest(`level${level}`, level);
      context.get(`/level/${level}`, (request) => [
        request.getDecorator('answer'),
        request.getDecorator(`level${level}`),
      ]);
      if (level < 1_000) context.register(nest(level + 1));
      done();
    };
  app.register(nest(1));
  await app.ready();
  expect((await app.inject('/level/1000')).json()).toEqual([42, 1_000]);
  await app.close();
}, 60_000);

// ---------------------------------------------------------------------------------------------------------------- order

test('plugins load one after the other, each with the plugins that it registers', async () => {
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

test('a listener of after gets the error of a plugin, which then counts as handled', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.register(async () => {
    throw new Error('no database');
  });
  app.after((error) => void seen.push(error?.message));
  await app.ready();
  expect(seen).toEqual(['no database']);
});

test('a listener of after without parameters does not handle the error', async () => {
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

test('boot waits for the promise that a listener of after returns', async () => {
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

test('ready inside a plugin calls its listener, and resolves with the context, once everything has loaded', async () => {
  const app = ambit();
  const order: unknown[] = [];
  app.register(async (context) => {
    context.ready((error) => void order.push(error ?? 'no error'));
    context.ready().then((instance) => order.push(instance === context));
  });
  app.register(async () => void order.push('plugin'));
  await app.ready();
  expect(order).toEqual(['plugin', 'no error', true]);
});

test('ready inside a plugin waits for the onReady hooks, and its listener gets the context of the plugin', async () => {
  const app = ambit();
  const order: unknown[] = [];
  app.register(async (context) => {
    context.ready((error, ready) => void order.push([error, ready === context]));
    context.ready().then((ready) => order.push(ready === context));
    context.addHook('onReady', async () => void order.push('onReady'));
  });
  await app.ready();
  expect(order).toEqual(['onReady', [null, true], true]);
});

const lateFailures: [string, (app: Context) => void][] = [
  [
    'a plugin that is registered later fails',
    (app) =>
      void app.register(async () => {
        throw new Error('no database');
      }),
  ],
  [
    'an onReady hook fails',
    (app) =>
      void app.addHook('onReady', async () => {
        throw new Error('no database');
      }),
  ],
];
for (const [what, fail] of lateFailures) {
  test(`if ${what}, ready inside a plugin tells it, as that of the application does`, async () => {
    const app = ambit();
    const told: unknown[] = [];
    app.register(async (context) => {
      context.ready((error) => void told.push(error?.message));
      context.ready().catch((error) => told.push(error.message));
    });
    fail(app);
    await expect(app.ready()).rejects.toThrow('no database');
    await nextTurn();
    expect(told).toEqual(['no database', 'no database']);
  });
}

test('ready takes a callback', async () => {
  const app = ambit();
  const error = await new Promise((resolve) => app.ready((error) => resolve(error)));
  expect(error).toBeNull();
});

test('ready passes the error of boot to its callback', async () => {
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

// ----------------------------------------------------------------------------------------------------------- onRegister

test('onRegister is called with each child context and its options, not for hoisted plugins', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook(
    'onRegister',
    (child, options) => void seen.push([Object.getPrototypeOf(child) === app, options]),
  );
  app.register(async (_child, _options: { answer: number }) => {}, { prefix: '/v1', answer: 42 });
  app.register(
    hoist(async () => {}),
    { hoisted: true },
  );
  await app.ready();
  expect(seen).toEqual([[true, { prefix: '/v1', answer: 42 }]]);
});
