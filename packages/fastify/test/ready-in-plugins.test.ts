/** `ready` of a plugin: the facade calls its listeners, and goes on, as Fastify does. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { fastify as facade } from '../src/index.ts';

type Tell = (line: string) => void;
type Listener = (...args: unknown[]) => void;

/** What a listener can tell of its arguments. Fastify passes `undefined` or `null` if there is no error. */
const kindOf = (value: unknown, plugin: FastifyInstance): string => {
  if (value === plugin) return 'the plugin';
  return value instanceof Error
    ? value.message
    : String(typeof value === 'function' ? 'done' : (value ?? 'none'));
};

/** Ways to call `ready` in a plugin. */
const calls: Record<string, (plugin: FastifyInstance, tell: Tell) => void> = {
  'a listener without parameters': (plugin, tell) => plugin.ready(() => tell('called')),
  'a listener with the error': (plugin, tell) => plugin.ready((error) => tell(kindOf(error, plugin))),
  'a listener with the error and done': (plugin, tell) => {
    const listener: Listener = (error, done) => {
      tell(`${kindOf(error, plugin)}, ${kindOf(done, plugin)}`);
      (done as () => void)();
    };
    plugin.ready(listener as never);
  },
  'a listener with the error, the context and done': (plugin, tell) => {
    const listener: Listener = (error, context, done) => {
      tell(`${kindOf(error, plugin)}, ${kindOf(context, plugin)}`);
      (done as () => void)();
    };
    plugin.ready(listener as never);
  },
  'a promise': (plugin, tell) => {
    plugin.ready().then(
      (context) => tell(kindOf(context, plugin)),
      (error) => tell(error.message),
    );
  },
};

/** What happens around the plugin. */
const applications: Record<
  string,
  (app: FastifyInstance, plugin: (context: FastifyInstance) => Promise<void>, tell: Tell) => unknown
> = {
  boots: (app, plugin, tell) => app.register(plugin).addHook('onReady', async () => tell('onReady')),
  'has a later plugin that fails': (app, plugin) => {
    app.register(plugin);
    app.register(async () => {
      throw new Error('no database');
    });
  },
  'has an onReady hook that fails': (app, plugin) => {
    app.register(plugin);
    app.addHook('onReady', async () => {
      throw new Error('no database');
    });
  },
  'awaits the plugin': async (app, plugin, tell) => {
    await app.register(plugin);
    tell('awaited');
  },
};

async function trace(app: FastifyInstance, call: string, application: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const tell: Tell = (line) => void lines.push(line);
  await applications[application]!(app, async (plugin) => calls[call]!(plugin, tell), tell);
  await app.ready().then(
    () => tell('the application is ready'),
    (error) => tell(`the application: ${error.message}`),
  );
  await nextTurn();
  return lines;
}

for (const call of Object.keys(calls)) {
  for (const application of Object.keys(applications)) {
    test(`${call} passed to ready in a plugin, when the application ${application}`, async () => {
      const expected = await trace(Fastify(), call, application);
      expect(await trace(facade() as never, call, application)).toEqual(expected);
    });
  }
}

test('a plugin that calls ready leaves the application open for what is registered after it was awaited', async () => {
  const app = facade();
  await app.register(async (plugin) => {
    plugin.ready(() => {});
  });
  expect(() => app.register(async () => {})).not.toThrow();
});
