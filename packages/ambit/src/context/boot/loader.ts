/** Loads plugins one after the other, each with everything that it registers: in the order of avvio, which plugins rely on. */

import { isThenable } from '../../shared/thenable.ts';
import type { PluginFunction } from '../../types/plugins.ts';
import type { Avvio, AvvioCallback } from './avvio.ts';
import {
  LoadStep,
  type StepFunction,
  type StepSettings,
  type StepSource,
  timeoutError,
} from './load-step.ts';
import { TaskQueue } from './task-queue.ts';

type Listener = (error: Error | null, done: AvvioCallback) => void;
type CloseHook = (root: unknown, done: AvvioCallback) => void;
type Task = (done: AvvioCallback) => void;

export function makeLoader(timeoutMs: number): Avvio {
  return new Loader(timeoutMs);
}

class Loader implements Avvio {
  booted = false;
  readonly #timeoutMs: number;
  /** The steps that are loading, the innermost first. */
  readonly #loading: LoadStep[] = [];
  readonly #ready = new TaskQueue<Task>((task, done) => task(done));
  readonly #closing = new TaskQueue<Task>((task, done) => task(done));
  readonly #listeners: { preReady?: () => void; start?: () => void } = {};
  readonly #root: LoadStep;
  #isStarted = false;
  #endRoot!: AvvioCallback;
  /** The error that the next listener gets. */
  #error: Error | null | undefined = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#ready.onEmpty = () => {
      this.#listeners.start?.();
      this.#ready.onEmpty = () => {};
    };
    const root: StepFunction = (_server, _options, done) => {
      this.#endRoot = done;
    };
    this.#root = this.#makeStep(root, {}, { isListener: false, timeoutMs: 0 });
    this.#load(this.#root, (error) => this.#endLoading(error));
  }

  /** Boot replaces it before the first plugin is added. */
  override: Avvio['override'] = (server) => server;

  on(event: 'preReady' | 'start', listener: () => void): void {
    this.#listeners[event] = listener;
  }

  use(plugin: unknown, options: unknown): void {
    this.#add(plugin, options, false);
  }

  after(): Promise<void>;
  after(listener: Listener): unknown;
  after(listener?: Listener): unknown {
    if (listener === undefined) return this.#loadSoFar();
    const call: StepFunction = (_server, _options, done) => this.#callListener(listener, done);
    return this.#add(Object.defineProperty(call, 'name', { value: 'bound _after' }), {}, true);
  }

  ready(listener: Listener): void {
    this.#ready.add((done) => this.#callListener(listener, done));
    queueMicrotask(() => this.#start());
  }

  onClose(hook: CloseHook): void {
    this.#closing.addFirst(
      (done) => hook(this, done),
      (error) => this.#saveError(error),
    );
  }

  close(listener: Listener): void {
    this.#ready.add((done) => {
      this.#error = null;
      this.#closing.add((closed) => listener(this.#error ?? null, closed));
      process.nextTick(() => this.#closing.resume());
      process.nextTick(done);
    });
    queueMicrotask(() => this.#start());
  }

  prettyPrint(): string {
    return this.#root.print();
  }

  #start(): void {
    this.#isStarted = true;
    process.nextTick(this.#endRoot);
  }

  #saveError(error: Error | null | undefined): void {
    if (error) this.#error = error;
  }

  #makeStep(
    source: StepSource,
    options: unknown,
    limits: Pick<StepSettings, 'isListener' | 'timeoutMs'>,
  ): LoadStep {
    return new LoadStep(source, options, { ...limits, load: (step, done) => this.#load(step, done) });
  }

  #add(source: unknown, options: unknown, isListener: boolean): void {
    if (!isStepSource(source))
      throw makeError(
        'AVV_ERR_PLUGIN_NOT_VALID',
        `Plugin must be a function or a promise. Received: '${kindOf(source)}'`,
      );
    const [parent] = this.#loading;
    if (this.booted || parent === undefined)
      throw makeError('AVV_ERR_ROOT_PLG_BOOTED', 'Root plugin has already booted');
    const step = this.#makeStep(source, options || {}, { isListener, timeoutMs: this.#timeLeftIn(parent) });
    if (parent.isLoaded) {
      const message = `Impossible to load '${step.name}' plugin because the parent '${parent.name}' was already loaded`;
      throw makeError('AVV_ERR_PARENT_PLG_LOADED', message);
    }
    parent.queue.add(step, (error) => this.#saveError(error));
  }

  /** A step gets a little less time than its parent, so that the timeout error names the inner step. */
  #timeLeftIn({ isLoaded, startedAtMs, settings: { timeoutMs } }: LoadStep): number {
    return isLoaded || timeoutMs <= 0 ? this.#timeoutMs : timeoutMs - (Date.now() - startedAtMs + 3);
  }

  #loadSoFar(): Promise<void> {
    // Plugins may be awaited before `ready` is called.
    if (!this.#isStarted && !this.booted) process.nextTick(() => this.#root.queue.resume());
    return this.#loading[0]?.loadSoFar() ?? Promise.resolve();
  }

  #load(step: LoadStep, done: AvvioCallback): void {
    const { source, options, settings } = step;
    if (isThenable<StepFunction>(source)) {
      source.then((plugin) => {
        step.setFunction(plugin);
        this.#load(step, done);
      }, done);
      return;
    }
    const [parent] = this.#loading;
    this.#loading.unshift(step);
    const finish: AvvioCallback = (error) =>
      step.finish(error, (failure) => {
        this.#loading.shift();
        done(failure);
      });
    if (this.#error && !settings.isListener) {
      process.nextTick(finish);
      return;
    }
    let server: unknown = parent?.server ?? this;
    try {
      if (!settings.isListener) server = this.override(server, source as PluginFunction, options as object);
    } catch (error) {
      finish(error as Error);
      return;
    }
    step.run(server, parent, finish);
  }

  /** Called when every plugin has loaded, or was skipped after an error. The first listener of `ready` gets that error. */
  #endLoading(loadError: Error | null | undefined): void {
    let error = loadError;
    try {
      this.#listeners.preReady?.();
    } catch (thrown) {
      error = error || this.#error || (thrown as Error);
    }
    if (error) {
      this.#error = error;
      if (this.#ready.isIdle) throw error;
    } else this.booted = true;
    this.#ready.resume();
  }

  /** The listener gets the error of the steps before it. The error then counts as handled. */
  #callListener(listener: Listener, done: AvvioCallback): void {
    const loadError = this.#error;
    this.#error = null;
    let isOver = false;
    const end: AvvioCallback = (error) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#error = error;
      process.nextTick(done, error);
    };
    const endByTimeout = (): void => {
      isOver = true;
      this.#error = timeoutError('AVV_ERR_READY_TIMEOUT', listener.name, listener);
      done(this.#error);
    };
    const timer = this.#timeoutMs > 0 ? setTimeout(endByTimeout, this.#timeoutMs) : undefined;
    listener(loadError as Error | null, end);
  }
}

function isStepSource(value: unknown): value is StepSource {
  return typeof value === 'function' || isThenable(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function makeError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
