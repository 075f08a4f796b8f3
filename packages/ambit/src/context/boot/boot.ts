/**
 * What an application does as a whole: it loads plugins and the listeners of `after`, runs the hooks `onReady`, `onListen` and `preClose`,
 * and at its end the `onClose` hooks.
 */

import { CallSite, type ErrorPlace } from '../../shared/call-site.ts';
import { describeError } from '../../shared/readable.ts';
import { isThenable } from '../../shared/values.ts';
import type { Context } from '../../types/context.ts';
import { HookTimeout, ParentAlreadyLoaded, RootAlreadyBooted } from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { Done } from '../../types/hooks.ts';
import type { Origin } from '../../types/inspection.ts';
import type { Logger } from '../../types/logger.ts';
import type { ContextNode } from '../context-node.ts';
import { nodeOf } from '../definitions.ts';
import type { AddedHook } from '../hooks.ts';
import {
  avvioError,
  type BootStep,
  Loader,
  type LoaderSettings,
  listenerName,
  type MakeError,
  strictDone,
  toError,
  type Work,
  withinMs,
} from './loader.ts';
import { Registration } from './plugins.ts';

type Listener = (...args: never[]) => unknown;

/** A listener of `after` that the application added, and the step that runs it. */
interface AfterListener extends Origin {
  readonly context: Context;
  readonly listener: Listener;
  readonly runStep: BootStep;
}

export interface BootSettings extends LoaderSettings {
  readonly compatibility: Compatibility;
  root(): ContextNode;
}

/**
 * The states of an application, each with one word, in names, too:
 * - **loaded**: everything that was registered has loaded, or was skipped after a failure, and all routes are compiled (`isLoaded`).
 * - **ready**: the `onReady` hooks have run, too: it handles requests. An application whose boot has failed never is (`isReady`).
 * - **frozen**: boot has ended, in success or not: contexts do not change any more (`isFrozen`).
 * - **listening**: a server accepts connections (`Transport`).
 * - **stopping**, **draining**, **closing**: what `ServerState` says; then **shutting down** and **closed** (`Closing`).
 */
export class Boot extends Loader<BootSettings> {
  /** The plugins that have begun to load, in order. */
  readonly registrations: Registration[] = [];
  /** The listeners of `after` that the application added, in order. */
  readonly afterListeners: AfterListener[] = [];
  /** Whether boot has succeeded. An application whose boot has failed handles no requests. */
  isReady = false;
  #readyInPlugins: Promise<void> | undefined;
  #ready: Promise<Context> | undefined;
  /** Whether an `onClose` hook that takes longer than a plugin may take to load fails, and the next one runs. */
  limitsCloseHooks = false;
  /** Whether the next read of `then` comes from a promise that is being resolved with the context. */
  #skipsThen = false;

  /** @param node The context whose `register` was called. */
  register(plugin: unknown, options: unknown, { loading, path }: ContextNode): void {
    // Code inside the `resolve` of a promise may register and wait.
    this.#skipsThen = false;
    const registration = new Registration(plugin, options, new CallSite(), this);
    // On the facade, as in avvio, it would fill a child of whichever plugin loads just now.
    if (loading?.isLoaded && !this.isLoaded && this.settings.compatibility.checksDeclarations) {
      const problem = `Impossible to load '${registration.name}' plugin because the parent '${path}' was already loaded`;
      throw new ParentAlreadyLoaded(problem);
    }
    registration.runStep = this.add(registration);
  }

  override add(work: Work): BootStep {
    try {
      return super.add(work);
    } catch (error) {
      // Fastify translates the error of `register` only.
      if (work.kind !== 'plugin' && !this.settings.compatibility.checksDeclarations) throw error;
      throw RootAlreadyBooted.at({ cause: error }, (error as Error).message);
    }
  }

  /**
   * Runs code of the application once what is registered so far has loaded.
   *
   * @param site The line that passed the listener to `after`; `undefined` for `onRoute` hooks that run late.
   */
  after(context: Context, listener: Listener, site: CallSite | undefined): void {
    this.#skipsThen = false;
    const name = 'the listener passed to `after`';
    const makeError = this.#makeErrorFor(name, context, site);
    const { step } = this;
    const runStep = this.add({
      kind: 'listener',
      name: listenerName,
      fn: listener,
      stuckPlace: () => contextPlace(context, site, `${name} has not ended`),
      run: (error, done) => callListener(listener, context, error, done, makeError),
    });
    if (site !== undefined) this.afterListeners.push({ context, listener, site, step, runStep });
  }

  /**
   * Runs a function of the framework once what is registered so far has loaded, and before what is registered later loads. It registers
   * nothing, so it does not count as a step.
   */
  addInternalStep(run: () => void): void {
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

  /** As `whenReadyInPlugins`, just after: what plugins do then comes before what the code of the application does. */
  whenReady(): Promise<Context> {
    this.#ready ??= new Promise((resolve, reject) => {
      // Deferred, because the contexts are frozen in the next tick, and some runtimes run promise reactions before `nextTick` callbacks.
      this.whenReadyInPlugins().then(() => process.nextTick(resolve, this.settings.root().api), reject);
    });
    return this.#ready;
  }

  /** Boots once. Boot starts in the next tick, so that declarations in the current turn still count. */
  whenReadyInPlugins(): Promise<void> {
    this.#readyInPlugins ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.load((error, done) => {
          if (error) reject(error);
          // Queued again, so that the listeners that plugins have passed to Fastify's `ready` run first. Each `onReady` hook has a limit.
          else this.load((_, done) => this.#runReadyHooks(resolve, reject, done), 0);
          done();
        });
      });
    });
    return this.#readyInPlugins;
  }

  #runReadyHooks(resolve: () => void, reject: (error: unknown) => void, done: Done): void {
    this.#runHooks('onReady', (error) => {
      this.isReady = error === undefined;
      if (error === undefined) resolve();
      else reject(this.settings.translateError(error));
      done();
    });
  }

  /**
   * `ready` of a plugin as in Fastify: when everything has loaded, before the `onReady` hooks. It does not get an error that the application has seen,
   * and the number of the listener's parameters decides how it is called, as with `after`.
   */
  whenLoaded(context: Context, listener: Listener | undefined): Promise<Context> | undefined {
    if (listener !== undefined) {
      const makeError = this.#makeErrorFor('the listener passed to `ready`', context, new CallSite());
      this.load((error, done) => callListener(listener, context, error, done, makeError));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.load((error, done) => {
        if (error) reject(error);
        else resolve(context);
        process.nextTick(done);
      });
    });
  }

  /** Runs when the server listens. No caller waits for these hooks, so their errors are logged. */
  runListenHooks(log: Logger): void {
    const report = (error: unknown): void => log.error(error as object);
    this.#runHooks('onListen', () => {}, report);
  }

  /**
   * The first step of closing: runs the `preClose` hooks while requests are still served. All of them run, even if one fails.
   *
   * @param deadline If set, the hooks run in reverse order, and no hook is waited for after the deadline.
   * @returns The error of the first hook that failed, or `undefined`. Every failure is logged.
   */
  runCloseHooks(log: Logger, deadline: Deadline | undefined): Promise<unknown> {
    let failure: unknown;
    const report = (error: unknown): void => {
      failure ??= error;
      log.error(error as object, 'preClose hook failed');
    };
    return new Promise((resolve) => this.#runHooks('preClose', () => resolve(failure), report, deadline));
  }

  /**
   * Runs the hooks one after the other. As long as hooks end synchronously, the next one runs in the same turn.
   *
   * @param report If set, it is called with the error of each hook that fails, and the next hook runs. Without it, the first error ends the
   *   run.
   */
  #runHooks(
    name: ApplicationHookName,
    done: Settle,
    report?: (error: unknown) => void,
    deadline?: Deadline,
  ): void {
    // Hooks that are added during this run do not run in it.
    const pending = [...this.settings.root().descendants()].flatMap((node) => node.ownHooks(name));
    if (deadline !== undefined) pending.reverse();
    const { timeoutMs } = this.settings;
    const limitMs = (): number =>
      deadline === undefined
        ? timeoutMs
        : Math.max(1, Math.min(timeoutMs || Number.POSITIVE_INFINITY, deadline.remainingMs));
    const runFrom = (first: number): void => {
      for (let i = first; i < pending.length; i++) {
        let isInCall = true;
        let hasEnded = false;
        runHook(pending[i]!, name, limitMs(), (error) => {
          if (error !== undefined && report === undefined) {
            done(error);
            return;
          }
          if (error !== undefined) report!(error);
          hasEnded = true;
          if (!isInCall) runFrom(i + 1);
        });
        isInCall = false;
        if (!hasEnded) return;
      }
      done();
    };
    runFrom(0);
  }

  onClose(context: Context, hook: Listener): void {
    const { compatibility, timeoutMs } = this.settings;
    const site = new CallSite();
    const makeError = this.#makeLateErrorFor('the onClose hook', context, site);
    const quotedName = quoteName(hook);
    const makeTimeout = (): Error =>
      HookTimeout.at(
        { where: contextPlace(context, site, `onClose hook${quotedName}`) },
        'onClose',
        quotedName,
      );
    // Fastify passes nothing to a hook that declares no parameter.
    const args = compatibility.checksDeclarations || hook.length > 0 ? [context] : [];
    this.addCloseStep((done) => {
      const end = withinMs<Error | null>(this.limitsCloseHooks ? timeoutMs : 0, done, makeTimeout);
      callStep(hook, context, args, hook.length >= 2, end, makeError);
    });
  }

  /** Adds the step that closes connections. It must be added last, because it then runs first. It has a time limit of its own. */
  onShutDown(context: Context, shutDown: () => Promise<void>): void {
    const makeError = this.#makeLateErrorFor('the end of connections', context, undefined);
    this.addCloseStep((done) => callStep(shutDown, context, [], false, done, makeError));
  }

  /** Resolves when the servers have closed and every `onClose` hook has run. */
  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.close((error, done) => {
        done();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #makeErrorFor(thrower: string, context: Context, site: CallSite | undefined): MakeError {
    return (thrown) =>
      this.settings.translateError(toError(thrown, thrower, () => contextPlace(context, site, thrower)));
  }

  /** As `#makeErrorFor`, for what fails when the application has started. */
  #makeLateErrorFor(thrower: string, context: Context, site: CallSite | undefined): MakeError {
    const makeError = this.#makeErrorFor(thrower, context, site);
    return (thrown) => describeError(makeError(thrown), { prefix: '' });
  }
}

function contextPlace(context: Context, site: CallSite | undefined, step: string): ErrorPlace {
  return { plugin: nodeOf(context).path, file: site?.file, step };
}

/** The number of the listener's parameters decides what it gets: (), (error), (error, done) or (error, context, done). */
function callListener(
  listener: Listener,
  context: Context,
  error: Error | null,
  done: Done,
  makeError: MakeError,
): void {
  const { length } = listener;
  // A listener that takes the error has dealt with it; one without parameters has not.
  if (length === 0) callStep(listener, context, [], false, (failure) => done(failure ?? error), makeError);
  else callStep(listener, context, length < 3 ? [error] : [error, context], length > 1, done, makeError);
}

/**
 * Calls a function of the application. It ends with `done` if it takes that as its last argument. If not, it ends in a new turn, when its
 * result has settled.
 */
function callStep(
  step: Listener,
  context: Context,
  args: readonly unknown[],
  takesDone: boolean,
  done: Done,
  makeError: MakeError,
): void {
  const call = step as (...args: unknown[]) => unknown;
  try {
    if (takesDone) {
      call.call(context, ...args, strictDone(done, makeError));
      return;
    }
    const result = call.call(context, ...args);
    if (isThenable(result))
      result.then(
        () => process.nextTick(done),
        (thrown) => done(makeError(thrown)),
      );
    else process.nextTick(done);
  } catch (thrown) {
    process.nextTick(done, makeError(thrown));
  }
}

type ApplicationHookName = 'onReady' | 'onListen' | 'preClose';
type Settle = (error?: unknown) => void;
type Deadline = { readonly remainingMs: number };

/** Runs one hook. A hook that takes a parameter gets a callback; on the facade, one that takes exactly one, as in Fastify. Settles once. */
function runHook(
  { hook, context, site }: AddedHook,
  name: ApplicationHookName,
  timeoutMs: number,
  settle: Settle,
): void {
  const quotedName = quoteName(hook);
  const place = (): ErrorPlace => contextPlace(context, site, `${name} hook${quotedName}`);
  const hookName = `hook '${name}'${quotedName}`;
  const settleOnce = withinMs(timeoutMs, settle, () => {
    const cause = avvioError('AVV_ERR_READY_TIMEOUT', `${hookName} did not end in time`);
    return HookTimeout.at({ cause, where: place() }, name, quotedName);
  });
  const fail = (thrown: unknown): void => {
    const error = toError(thrown, hookName, place);
    settleOnce(name === 'onReady' ? error : describeError(error, { prefix: '' }));
  };
  try {
    const done: Settle = (error) => (error === undefined || error === null ? settleOnce() : fail(error));
    const { checksDeclarations } = nodeOf(context).app.compatibility;
    const getsDone = checksDeclarations || hook.length === 1;
    const result = getsDone ? hook.call(context, done as never) : hook.call(context);
    // Fastify waits for the callback even if the hook returns a promise.
    if (isThenable(result) && (checksDeclarations || !getsDone)) result.then(() => settleOnce(), fail);
    else if (!getsDone || hook.length === 0) settleOnce();
  } catch (error) {
    fail(error);
  }
}

function quoteName({ name }: Listener): string {
  return name === '' ? '' : ` "${name}"`;
}
