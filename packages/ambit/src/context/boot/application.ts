/** What an application does as a whole: it boots once, runs the hooks `onReady`, `onListen` and `preClose`, and closes in order. */
import type { ErrorPlace } from '../../shared/call-site.ts';
import { isThenable } from '../../shared/values.ts';
import type { Context } from '../../types/context.ts';
import { HookTimeout } from '../../types/errors.ts';
import type { Done } from '../../types/hooks.ts';
import type { Logger } from '../../types/logger.ts';
import type { ContextNode } from '../context-node.ts';
import type { AddedHook } from '../hooks.ts';
import type { Boot } from './boot.ts';
import { toError, withinMs } from './loader.ts';

export class Lifecycle {
  readonly #boot: Boot;
  readonly #root: ContextNode;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  #booted: Promise<void> | undefined;
  #ready: Promise<Context> | undefined;
  #isReady = false;

  constructor(boot: Boot, root: ContextNode, timeoutMs: number, log: Logger) {
    this.#boot = boot;
    this.#root = root;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  /** Whether boot has succeeded. An application whose boot has failed handles no requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Boots once, with the `onReady` hooks. Boot starts in the next tick, so that declarations in the current turn still count. */
  whenBooted(): Promise<void> {
    this.#booted ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.#boot.ready((error, done) => {
          if (error) reject(error);
          // Queued again, so that the listeners that plugins have passed to Fastify's `ready` run first.
          else this.#boot.ready((_, done) => this.#finishBoot(resolve, reject, done));
          done();
        });
      });
    });
    return this.#booted;
  }

  #finishBoot(resolve: () => void, reject: (error: unknown) => void, done: Done): void {
    this.#runHooks('onReady', (error) => {
      this.#isReady = error === undefined;
      if (error === undefined) resolve();
      else reject(this.#root.app.translateError(error));
      done();
    });
  }

  /** As `whenBooted`, for the code of the application: what plugins do then comes before. */
  whenReady(): Promise<Context> {
    this.#ready ??= new Promise((resolve, reject) => {
      // Deferred, because the contexts are frozen in the next tick, and some runtimes run promise reactions before `nextTick` callbacks.
      this.whenBooted().then(() => process.nextTick(resolve, this.#root.api), reject);
    });
    return this.#ready;
  }

  /** Runs when the server listens. No caller waits for these hooks, so their errors are logged. */
  runListenHooks(): void {
    const report = (error: unknown): void => this.#log.error(error as object);
    this.#runHooks('onListen', () => {}, report);
  }

  /** Resolves when the servers have closed and every `onClose` hook has run. */
  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#boot.close((error, done) => {
        done();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /**
   * The first step of closing: runs the `preClose` hooks while requests are still served. All of them run, even if one fails.
   *
   * @param deadline If set, the hooks run in reverse order, and no hook is waited for after the deadline.
   * @returns The error of the first hook that failed, or `undefined`. Every failure is logged.
   */
  runCloseHooks(deadline: Deadline | undefined): Promise<unknown> {
    let failure: unknown;
    const report = (error: unknown): void => {
      failure ??= error;
      this.#log.error(error as object, 'preClose hook failed');
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
    const pending = [...this.#root.descendants()].flatMap((node) =>
      node.hooks.own(name).map((added) => ({ node, added })),
    );
    if (deadline !== undefined) pending.reverse();
    let index = 0;
    let isLooping = false;
    const next = (): void => {
      if (isLooping) return;
      isLooping = true;
      for (let previousIndex = -1; previousIndex !== index && index < pending.length; ) {
        previousIndex = index;
        const { node, added } = pending[index]!;
        runHook(node, added, name, limitOf(this.#timeoutMs, deadline), settle);
      }
      isLooping = false;
      if (index === pending.length) {
        index++;
        done();
      }
    };
    const settle: Settle = (error) => {
      if (error !== undefined && report === undefined) {
        index = Number.POSITIVE_INFINITY;
        done(error);
        return;
      }
      if (error !== undefined) report!(error);
      index++;
      next();
    };
    next();
  }
}

type ApplicationHookName = 'onReady' | 'onListen' | 'preClose';
type Settle = (error?: unknown) => void;
type Deadline = { readonly remainingMs: number };

/** The time limit of the next hook; 0 is no limit. */
function limitOf(timeoutMs: number, deadline: Deadline | undefined): number {
  if (deadline === undefined) return timeoutMs;
  return Math.max(1, Math.min(timeoutMs || Number.POSITIVE_INFINITY, deadline.remainingMs));
}

/** Runs one hook. A hook that takes a parameter gets a callback; on the facade, one that takes exactly one, as in Fastify. Settles once. */
function runHook(
  node: ContextNode,
  { hook, site }: AddedHook,
  name: ApplicationHookName,
  timeoutMs: number,
  settle: Settle,
): void {
  const quotedName = hook.name === '' ? '' : ` "${hook.name}"`;
  const step = `${name} hook${quotedName}`;
  const where = (): ErrorPlace => ({ plugin: node.path, file: site?.location, step });
  const settleOnce = withinMs(timeoutMs, settle, () => hookTimeout(name, quotedName, where()));
  const fail = (thrown: unknown): void => settleOnce(toError(thrown, `hook '${name}'${quotedName}`, where));
  try {
    const done: Settle = (error) => (error === undefined || error === null ? settleOnce() : fail(error));
    const { checksDeclarations } = node.app.compatibility;
    const getsDone = checksDeclarations || hook.length === 1;
    const result = getsDone ? hook.call(node.api, done as never) : hook.call(node.api);
    // Fastify waits for the callback even if the hook returns a promise.
    if (isThenable(result) && (checksDeclarations || !getsDone)) result.then(() => settleOnce(), fail);
    else if (!getsDone || hook.length === 0) settleOnce();
  } catch (error) {
    fail(error);
  }
}

function hookTimeout(name: ApplicationHookName, quotedName: string, where: ErrorPlace): Error {
  const cause = Object.assign(new Error(`hook '${name}'${quotedName} did not end in time`), {
    code: 'AVV_ERR_READY_TIMEOUT',
  });
  return HookTimeout.at({ cause, where }, name, quotedName);
}
