/** Owns one step of loader.ts: a plugin, or a listener of `after`, and the steps that are added while it runs. */

import { isThenable } from '../../shared/thenable.ts';
import { metadataMarker, type PluginMetadata } from '../../types/plugins.ts';
import type { AvvioCallback } from './avvio.ts';
import { doNothing, TaskQueue } from './task-queue.ts';

export type StepFunction = (server: unknown, options: unknown, done: AvvioCallback) => unknown;

/** A plugin may be a promise of its function. */
export type StepSource = StepFunction | PromiseLike<StepFunction>;

export interface StepSettings {
  /** Listeners of `after` run after an error too, and fill no context. */
  readonly isListener: boolean;
  /** 0 or less is no limit. */
  readonly timeoutMs: number;
  /** Loads a step that was added to this one. */
  load(step: LoadStep, done: AvvioCallback): void;
}

/** The method by which a context takes a listener of `after`. */
interface ContextWithAfter {
  after(listener: (error: Error | null, done: AvvioCallback) => void): unknown;
}

/** A promise that settles when the steps that were added so far have loaded. */
interface Waiter {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

export class LoadStep {
  readonly settings: StepSettings;
  /** The steps that were added to this one. */
  readonly queue: TaskQueue<LoadStep>;
  source: StepSource;
  name: string;
  /** The context that the plugin fills; `undefined` until it runs. */
  server: unknown;
  startedAtMs = 0;
  isLoaded = false;
  readonly options: unknown;
  /** The steps of the queue that have begun. */
  readonly #started: LoadStep[] = [];
  #endedAtMs: number | undefined;
  #waiter: Waiter | undefined;
  #onStart = doNothing;

  constructor(source: StepSource, options: unknown, settings: StepSettings) {
    this.source = source;
    this.options = options;
    this.name = nameOf(source, options);
    this.settings = settings;
    this.queue = new TaskQueue((step, done) => process.nextTick(() => settings.load(step, done)));
  }

  /** Sets the function of a plugin that was registered as a promise. */
  setFunction(plugin: StepFunction): void {
    this.source = plugin;
    this.name = nameOf(plugin, this.options);
  }

  /** Runs the plugin or the listener. `callback` is called once. */
  run(server: unknown, parent: LoadStep | undefined, callback: AvvioCallback): void {
    this.server = server;
    if (parent !== undefined) parent.#started.push(this);
    const call = this.source as StepFunction;
    const { options } = this;
    const pluginOptions: unknown = typeof options === 'function' ? options(server) : options;
    let isOver = false;
    const end: AvvioCallback = (error) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      callback(error);
    };
    const { timeoutMs } = this.settings;
    const endByTimeout = (): void => end(timeoutError('AVV_ERR_PLUGIN_EXEC_TIMEOUT', this.name, call));
    const timer = timeoutMs > 0 ? setTimeout(endByTimeout, timeoutMs) : undefined;
    this.startedAtMs = Date.now();
    this.#onStart();
    const result = call(server, pluginOptions, end);
    if (isThenable(result)) {
      result.then(
        () => process.nextTick(end),
        (error) => process.nextTick(end, error),
      );
    } else if (call.length < 3) end();
  }

  /** Loads the steps that were added so far, while the plugin still runs. Steps that it adds later wait. */
  loadSoFar(): Promise<void> {
    if (this.isLoaded || this.#waiter !== undefined) return Promise.resolve();
    this.#waiter = makeWaiter();
    const { promise } = this.#waiter;
    if (this.server === undefined) this.#onStart = () => this.#resumeUntilHere();
    else this.#resumeUntilHere();
    return promise;
  }

  #resumeUntilHere(): void {
    (this.server as ContextWithAfter).after((error, done) => {
      this.queue.pause();
      this.#settleWaiter(error);
      process.nextTick(done, error);
    });
    this.queue.resume();
  }

  #settleWaiter(error?: Error | null): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (error) waiter?.reject(error);
    else waiter?.resolve();
  }

  /** Loads all steps that were added. `callback` is called when they have loaded, or at once if there is an error. */
  finish(error: Error | null | undefined, callback: AvvioCallback): void {
    const end = (): void => {
      if (this.isLoaded) return;
      this.isLoaded = true;
      this.#endedAtMs = Date.now();
      callback(error);
    };
    if (error) {
      this.#settleWaiter(error);
      end();
      return;
    }
    // In a microtask, because code after an `await` may add steps.
    const check = (): void => {
      const waiter = this.#waiter;
      if (!this.queue.isIdle) {
        this.queue.onEmpty = () => {
          this.queue.onEmpty = doNothing;
          queueMicrotask(check);
        };
      } else if (waiter === undefined) end();
      else {
        this.#settleWaiter();
        void waiter.promise.then(() => queueMicrotask(check));
      }
    };
    queueMicrotask(check);
    this.queue.resume();
  }

  /** The tree of steps that have begun, with the time of each. */
  print(prefix = ''): string {
    const tookMs = this.#endedAtMs === undefined ? -1 : this.#endedAtMs - this.startedAtMs;
    const lines = this.#started.map((step, i) => {
      const isLast = i === this.#started.length - 1;
      const below = prefix + (isLast ? '  ' : '│ ');
      const branch = (isLast ? '└─' : '├─') + (step.#started.length === 0 ? '─ ' : '┬ ');
      return prefix + branch + step.print(below).slice(prefix.length + 2);
    });
    return `${prefix}${this.name} ${tookMs} ms\n${lines.join('')}`;
  }
}

/** The name that avvio would show: that of the metadata, of the options or of the function, or else the source of the function. */
function nameOf(source: StepSource, options: unknown): string {
  const { [metadataMarker]: metadata, name } = source as { [metadataMarker]?: PluginMetadata; name?: string };
  const text = (): string =>
    String(source)
      .split('\n', 2)
      .map((line) => line.trim())
      .join(' -- ');
  return metadata?.name || (options as { name?: string }).name || name || text();
}

/** @param unfinished The function that has not ended, for the place of the error. */
export function timeoutError(code: string, name: string, unfinished: unknown): Error {
  const message = `Plugin did not start in time: '${name}'. You may have forgotten to call 'done' function or to resolve a Promise`;
  return Object.assign(new Error(message), { code, fn: unfinished });
}

function makeWaiter(): Waiter {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  return { promise, resolve, reject };
}
