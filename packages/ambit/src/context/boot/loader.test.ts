/** Plugins load in the order of avvio: random plugins and listeners leave the same trace with both. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type Done } from 'ambit';
import avvio from 'avvio';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callPlugin, Loader, type LoadListener } from './loader.ts';

type PluginFunction = (context: unknown, options: unknown, done: Done) => unknown;

/** The calls that both have. */
interface Engine {
  readonly isLoaded: boolean;
  use(plugin: PluginFunction | Promise<PluginFunction>): void;
  wait(): Promise<void>;
  after(listener: LoadListener): void;
  ready(listener: LoadListener): void;
  onClose(hook: (done: Done) => void): void;
  close(listener: LoadListener): void;
  print(): string;
}

/** What the loader and avvio tell their user. */
interface Events {
  open(name: string): void;
  onLoaded(): void;
  onEnded(): void;
}

type Make = (timeoutMs: number, events?: Events) => Engine;

const noEvents: Events = { open: () => {}, onLoaded: () => {}, onEnded: () => {} };
const translateError = <T>(error: T): T => error;

const makeLoader: Make = (timeoutMs, events = noEvents) => {
  const loader = new Loader({ timeoutMs, onLoaded: events.onLoaded, translateError });
  Object.defineProperty(loader, 'isFrozen', { set: () => events.onEnded() });
  const passOn = (thrown: unknown): Error => thrown as Error;
  return {
    get isLoaded() {
      return loader.isLoaded;
    },
    use: (given) => {
      let plugin: PluginFunction;
      const know = (known: PluginFunction): void => {
        plugin = known;
      };
      const whenKnown = given instanceof Promise ? given.then(know) : know(given);
      loader.add({
        kind: 'plugin',
        whenKnown: whenKnown as Promise<void> | undefined,
        get name() {
          return plugin.name;
        },
        get fn() {
          return plugin;
        },
        open: () => {
          events.open(plugin.name);
          return {} as Context;
        },
        run: (_error, done, context) => callPlugin(plugin, (end) => plugin(context, {}, end), done, passOn),
      });
    },
    wait: () => loader.loadSoFar(),
    after: (listener) => loader.add({ kind: 'listener', name: 'bound _after', fn: listener, run: listener }),
    ready: (listener) => loader.load(listener),
    onClose: (hook) => loader.addCloseStep(hook),
    close: (listener) => loader.close(listener),
    print: () => loader.print(),
  };
};

const makeAvvio: Make = (timeoutMs, events = noEvents) => {
  const boot = avvio(null as never, { autostart: false, timeout: timeoutMs });
  boot.override = (_parent, { name }) => {
    events.open(name);
    return { after: (listener: never) => boot.after(listener) } as never;
  };
  boot.on('preReady', () => events.onLoaded());
  boot.on('start', () => events.onEnded());
  return {
    get isLoaded() {
      return boot.booted;
    },
    use: (plugin) => void boot.use(plugin as never, {}),
    wait: () => boot.after(undefined as never) as unknown as Promise<void>,
    after: (listener) => void boot.after(listener as never),
    ready: (listener) => void boot.ready(listener as never),
    onClose: (hook) => void boot.onClose(((_root: unknown, done: Done) => hook(done)) as never),
    close: (listener) => void boot.close(listener as never),
    print: () => boot.prettyPrint(),
  };
};

/** When a plugin or a listener ends. */
type End = 'at once' | 'in a microtask' | 'in a tick' | 'in a turn';

interface Call {
  readonly what: 'listener' | 'wait' | 'ready' | 'onClose';
  readonly end: End;
  readonly fails: boolean;
}

interface Plugin extends Omit<Call, 'what'> {
  readonly what: 'plugin' | 'promise of a plugin';
  readonly style: 'sync' | 'callback' | 'async';
  readonly steps: BootStep[];
}

type BootStep = Call | Plugin;

const ending = {
  end: fc.constantFrom<End>('at once', 'in a microtask', 'in a tick', 'in a turn'),
  fails: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
};
const call = fc.record({
  what: fc.constantFrom<Call['what']>('listener', 'wait', 'ready', 'onClose'),
  ...ending,
});
const opening = fc.record({
  what: fc.constantFrom<Plugin['what']>('plugin', 'plugin', 'promise of a plugin'),
  style: fc.constantFrom<Plugin['style']>('sync', 'callback', 'async'),
  ...ending,
});
const closing = fc.constant('end of the plugin');

/** Generated as a flat list, like brackets in a text, because fast-check can shrink such a list well. */
const anySteps = fc.array(fc.oneof(call, opening, closing), { maxLength: 20, size: 'max' }).map((flat) => {
  const open: BootStep[][] = [[]];
  for (const item of flat) {
    if (typeof item === 'string') open.length = Math.max(1, open.length - 1);
    else if ('style' in item) {
      const steps: BootStep[] = [];
      open.at(-1)!.push({ ...item, steps });
      open.push(steps);
    } else open.at(-1)!.push(item);
  }
  return open[0]!;
});

const later: Readonly<Record<End, (run: () => void) => void>> = {
  'at once': (run) => run(),
  'in a microtask': queueMicrotask,
  'in a tick': (run) => process.nextTick(run),
  'in a turn': (run) => void setImmediate(run),
};

/** Runs the steps with one of the two, and records what happens in which order. */
class Trace {
  readonly lines: string[] = [];
  readonly #engine: Engine;
  #count = 0;

  constructor(make: Make) {
    this.#engine = make(0, {
      open: (name) => void this.lines.push(`context of ${name}`),
      onLoaded: () => void this.lines.push('preReady'),
      onEnded: () => void this.lines.push('start'),
    });
  }

  /** Boots, closes, and returns all lines. */
  async run(steps: readonly BootStep[]): Promise<readonly string[]> {
    for (const step of steps) void this.#take(step);
    await this.#reach('ready', (listener) => this.#engine.ready(listener));
    await this.#reach('closed', (listener) => this.#engine.close(listener));
    return this.lines;
  }

  /** The tree of what has run, without times. */
  print(): string {
    return this.#engine.print().replace(/\d+ ms/g, '? ms');
  }

  /**
   * Every delay is at most one turn. What has not happened after many turns never happens, such as the end of two plugins that wait for
   * each other.
   */
  async #reach(name: string, listen: (listener: LoadListener) => void): Promise<void> {
    let isReached = false;
    listen((error, done) => {
      this.lines.push(`${name}: ${error?.message}, booted: ${this.#engine.isLoaded}`);
      isReached = true;
      process.nextTick(done);
    });
    for (let turn = 0; turn < 100 && !isReached; turn++) await nextTurn();
  }

  /** @returns What an async plugin awaits. */
  #take(step: BootStep): Promise<void> | undefined {
    const name = `${step.what} ${this.#count++}`;
    const end = (done: Done): void =>
      later[step.end](() => {
        this.lines.push(`end of ${name}`);
        done(step.fails ? new Error(`${name} failed`) : undefined);
      });
    const listen = (error: Error | null, done: Done): void => {
      this.lines.push(`${name}: ${error?.message}`);
      end(done);
    };
    try {
      switch (step.what) {
        case 'wait':
          return this.#engine.wait().then(
            () => void this.lines.push(name),
            (error: Error) => void this.lines.push(`${name}: ${error.message}`),
          );
        case 'listener':
          this.#engine.after(listen);
          break;
        case 'ready':
          this.#engine.ready(listen);
          break;
        case 'onClose':
          this.#engine.onClose((done) => listen(null, done));
          break;
        default: {
          const plugin = this.#makePlugin(name, step, end);
          this.#engine.use(step.what === 'plugin' ? plugin : Promise.resolve(plugin));
        }
      }
    } catch (error) {
      this.lines.push(`${name}: ${(error as Error).message}`);
    }
    return undefined;
  }

  #makePlugin(name: string, { style, steps }: Plugin, end: (done: Done) => void): PluginFunction {
    const begin = (): void => void this.lines.push(`begin of ${name}`);
    const takeAll = (): void => {
      begin();
      for (const step of steps) void this.#take(step);
    };
    const plugins = {
      sync: (_context: unknown, _options: unknown) => takeAll(),
      callback: (_context: unknown, _options: unknown, done: Done) => {
        takeAll();
        end(done);
      },
      async: async () => {
        begin();
        for (const step of steps) await this.#take(step);
        await new Promise<void>((resolve, reject) => end((error) => (error ? reject(error) : resolve())));
      },
    };
    return Object.defineProperty(plugins[style], 'name', { value: name });
  }
}

test('random plugins and listeners run in the order of avvio', async () => {
  const property = fc.asyncProperty(anySteps, async (steps) => {
    expect(await new Trace(makeLoader).run(steps)).toEqual(await new Trace(makeAvvio).run(steps));
  });
  await fc.assert(property, { numRuns: 2000 });
});

test('the tree of plugins is printed as avvio prints it', async () => {
  const plugin = (...steps: BootStep[]): BootStep => ({
    what: 'plugin',
    style: 'async',
    end: 'at once',
    fails: false,
    steps,
  });
  const listener: BootStep = { what: 'listener', end: 'at once', fails: false };
  const steps = [plugin(plugin(listener), plugin()), listener, plugin(plugin(plugin()))];
  const traces = [new Trace(makeLoader), new Trace(makeAvvio)];
  for (const trace of traces) await trace.run(steps);
  const [printed, expected] = traces.map((trace) => trace.print());
  expect(printed).toBe(expected);
});

test.each([
  ['a text', 'no plugin', "Plugin must be a function or a promise. Received: 'string'"],
  ['null', null, "Plugin must be a function or a promise. Received: 'null'"],
  ['a list', [], "Plugin must be a function or a promise. Received: 'array'"],
])('%s is refused as avvio refuses it', (_what, plugin, message) => {
  const code = 'AVV_ERR_PLUGIN_NOT_VALID';
  expect(() => makeAvvio(0).use(plugin as never)).toThrow(expect.objectContaining({ code, message }));
  expect(() => ambit().register(plugin as never)).toThrow(
    expect.objectContaining({ message, cause: expect.objectContaining({ code, message }) }),
  );
});

test.each([
  [
    'a plugin',
    'AVV_ERR_PLUGIN_EXEC_TIMEOUT',
    (engine: Engine) => engine.use(function stuck(_a, _b, _done) {}),
  ],
  ['a listener of ready', 'AVV_ERR_READY_TIMEOUT', (engine: Engine) => engine.ready((_error, _done) => {})],
])('%s that does not end fails after the time limit, as with avvio', async (_what, code, add) => {
  const errors = await Promise.all(
    [makeLoader, makeAvvio].map((make) => {
      const engine = make(10);
      add(engine);
      return new Promise<Error | null>((resolve) => engine.ready((error) => resolve(error)));
    }),
  );
  expect(errors[0]!.cause).toMatchObject({ code, message: errors[1]!.message, fn: expect.any(Function) });
});
