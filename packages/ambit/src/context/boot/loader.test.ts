/** Plugins load in the order of avvio: random plugins and listeners leave the same trace with both. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import avvio from 'avvio';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Avvio, AvvioCallback } from './avvio.ts';
import { makeLoader } from './loader.ts';

type Make = typeof makeLoader;

const makeAvvio: Make = (timeoutMs) =>
  avvio(null, { autostart: false, timeout: timeoutMs }) as unknown as Avvio;

type Listener = (error: Error | null, done: AvvioCallback) => void;

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
  readonly steps: Step[];
}

type Step = Call | Plugin;

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
  const open: Step[][] = [[]];
  for (const item of flat) {
    if (typeof item === 'string') open.length = Math.max(1, open.length - 1);
    else if ('style' in item) {
      const steps: Step[] = [];
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
  readonly #engine: Avvio;
  #count = 0;

  constructor(make: Make) {
    this.#engine = make(0);
    this.#engine.override = (_parent, { name }) => {
      this.lines.push(`context of ${name}`);
      return { after: (listener: never) => this.#engine.after(listener) };
    };
    this.#engine.on('preReady', () => void this.lines.push('preReady'));
    this.#engine.on('start', () => void this.lines.push('start'));
  }

  /** Boots, closes, and returns all lines. */
  async run(steps: readonly Step[]): Promise<readonly string[]> {
    for (const step of steps) void this.#take(step);
    await this.#reach('ready', (listener) => this.#engine.ready(listener));
    await this.#reach('closed', (listener) => this.#engine.close(listener));
    return this.lines;
  }

  /** The tree of what has run, without times. */
  print(): string {
    return this.#engine.prettyPrint().replace(/\d+ ms/g, '? ms');
  }

  /**
   * Every delay is at most one turn. What has not happened after many turns never happens, such as the end of two plugins that wait for
   * each other.
   */
  async #reach(name: string, listen: (listener: Listener) => void): Promise<void> {
    let isReached = false;
    listen((error, done) => {
      this.lines.push(`${name}: ${error?.message}, booted: ${this.#engine.booted}`);
      isReached = true;
      process.nextTick(done);
    });
    for (let turn = 0; turn < 100 && !isReached; turn++) await nextTurn();
  }

  /** @returns What an async plugin awaits. */
  #take(step: Step): Promise<void> | undefined {
    const name = `${step.what} ${this.#count++}`;
    const end = (done: AvvioCallback): void =>
      later[step.end](() => {
        this.lines.push(`end of ${name}`);
        done(step.fails ? new Error(`${name} failed`) : undefined);
      });
    const listen = (error: Error | null, done: AvvioCallback): void => {
      this.lines.push(`${name}: ${error?.message}`);
      end(done);
    };
    try {
      switch (step.what) {
        case 'wait':
          return this.#engine.after().then(
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
          this.#engine.onClose((_root, done) => listen(null, done));
          break;
        default: {
          const plugin = this.#makePlugin(name, step, end);
          this.#engine.use(step.what === 'plugin' ? plugin : Promise.resolve(plugin), {});
        }
      }
    } catch (error) {
      this.lines.push(`${name}: ${(error as Error).message}`);
    }
    return undefined;
  }

  #makePlugin(name: string, { style, steps }: Plugin, end: (done: AvvioCallback) => void): unknown {
    const begin = (): void => void this.lines.push(`begin of ${name}`);
    const takeAll = (): void => {
      begin();
      for (const step of steps) void this.#take(step);
    };
    const plugins = {
      sync: (_context: unknown, _options: unknown) => takeAll(),
      callback: (_context: unknown, _options: unknown, done: AvvioCallback) => {
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
  const plugin = (...steps: Step[]): Step => ({
    what: 'plugin',
    style: 'async',
    end: 'at once',
    fails: false,
    steps,
  });
  const listener: Step = { what: 'listener', end: 'at once', fails: false };
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
  for (const make of [makeLoader, makeAvvio])
    expect(() => make(0).use(plugin, {})).toThrow(
      expect.objectContaining({ code: 'AVV_ERR_PLUGIN_NOT_VALID', message }),
    );
});

test.each([
  [
    'a plugin',
    'AVV_ERR_PLUGIN_EXEC_TIMEOUT',
    (engine: Avvio) => void engine.use(function stuck(_a: never, _b: never, _done: never) {}, {}),
  ],
  ['a listener of ready', 'AVV_ERR_READY_TIMEOUT', (engine: Avvio) => engine.ready((_error, _done) => {})],
])('%s that does not end fails after the time limit, as with avvio', async (_what, code, add) => {
  const errors = await Promise.all(
    [makeLoader, makeAvvio].map((make) => {
      const engine = make(10);
      add(engine);
      return new Promise<Error | null>((resolve) => engine.ready((error) => resolve(error)));
    }),
  );
  expect(errors[0]).toMatchObject({ code, message: errors[1]!.message, fn: expect.any(Function) });
});
