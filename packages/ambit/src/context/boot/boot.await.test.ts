// `await app.register(…)`: it resolves when everything that was registered so far has loaded.
import { setTimeout as delay } from 'node:timers/promises';
import { fastify } from '@ambit/fastify';
import { ambit, type Context, hoist, type Plugin } from 'ambit';
import { expect, test } from 'vitest';

const slowly = hoist(async (context: Context) => {
  await delay(2);
  context.decorate('db', 'connected');
});

const chains: [string, (context: Context) => unknown][] = [
  ['a synchronous plugin that returns its chain', (context) => context.get('/a', () => 'a')],
  [
    'a synchronous plugin that returns a chain with a plugin in it',
    (context) => context.register(async (inner) => void inner.get('/a', () => 'a')),
  ],
  ['an async plugin that returns its chain', async (context) => context.get('/a', () => 'a')],
  ['a plugin that returns the promise of its context', (context) => Promise.resolve(context)],
];

for (const [flavor, make] of [
  ['ambit', ambit],
  ['the facade', () => fastify()],
] as const) {
  for (const [what, plugin] of chains) {
    test(`on ${flavor}, awaiting register after ${what} waits until the plugin has loaded`, async () => {
      const app = make() as Context;
      app.register(plugin as Plugin);
      await app.register(slowly);
      expect(app.getDecorator('db')).toBe('connected');
      await app.ready();
    });

    test(`on ${flavor}, a plugin that comes after ${what} can await another`, async () => {
      const app = make() as Context;
      const seen: unknown[] = [];
      app.register(plugin as Plugin);
      app.register(async (context) => {
        await context.register(slowly);
        seen.push(context.getDecorator('db'));
      });
      await app.ready();
      expect(seen).toEqual(['connected']);
    });

    test(`on ${flavor}, a plugin that awaits register after ${what} finds what it waited for`, async () => {
      const app = make() as Context;
      const seen: unknown[] = [];
      app.register(async (context) => {
        await context.register(plugin as Plugin);
        await context.register(slowly);
        seen.push(context.getDecorator('db'));
      });
      await app.ready();
      expect(seen).toEqual(['connected']);
    });
  }

  test(`on ${flavor}, what registers inside the callback of then can be awaited there`, async () => {
    const app = make() as Context;
    const seen: unknown[] = [];
    await new Promise((resolve, reject) => {
      app
        .register(async () => {})
        .then(async (context) => {
          await context.register(slowly);
          seen.push(context.getDecorator('db'));
        })
        .then(resolve, reject);
    });
    expect(seen).toEqual(['connected']);
  });

  test(`on ${flavor}, awaiting the context twice is harmless`, async () => {
    const app = make() as Context;
    app.register(slowly);
    expect(await app).toBe(app);
    expect(await app).toBe(app);
    expect(app.getDecorator('db')).toBe('connected');
  });

  test(`on ${flavor}, a registration that is awaited beside another waits for its own plugin`, async () => {
    const app = make() as Context;
    const seen: unknown[] = [];
    const first = app.register(async () => {}).after();
    app.register(slowly);
    const second = app.after().then(() => seen.push(app.getDecorator('db')));
    await Promise.all([first, second]);
    expect(seen).toEqual(['connected']);
  });

  test(`on ${flavor}, two registrations awaited at once both wait`, async () => {
    const app = make() as Context;
    const seen: unknown[] = [];
    const await1 = async () => {
      await app.register((context) => context.get('/b', () => 'b'));
      seen.push('first');
    };
    const await2 = async () => {
      await app.register(slowly);
      seen.push(app.getDecorator('db'));
    };
    await Promise.all([await1(), await2()]);
    expect(seen).toEqual(['first', 'connected']);
  });
}
