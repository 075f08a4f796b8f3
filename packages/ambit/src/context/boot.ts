/** Owns the order of boot, which is avvio's: plugins load one after the other, each with everything inside it. */
import avvio from 'avvio';
import type { Done } from '../contract/callback.ts';
import type { Context, PluginFunction } from '../contract/context.ts';
import {
  ParentAlreadyLoaded,
  PluginCallbackNotFunction,
  PluginInvalid,
  PluginTimeout,
  RootAlreadyBooted,
} from '../contract/errors.ts';
import { CallSite } from '../kit/call-site.ts';
import type { ErrorPlace } from '../kit/define-error.ts';
import { readField } from '../kit/text-of.ts';
import { isThenable } from '../kit/thenable.ts';
import { BootStep } from './boot-step.ts';
import { errorOf, strictDone } from './error-of.ts';
import { guardPlugin, type Registration, registrationOf } from './guarded-plugin.ts';

type Listener = (...args: never[]) => unknown;
type AvvioCallback = (error?: Error | null) => void;

/** The part of avvio that we use, typed for contexts. */
interface Avvio {
  override: (server: unknown, plugin: PluginFunction, options: object) => unknown;
  use(plugin: unknown, options: unknown): unknown;
  after(): Promise<void>;
  after(listener: (error: Error | null, done: AvvioCallback) => void): unknown;
  ready(listener: (error: Error | null, done: AvvioCallback) => void): void;
  close(listener: (error: Error | null, done: AvvioCallback) => void): void;
  onClose(hook: (root: unknown, done: AvvioCallback) => void): unknown;
  on(event: 'preReady' | 'start', listener: () => void): unknown;
  prettyPrint(): string;
  readonly booted: boolean;
}

export interface BootEvents {
  /** A plugin is about to run: answers with the context it fills. */
  enter(parent: Context, registration: Registration, options: object): Context;
  /** Every plugin has loaded. What it throws fails the boot. */
  onLoaded(): void;
  /** Boot is over, with its hooks. */
  onStarted(): void;
  /** Where a plugin that was entered stands, for an error that only names its function. */
  locate(registration: Registration): ErrorPlace | undefined;
}

const errorsByAvvioCode: Readonly<Record<string, typeof PluginInvalid>> = {
  AVV_ERR_CALLBACK_NOT_FN: PluginCallbackNotFunction,
  AVV_ERR_PLUGIN_NOT_VALID: PluginInvalid,
  AVV_ERR_ROOT_PLG_BOOTED: RootAlreadyBooted,
  AVV_ERR_PARENT_PLG_LOADED: ParentAlreadyLoaded,
  AVV_ERR_READY_TIMEOUT: PluginTimeout,
  AVV_ERR_PLUGIN_EXEC_TIMEOUT: PluginTimeout,
};

export class Boot {
  readonly #avvio: Avvio;
  readonly #events: BootEvents;
  readonly #timeoutMs: number;
  /** Where the listener of `after` that runs at the moment was given. */
  #listening: CallSite | undefined;
  /** The step whose code runs, or ran last. */
  #step = new BootStep();
  /** Whether the next read of `then` is that of a promise that is being resolved with the context. */
  #skipsThen = false;

  constructor(root: () => Context, timeoutMs: number, events: BootEvents) {
    this.#events = events;
    this.#timeoutMs = timeoutMs;
    const engine = avvio(null, { autostart: false, timeout: timeoutMs }) as unknown as Avvio;
    this.#avvio = engine;
    // Without a server of its own, avvio stands in for the root.
    engine.override = (server, plugin, options) => {
      const registration = registrationOf(plugin)!;
      this.#begin(registration.step);
      return events.enter(server === engine ? root() : (server as Context), registration, options);
    };
    engine.on('preReady', () => events.onLoaded());
    engine.on('start', () => events.onStarted());
  }

  get isLoaded(): boolean {
    return this.#avvio.booted;
  }

  /** The step whose code runs. What it registers loads after it. */
  get step(): BootStep {
    return this.#step;
  }

  #begin(within: BootStep): void {
    within.begin();
    this.#step = new BootStep();
  }

  /** @throws {PluginInvalid} {RootAlreadyBooted} {ParentAlreadyLoaded} */
  register(plugin: unknown, options: unknown): void {
    this.#skipsThen = false;
    const step = this.#step;
    try {
      this.#avvio.use(guardPlugin(plugin, { site: new CallSite(), step }, this.#timeoutMs), options);
    } catch (error) {
      throw this.translate(error as Error);
    }
    step.enqueue();
  }

  /** Runs a listener once what is registered so far has loaded. */
  after(context: Context, listener: Listener): void {
    this.#skipsThen = false;
    const site = new CallSite();
    const step = this.#step;
    this.#avvio.after((error, done) => {
      this.#begin(step);
      this.#listening = site;
      callListener(listener, context, error, (failure) => {
        this.#listening = undefined;
        done(failure);
      });
    });
    step.enqueue();
  }

  /** Resolves when everything registered so far has loaded. */
  afterAll(): Promise<void> {
    const step = this.#step;
    const resume = (): void => {
      this.#step = step;
    };
    return step.wait(() => this.#avvio.after().finally(resume));
  }

  /** Starts loading; the listener is called when everything has loaded, or failed to. */
  ready(listener: (error: Error | null, done: AvvioCallback) => void): void {
    this.#avvio.ready((error, done) => listener(error && this.translate(error), done));
  }

  /** The same from inside a plugin: the listener is called by its number of parameters, like `after`'s. */
  readyIn(context: Context, listener: Listener | undefined): Promise<Context> | undefined {
    if (listener !== undefined) {
      this.#avvio.ready((error, done) => callListener(listener, context, error, done));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#avvio.ready((error, done) => {
        if (error) reject(this.translate(error));
        else resolve(context);
        process.nextTick(done);
      });
    });
  }

  onClose(context: Context, hook: Listener): void {
    this.#avvio.onClose((_root, done) => callCloseHook(hook, context, done));
  }

  close(listener: (error: Error | null, done: AvvioCallback) => void): void {
    this.#avvio.close((error, done) => listener(error, done));
  }

  print(): string {
    return this.#avvio.prettyPrint();
  }

  /** What makes `await app.register(…)` wait: resolves with the context when what is registered has loaded. */
  thenOf(context: Context): PromiseLike<Context>['then'] | undefined {
    if (this.#avvio.booted) return undefined;
    // Resolving with the context reads its `then` again; that one must not wait, or it would never end.
    if (this.#skipsThen) {
      this.#skipsThen = false;
      return undefined;
    }
    return ((resolve: (context: Context) => unknown, reject: (error: unknown) => unknown) =>
      this.afterAll().then(() => this.#resolve(context, resolve), reject)) as PromiseLike<Context>['then'];
  }

  /** A promise reads `then` while it is being resolved, or never: a listener that is no promise's reads what it likes later. */
  #resolve(context: Context, resolve: (context: Context) => unknown): unknown {
    this.#skipsThen = true;
    try {
      return resolve(context);
    } finally {
      this.#skipsThen = false;
    }
  }

  #listenerPlace(): ErrorPlace | undefined {
    const site = this.#listening;
    return site && { file: site.place, step: 'the listener given to `after` has not ended' };
  }

  /** Avvio's errors under the codes of the catalogue, with the original as the cause. */
  translate(error: Error): Error {
    const code = String(readField(error, 'code'));
    const Known = Object.hasOwn(errorsByAvvioCode, code) ? errorsByAvvioCode[code] : undefined;
    if (Known === undefined) return error;
    const registration = registrationOf((error as { fn?: unknown }).fn);
    const where = registration === undefined ? this.#listenerPlace() : this.#events.locate(registration);
    return Known.at({ cause: error, ...(where && { where }) }, error.message);
  }
}

/** Calls `after`'s listener by the number of its parameters: (), (error), (error, done), (error, context, done). */
function callListener(listener: Listener, context: Context, error: Error | null, done: AvvioCallback): void {
  try {
    callByArity(listener, context, error, done);
  } catch (thrown) {
    process.nextTick(done, errorOf(thrown, afterListener));
  }
}

const afterListener = 'a listener of `after` or `ready`';
const closeHook = 'an onClose hook';

function callByArity(listener: Listener, context: Context, error: Error | null, done: AvvioCallback): void {
  const call = listener as (...args: unknown[]) => unknown;
  if (listener.length >= 3) call.call(context, error, context, strictDone(done, afterListener));
  else if (listener.length === 2) call.call(context, error, strictDone(done, afterListener));
  else {
    const result = listener.length === 0 ? call.call(context) : call.call(context, error);
    // A listener that takes the error has dealt with it.
    endAfter(result, done, afterListener, listener.length === 0 ? error : undefined);
  }
}

function callCloseHook(hook: Listener, context: Context, done: Done): void {
  const call = hook as (...args: unknown[]) => unknown;
  try {
    if (hook.length >= 2) call.call(context, context, strictDone(done, closeHook));
    else endAfter(call.call(context, context), done, closeHook);
  } catch (error) {
    process.nextTick(done, errorOf(error, closeHook));
  }
}

/** Ends a step of boot with `error`, in a turn of its own, once the result is there; one that rejects ends it by itself. */
function endAfter(result: unknown, done: AvvioCallback, what: string, error?: Error | null): void {
  if (!isThenable(result)) process.nextTick(done, error);
  else {
    result.then(
      () => process.nextTick(done, error),
      (thrown) => done(errorOf(thrown, what)),
    );
  }
}
