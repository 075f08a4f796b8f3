// What plugins declare about themselves: names, dependencies, decorators, version ranges; and the real fastify-plugin.
import { ambit, type Context, hoist, type Plugin, type PluginMetadata } from 'ambit';
import fastifyPlugin from 'fastify-plugin';
import { expect, test } from 'vitest';
import { fastify } from '../../../../fastify/src/index.ts';

const here = expect.stringContaining('plugins.needs.test.ts');

/** A plugin with metadata, hoisted or not. */
function withMetadata(metadata: PluginMetadata, markers: object = {}): Plugin {
  return Object.assign(async () => {}, { [Symbol.for('plugin-meta')]: metadata }, markers) as Plugin;
}

test('hasPlugin finds a hoisted plugin by its name in its context and in child contexts, not in siblings', async () => {
  const app = ambit();
  const seen: { [context: string]: boolean } = {};
  app.register(hoist(async () => {}, 'database'));
  app.register(async (child) => {
    child.register(hoist(async () => {}, { name: 'users' }));
    child.after(() => {
      seen.child = child.hasPlugin('database') && child.hasPlugin('users');
    });
  });
  app.register(async (sibling) => {
    seen.sibling = sibling.hasPlugin('users');
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
  app.register(hoist(await import('../../../test/fixtures/default-export-plugin.ts')));
  expect((await app.inject('/from-module')).body).toBe('ambit -> fromModule');
});

test('pluginName lists the plugins of a context: the one that opened it, then those hoisted into it', async () => {
  const app = ambit();
  const names: string[] = [];
  app.register(async function users(context) {
    await context.register(hoist(async () => {}, 'database'));
    names.push(context.pluginName);
  });
  await app.ready();
  expect(names).toEqual(['users -> database']);
});

test('a plugin whose dependency is registered is loaded', async () => {
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

test('a plugin that depends on itself is refused, with its place', async () => {
  const app = ambit();
  app.register(withMetadata({ name: 'users', dependencies: ['users'] }));
  await expect(app.ready()).rejects.toMatchObject({
    code: 'AMBIT_ERR_PLUGIN_METADATA',
    message: 'plugin metadata: users depends on itself',
    where: { plugin: expect.stringContaining('ambit > '), file: here },
  });
});

test('a dependency that is registered later does not count', async () => {
  const app = ambit();
  app.register(withMetadata({ name: 'users', dependencies: ['database'] }));
  app.register(withMetadata({ name: 'database' }));
  await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' });
});

const owners = [
  ['fastify', 'Context', (app: Context) => app.decorate('conn', 1)],
  ['request', 'Request', (app: Context) => app.decorateRequest('conn', 1)],
  ['reply', 'Reply', (app: Context) => app.decorateReply('conn', 1)],
] as const;
for (const [owner, ownerName, decorate] of owners) {
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
      message: `The decorator 'conn' required by 'users' is not present in ${ownerName}`,
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
      message: `the plugin 'users' requires version '${range}' of the Fastify API, but this is '5.12.8'`,
      where: { plugin: expect.stringMatching(/^ambit > /), file: here },
    });
  });
}

test('on the facade, a version that replaces that of the application counts, as in Fastify', async () => {
  const app = fastify();
  Object.defineProperty(app, 'version', { value: '99.0.0-rc.1' });
  app.register(withMetadata({ name: 'users', fastify: '99.x' }));
  await expect(app.ready()).resolves.toBe(app);
});

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
