/**
 * Loads plugins one after the other, each with everything that it registers. This is the order of avvio, which loads the plugins of
 * Fastify: published plugins rely on it, down to the tick in which a step runs.
 */

import { addPlace, type ErrorPlace } from '../../shared/call-site.ts';
import { textOf } from '../../shared/thrown-values.ts';
import { isThenable } from '../../shared/values.ts';
import type { Context } from '../../types/context.ts';
import { FailedWithoutError, PluginTimeout } from '../../types/errors.ts';
import type { ErrorTranslator } from '../../types/flavor.ts';
import type { Done } from '../../types/hooks.ts';

/** Gets the error of the steps before it, which is then handled, unless the listener passes it on to `done`. */
export type LoadListener = (error: Error | null, done: Done) => void;

/** What a step does. */
export interface Work {
  /**
   * A `plugin` is skipped after an error that no listener has handled. A `listener`, of `after`, gets that error. `internal` code is that
   * of the framework: it passes the error on, and what is added while it runs belongs to the step around it.
   */
  readonly kind: 'plugin' | 'listener' | 'internal';
  /** Read when it is shown. */
  readonly name: string;
  /** The function of the application that runs. */
  readonly fn: unknown;
  /** For a plugin that was registered as a promise: resolves when its function is known. */
  readonly whenKnown?: PromiseLike<void> | undefined;
  /** Returns the context that a plugin fills. `parent` is `undefined` if it was registered at the root. */
  open?(parent: Context | undefined): Context;
  /** @param error For a listener, the error of the steps before it. */
  run(error: Error | null, done: Done, context: Context | undefined): void;
  /** For the error of its time limit: where it was added, and what has not ended. */
  stuckPlace?(): ErrorPlace | undefined;
}

export interface LoaderSettings {
  readonly translateError: ErrorTranslator;
  /** Longest time in milliseconds for a step or a hook; 0 is no limit. */
  readonly timeoutMs: number;
  /** Everything has loaded, or was skipped. An error that it throws is that of boot. */
  onLoaded(): void;
}

/**
 * Work that the loader runs. A step has started when its code runs, and has loaded when also the steps that its code added have: they load
 * when the code has ended, before the next step of its parent.
 */
export class BootStep {
  readonly work: Work;
  /** The step whose code runs in this one. */
  readonly code: BootStep;
  /** The plugin whose code it is; `undefined` for the code of the application itself. */
  readonly owner: Work | undefined;
  /** How many steps its code has added so far. */
  added = 0;
  /** How many of them have not loaded yet. */
  unloaded = 0;

  // The rest belongs to the loader.
  /** Longest time until the code ends; 0 or less is no limit. */
  readonly timeoutMs: number;
  readonly queue: TaskQueue = new TaskQueue();
  /** The steps of the queue that have started. */
  readonly started: BootStep[] = [];
  context: Context | undefined = undefined;
  /** On the clock of `performance.now()`; 0 before. */
  startedAtMs = 0;
  /** When its own code was done; what it added may still be loading. And for how long the event loop had nothing to do until then. */
  codeEndedAtMs: number | undefined = undefined;
  idleMs = 0;
  loadedAtMs: number | undefined = undefined;
  /** Starts a wait that was asked for before the step had started: while its context was opened. */
  onStart: () => void = doNothing;
  /** Settles the promise of `loadSoFar`, which waits inside this step. */
  settleLoadSoFar: ((error?: Error | null) => void) | undefined = undefined;
  /** The promise of `wait`, until it settles, and the number of steps that it waits for: set on the step whose code waits. */
  currentWait: { readonly loaded: Promise<void>; readonly added: number } | undefined = undefined;

  constructor(work: Work, parent: BootStep | undefined, timeoutMs: number) {
    this.work = work;
    this.code = work.kind === 'internal' && parent !== undefined ? parent.code : this;
    this.owner = work.kind === 'plugin' ? work : parent?.code.owner;
    this.timeoutMs = timeoutMs;
  }

  get isRunning(): boolean {
    return this.startedAtMs > 0 && this.codeEndedAtMs === undefined;
  }

  get isLoaded(): boolean {
    return this.loadedAtMs !== undefined;
  }
}

export class Loader<Settings extends LoaderSettings = LoaderSettings> {
  readonly settings: Settings;
  /** Whether everything has loaded, or was skipped, and `onLoaded` has not thrown. */
  isLoaded = false;
  /** Whether the listeners of `load` have ended, too. */
  isFrozen = false;
  /** The code of the application itself. */
  readonly #root: BootStep;
  /** The steps that are loading, the innermost first. */
  readonly #loading: BootStep[];
  /** The listeners of `load` and `close`, and the close hooks. */
  readonly #listeners = new TaskQueue();
  readonly #closing = new TaskQueue();
  #hasStarted = false;
  /** The error that the next listener gets. */
  #error: Error | null = null;

  constructor(settings: Settings) {
    this.settings = settings;
    this.#root = new BootStep(
      { kind: 'internal', name: 'root', fn: undefined, run: doNothing },
      undefined,
      0,
    );
    this.#root.startedAtMs = performance.now();
    this.#loading = [this.#root];
    this.#listeners.onEmpty = () => {
      this.isFrozen = true;
    };
  }

  /** The step whose code runs. */
  get step(): BootStep {
    return (this.#loading[0] ?? this.#root).code;
  }

  /** Adds a step to the one that is loading. @throws An error of avvio if everything has loaded. */
  add(work: Work): BootStep {
    const [parent] = this.#loading;
    if (this.isLoaded || parent === undefined)
      throw avvioError('AVV_ERR_ROOT_PLG_BOOTED', 'Root plugin has already booted');
    const step = new BootStep(work, parent, this.#timeLeftIn(parent));
    const adder = parent.code;
    const counts = work.kind === 'internal' ? 0 : 1;
    adder.added += counts;
    adder.unloaded += counts;
    parent.queue.add((next) => {
      const done: Done = (error) => {
        adder.unloaded -= counts;
        if (error) this.#error = error;
        next();
      };
      const load = (): void => this.#load(step, parent, done);
      // In a new tick, so that a listener that waits for the steps before goes on first.
      process.nextTick(() => {
        if (work.whenKnown === undefined) load();
        else work.whenKnown.then(load, done);
      });
    });
    return step;
  }

  /** A step gets a little less time (3 ms) than the one around it, so that the error names the inner one. */
  #timeLeftIn({ startedAtMs, timeoutMs }: BootStep): number {
    return timeoutMs <= 0 ? this.settings.timeoutMs : timeoutMs - (performance.now() - startedAtMs + 3);
  }

  #load(step: BootStep, parent: BootStep, done: Done): void {
    const { work } = step;
    this.#loading.unshift(step);
    const finish: Done = (error) => this.#finish(step, error, done);
    const isPlugin = work.kind === 'plugin';
    if (isPlugin && this.#error !== null) {
      process.nextTick(finish);
      return;
    }
    try {
      step.context = work.open === undefined ? parent.context : work.open(parent.context);
    } catch (error) {
      finish(error as Error);
      return;
    }
    parent.started.push(step);
    const settle: Done = (error) => {
      step.codeEndedAtMs = performance.now();
      step.idleMs = idleSoFar() - idleBefore;
      finish(error);
    };
    const makeTimeout = (): Error => this.#makeTimeout('AVV_ERR_PLUGIN_EXEC_TIMEOUT', work);
    const end = withinMs<Error | null>(step.timeoutMs, settle, makeTimeout);
    // As in avvio, the end of a listener replaces the error of a step that has failed meanwhile.
    const endListener: Done = (error) => {
      this.#error = error ?? null;
      process.nextTick(end, error);
    };
    const idleBefore = idleSoFar();
    step.startedAtMs = performance.now();
    step.onStart();
    work.run(isPlugin ? null : this.#takeError(), isPlugin ? end : endListener, step.context);
  }

  /** Loads the steps that a step has added. `done` is called when they have loaded, or at once if there is an error. */
  #finish(step: BootStep, error: Error | null | undefined, done: Done): void {
    const end = (): void => {
      if (step.isLoaded) return;
      // With the steps inside it, if its time is over: what they go on to do has no place any more.
      for (const ended of this.#loading.splice(0, this.#loading.indexOf(step) + 1))
        ended.loadedAtMs = performance.now();
      done(error);
    };
    if (error) {
      step.settleLoadSoFar?.(error);
      end();
      return;
    }
    const check = (): void => {
      const { queue, settleLoadSoFar } = step;
      if (!queue.isIdle) {
        queue.onEmpty = () => queueMicrotask(check);
      } else if (settleLoadSoFar === undefined) end();
      else {
        settleLoadSoFar();
        // After the code that waited.
        queueMicrotask(() => queueMicrotask(check));
      }
    };
    // In a microtask, because code after an `await` may add steps.
    queueMicrotask(check);
    step.queue.resume();
  }

  /**
   * Resolves when everything that the running code has added so far has loaded. A step has one wait at a time: the next one begins in the
   * turn after, because the step that ends the first one loads what was added meanwhile.
   */
  wait(): Promise<void> {
    const { step } = this;
    const { currentWait, added } = step;
    if (currentWait?.added === added) return currentWait.loaded;
    const wait = { added, loaded: Promise.resolve() };
    step.currentWait = wait;
    // Not in a reaction of the promise, which would delay the code that waits: what it adds could come after the end of loading.
    const onEnd = (): void => {
      if (step.currentWait === wait) step.currentWait = undefined;
    };
    const load = (): Promise<void> => this.loadSoFar(onEnd);
    const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    wait.loaded = currentWait === undefined ? load() : currentWait.loaded.then(nextTurn, nextTurn).then(load);
    return wait.loaded;
  }

  /** Loads the steps that were added so far, while the code that has added them still runs. Steps that it adds later wait. */
  loadSoFar(onEnd: () => void = doNothing): Promise<void> {
    // As in avvio: plugins may be awaited before `load` is called, and in a step that the root has not reached yet.
    if (!this.#hasStarted && !this.isLoaded) process.nextTick(() => this.#root.queue.resume());
    const [step] = this.#loading;
    if (step === undefined || step.isLoaded || step.settleLoadSoFar !== undefined) {
      onEnd();
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      step.settleLoadSoFar = (error) => {
        step.settleLoadSoFar = undefined;
        onEnd();
        if (error) reject(error);
        else resolve();
      };
      const endHere: LoadListener = (error, done) => {
        step.queue.pause();
        step.settleLoadSoFar?.(error);
        process.nextTick(done, error);
      };
      const resumeUntilHere = (): void => {
        this.add({ kind: 'internal', name: listenerName, fn: endHere, run: endHere });
        step.queue.resume();
      };
      if (step.startedAtMs > 0) resumeUntilHere();
      else step.onStart = resumeUntilHere;
    });
  }

  /**
   * Starts loading. The listener is called when everything has loaded, or when loading has failed.
   * @param timeoutMs Longest time of the listener; 0 is no limit.
   */
  load(listener: LoadListener, timeoutMs: number = this.settings.timeoutMs): void {
    this.#listeners.add((next) => {
      const end = (error?: Error | null): void => {
        this.#error = error ?? null;
        process.nextTick(next);
      };
      const makeTimeout = (): Error =>
        this.#makeTimeout('AVV_ERR_READY_TIMEOUT', { name: listener.name, fn: listener });
      listener(this.#takeError(), withinMs(timeoutMs, end, makeTimeout));
    });
    queueMicrotask(() => this.#start());
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    process.nextTick(() => {
      this.#root.codeEndedAtMs = performance.now();
      this.#finish(this.#root, undefined, () => this.#endLoading());
    });
  }

  /** The first listener of `load` gets the error that no listener has handled. */
  #endLoading(): void {
    try {
      this.settings.onLoaded();
      this.isLoaded = true;
    } catch (error) {
      this.#error ??= this.settings.translateError(error as Error);
    }
    this.#listeners.resume();
  }

  #takeError(): Error | null {
    const error = this.#error;
    this.#error = null;
    return error;
  }

  /** Adds a hook that runs at `close`, before those that were added earlier. */
  addCloseStep(hook: (done: Done) => void): void {
    const task: Task = (next) =>
      hook((error) => {
        if (error) this.#error = error;
        next();
      });
    this.#closing.add(task, true);
  }

  /** Loads, and runs the hooks. The listener gets the error of the last one that failed. */
  close(listener: LoadListener): void {
    this.#listeners.add((next) => {
      this.#error = null;
      this.#closing.add((closed) => listener(this.#error, closed));
      process.nextTick(() => this.#closing.resume());
      process.nextTick(next);
    });
    queueMicrotask(() => this.#start());
  }

  /** The limits of nested steps end at about the same time, and any of them may be the first: the innermost one is named. */
  #makeTimeout(code: string, ended: Pick<Work, 'name' | 'fn' | 'stuckPlace'>): Error {
    const stuck = this.#loading.find(({ isRunning }) => isRunning)?.work ?? ended;
    const { name, fn } = stuck;
    const message = `Plugin did not start in time: '${name}'. You may have forgotten to call 'done' function or to resolve a Promise`;
    const where = stuck.stuckPlace?.();
    const hint = `its limit, \`pluginTimeout\`, is ${this.settings.timeoutMs} ms`;
    const options = { cause: avvioError(code, message, fn), hint, ...(where && { where }) };
    return this.settings.translateError(PluginTimeout.at(options, message));
  }

  /** The tree of the steps that have started, with the time of each. */
  print(): string {
    return printStep(this.#root, '');
  }
}

/** The idle time of the event loop; 0 on runtimes that do not measure it. */
const idleSoFar = (): number => performance.eventLoopUtilization?.().idle ?? 0;

/** The name under which avvio shows the listeners of `after`. */
export const listenerName = 'bound _after';

function printStep({ work, started, startedAtMs, loadedAtMs }: BootStep, prefix: string): string {
  const tookMs = loadedAtMs === undefined ? -1 : Math.round(loadedAtMs - startedAtMs);
  const lines = started.map((step, i) => {
    const isLast = i === started.length - 1;
    const below = prefix + (isLast ? '  ' : '│ ');
    const branch = (isLast ? '└─' : '├─') + (step.started.length === 0 ? '─ ' : '┬ ');
    return prefix + branch + printStep(step, below).slice(prefix.length + 2);
  });
  return `${prefix}${work.name} ${tookMs} ms\n${lines.join('')}`;
}

/**
 * Calls a plugin. If it returns a thenable, that is what ends it (the context is one: it waits for what was registered). Otherwise, it ends
 * with `done` if it takes three parameters, and at once if not.
 */
export function callPlugin(
  { length }: { readonly length: number },
  call: (done: (error?: unknown) => void) => unknown,
  done: Done,
  makeError: MakeError,
): void {
  let result: unknown;
  try {
    result = call(strictDone(done, makeError));
  } catch (thrown) {
    done(makeError(thrown));
    return;
  }
  if (isThenable(result))
    result.then(
      () => process.nextTick(done),
      (thrown) => process.nextTick(done, makeError(thrown)),
    );
  else if (length < 3) done();
}

/** Creates the error of a failed step from the value that it threw or passed to `done`. */
export type MakeError = (thrown: unknown) => Error;

/** The callback `done` for a step. Any argument but `undefined` and `null` fails the step. */
export function strictDone(done: Done, makeError: MakeError): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? done() : done(makeError(error)));
}

/**
 * Turns any value that a step failed with into an Error, because code that tests `if (error)` would read `false`, `0` and `''` as success.
 *
 * @param thrown An object is used as it is, because it may be an error of another realm. Any other value becomes the cause of a new Error.
 * @param step The step that failed, for that Error's message.
 * @param place Returns the place that the error gets if it has none.
 */
export function toError(thrown: unknown, step: string, place: () => ErrorPlace): Error {
  if (typeof thrown === 'object' && thrown !== null) return addPlace(thrown as Error, place);
  return FailedWithoutError.at({ cause: thrown, where: place() }, step, textOf(thrown));
}

/** An error as avvio makes it: applications on Fastify look for its code. */
export function avvioError(code: string, message: string, fn?: unknown): Error {
  return Object.assign(new Error(message), { code }, fn ? { fn } : undefined);
}

/**
 * Calls `done` once: when the step calls it, or with an error when the time limit is over.
 *
 * @param limitMs 0 or less is no limit.
 */
export function withinMs<Failure>(
  limitMs: number,
  done: (error?: Failure) => void,
  makeTimeout: () => NoInfer<Failure>,
): (error?: Failure) => void {
  let isDone = false;
  const end = (error?: Failure): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(error);
  };
  const timer = limitMs > 0 ? setTimeout(() => end(makeTimeout()), limitMs) : undefined;
  return end;
}

type Task = (next: () => void) => void;

/** Runs tasks one after the other. A new queue is paused. */
class TaskQueue {
  /** Called once, when no task is left. */
  onEmpty: () => void = doNothing;
  readonly #waiting: Task[] = [];
  #isPaused = true;
  #isRunning = false;

  get isIdle(): boolean {
    return !this.#isRunning && this.#waiting.length === 0;
  }

  add(task: Task, isFirst = false): void {
    if (isFirst) this.#waiting.unshift(task);
    else this.#waiting.push(task);
    if (!this.#isPaused && !this.#isRunning) this.#runNext();
  }

  /** The running task may end, but no other begins until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#isRunning) this.#runNext();
  }

  #runNext(): void {
    const task = this.#waiting[0];
    if (task === undefined) {
      const { onEmpty } = this;
      this.onEmpty = doNothing;
      onEmpty();
    } else if (!this.#isPaused) {
      this.#waiting.shift();
      this.#isRunning = true;
      task(() => {
        this.#isRunning = false;
        this.#runNext();
      });
    }
  }
}

function doNothing(): void {}
