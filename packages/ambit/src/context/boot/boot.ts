/** What loads at boot, and in which order: plugins and listeners of `after`. At the end of the application, its `onClose` hooks. */

import { CallSite, type ErrorPlace } from '../../shared/call-site.ts';
import { isThenable } from '../../shared/values.ts';
import type { Context } from '../../types/context.ts';
import { HookTimeout, ParentAlreadyLoaded, RootAlreadyBooted } from '../../types/errors.ts';
import type { Done } from '../../types/hooks.ts';
import type { Origin } from '../../types/inspection.ts';
import { nodeOf } from '../context-node.ts';
import {
  Loader,
  type LoaderEvents,
  listenerName,
  type MakeError,
  strictDone,
  toError,
  withinMs,
} from './loader.ts';
import { type PluginSettings, Registration } from './plugins.ts';

type Listener = (...args: never[]) => unknown;

/** A listener of `after` that the application added, and when it ran. */
interface AfterListener extends Origin {
  readonly context: Context;
  readonly listener: Listener;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

/** The loader of an application. */
export class Boot extends Loader {
  readonly #settings: PluginSettings;
  readonly #afterListeners: AfterListener[] = [];
  #limitsCloseHooks = false;
  /** Whether the next read of `then` comes from a promise that is being resolved with the context. */
  #skipsThen = false;

  constructor(options: Omit<PluginSettings, 'registrations'> & LoaderEvents) {
    super(options.timeoutMs, options);
    this.#settings = { ...options, registrations: [] };
  }

  /** The plugins that have begun to load, in order. */
  get registrations(): readonly Registration[] {
    return this.#settings.registrations;
  }

  /** The listeners of `after` that the application added, in order. */
  get afterListeners(): readonly AfterListener[] {
    return this.#afterListeners;
  }

  register(plugin: unknown, options: unknown): void {
    this.#skipsThen = false;
    const registration = new Registration(plugin, options, new CallSite(), this.step, this.#settings);
    try {
      this.add(registration);
    } catch (error) {
      const { code, message } = error as Error & { code: string };
      const TooLate = code === 'AVV_ERR_ROOT_PLG_BOOTED' ? RootAlreadyBooted : ParentAlreadyLoaded;
      throw TooLate.at({ cause: error }, message);
    }
  }

  /** Runs a listener of the application once what is registered so far has loaded, and records when. */
  runAfter(context: Context, listener: Listener): void {
    const times = { startedAtMs: undefined, endedAtMs: undefined };
    const added: AfterListener = { context, listener, site: new CallSite(), step: this.step, ...times };
    this.#afterListeners.push(added);
    this.after(context, listener, added);
  }

  /** @param added If the application has added the listener: its line, and where its times are recorded. */
  after(context: Context, listener: Listener, added?: AfterListener): void {
    this.#skipsThen = false;
    const name = 'the listener passed to `after`';
    const makeError = this.#makeErrorFor(name, context, added?.site);
    this.add({
      kind: 'listener',
      name: listenerName,
      fn: listener,
      locate: () => placeOf(context, added?.site, `${name} has not ended`),
      run: (error, done) => {
        if (added !== undefined) added.startedAtMs = performance.now();
        const end: Done = (failure) => {
          if (added !== undefined) added.endedAtMs = performance.now();
          done(failure);
        };
        callListener(listener, context, error, end, makeError);
      },
    });
  }

  /**
   * Runs a function of the framework once what is registered so far has loaded, and before what is registered later loads. It registers
   * nothing, so it does not count as a step.
   */
  whenLoadedSoFar(run: () => void): void {
    this.add({
      kind: 'internal',
      name: listenerName,
      fn: run,
      run: (error, done) => {
        run();
        done(error);
      },
    });
  }

  /** The `then` that makes `await app.register(…)` wait until everything registered so far has loaded; `undefined` after boot. */
  thenOf(context: Context): PromiseLike<Context>['then'] | undefined {
    if (this.isLoaded) return undefined;
    // A promise that is resolved with the context reads its `then` again. That read must not wait, or it would never end.
    if (this.#skipsThen) {
      this.#skipsThen = false;
      return undefined;
    }
    const then = (resolve: (context: Context) => unknown, reject: (error: unknown) => unknown) =>
      this.wait().then(() => {
        // A promise reads `then` during the call of its `resolve`. Any later read is by code that waits.
        this.#skipsThen = true;
        try {
          return resolve(context);
        } finally {
          this.#skipsThen = false;
        }
      }, reject);
    return then as PromiseLike<Context>['then'];
  }

  /**
   * `ready` of a plugin as in Fastify: a step of its own, before the `onReady` hooks. It does not get an error that the application has seen,
   * and the number of the listener's parameters decides how it is called, as with `after`.
   */
  readyIn(context: Context, listener: Listener | undefined): Promise<Context> | undefined {
    if (listener !== undefined) {
      const makeError = this.#makeErrorFor('the listener passed to `ready`', context, new CallSite());
      this.ready((error, done) => callListener(listener, context, error, done, makeError));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.ready((error, done) => {
        if (error) reject(error);
        else resolve(context);
        process.nextTick(done);
      });
    });
  }

  onClose(context: Context, hook: Listener): void {
    const { compatibility, timeoutMs } = this.#settings;
    const site = new CallSite();
    // Fastify passes nothing to a hook that declares no parameter.
    const getsContext = compatibility.checksDeclarations || hook.length > 0;
    const listener: Listener = getsContext ? hook : () => (hook as () => unknown).call(context);
    const makeError = this.#makeErrorFor('the onClose hook', context, site);
    const quotedName = hook.name === '' ? '' : ` "${hook.name}"`;
    const makeTimeout = (): Error =>
      HookTimeout.at({ where: placeOf(context, site, `onClose hook${quotedName}`) }, 'onClose', quotedName);
    this.addCloseStep((done) => {
      const limitMs = this.#limitsCloseHooks ? timeoutMs : 0;
      callCloseHook(listener, context, withinMs<Error | null>(limitMs, done, makeTimeout), makeError);
    });
  }

  /** Adds the step that closes connections. It must be added last, because it then runs first. It has a time limit of its own. */
  onShutDown(context: Context, shutDown: () => Promise<void>): void {
    const makeError = this.#makeErrorFor('the end of connections', context, undefined);
    this.addCloseStep((done) => callCloseHook(shutDown, context, done, makeError));
  }

  /** From now on, an `onClose` hook that takes longer than a plugin may take to load fails, and the next one runs. */
  limitCloseHooks(): void {
    this.#limitsCloseHooks = true;
  }

  #makeErrorFor(thrower: string, context: Context, site: CallSite | undefined): MakeError {
    return (thrown) =>
      this.#settings.translateError(toError(thrown, thrower, () => placeOf(context, site, thrower)));
  }
}

function placeOf(context: Context, site: CallSite | undefined, step: string): ErrorPlace {
  return { plugin: nodeOf(context).path, file: site?.location, step };
}

/** The number of the listener's parameters decides what it gets: (), (error), (error, done) or (error, context, done). */
function callListener(
  listener: Listener,
  context: Context,
  error: Error | null,
  done: Done,
  makeError: MakeError,
): void {
  const call = listener as (...args: unknown[]) => unknown;
  try {
    if (listener.length >= 3) call.call(context, error, context, strictDone(done, makeError));
    else if (listener.length === 2) call.call(context, error, strictDone(done, makeError));
    else if (listener.length === 1) endAfter(call.call(context, error), done, makeError);
    // A listener that takes the error has dealt with it; this one has not.
    else endAfter(call.call(context), done, makeError, error);
  } catch (thrown) {
    process.nextTick(done, makeError(thrown));
  }
}

function callCloseHook(hook: Listener, context: Context, done: Done, makeError: MakeError): void {
  const call = hook as (...args: unknown[]) => unknown;
  try {
    if (hook.length >= 2) call.call(context, context, strictDone(done, makeError));
    else endAfter(call.call(context, context), done, makeError);
  } catch (error) {
    process.nextTick(done, makeError(error));
  }
}

/** Ends a step in a new turn when the result has settled: with the reason if the result rejects, otherwise with `error`. */
function endAfter(result: unknown, done: Done, makeError: MakeError, error?: Error | null): void {
  if (!isThenable(result)) process.nextTick(done, error);
  else {
    result.then(
      () => process.nextTick(done, error),
      (thrown) => done(makeError(thrown)),
    );
  }
}
