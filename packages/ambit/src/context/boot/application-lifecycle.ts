/** Owns the lifecycle of an application: boots it once, runs the application hooks, and closes it in order. */
import type { Context } from '../../types/context.ts';
import type { Logger } from '../../types/logger.ts';
import type { ContextNode } from '../context-node.ts';
import type { Boot } from './boot.ts';
import { type ApplicationHookRun, runApplicationHooks } from './run-application-hooks.ts';

export class Lifecycle {
  readonly #boot: Boot;
  readonly #root: ContextNode;
  readonly #timeoutMs: number;
  readonly #log: Logger;
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

  /** Boots once. Boot starts in the next tick, so that declarations in the current turn still count. */
  whenReady(): Promise<Context> {
    this.#ready ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.#boot.ready((error, done) => {
          if (error) reject(error);
          // Queued again, so that the listeners that plugins have passed to `ready` run first.
          else this.#boot.ready((_, done) => this.#finishBoot(resolve, reject, done));
          done();
        });
      });
    });
    return this.#ready;
  }

  #finishBoot(resolve: (context: Context) => void, reject: (error: Error) => void, done: () => void): void {
    runApplicationHooks(this.#hooks('onReady'), (error) => {
      if (error) reject(this.#boot.translate(error as Error));
      else {
        this.#isReady = true;
        // Deferred, because the contexts are frozen in the next tick, and some runtimes run promise reactions before `nextTick` callbacks.
        process.nextTick(resolve, this.#root.api);
      }
      done();
    });
  }

  /** Runs when the server listens. No caller waits for these hooks, so their errors are logged. */
  runListenHooks(): void {
    const report = (error: unknown): void => this.#log.error(error as object);
    runApplicationHooks({ ...this.#hooks('onListen'), report }, () => {});
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
  runCloseHooks(deadline: { readonly remainingMs: number } | undefined): Promise<unknown> {
    let failure: unknown;
    const report = (error: unknown): void => {
      failure ??= error;
      this.#log.error(error as object, 'preClose hook failed');
    };
    const run = { ...this.#hooks('preClose'), report, deadline, isReversed: deadline !== undefined };
    return new Promise((resolve) => runApplicationHooks(run, () => resolve(failure)));
  }

  #hooks(name: ApplicationHookRun['name']): ApplicationHookRun {
    return { root: this.#root, name, timeoutMs: this.#timeoutMs };
  }
}
