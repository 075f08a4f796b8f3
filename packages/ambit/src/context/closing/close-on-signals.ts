/** Closes applications in order, and then ends the process, when the process gets a signal or an exception was not caught. */
import { createRequire } from 'node:module';
import { lazyModule } from '../../shared/lazy-module.ts';
import { didYouMean } from '../../shared/nearest-name.ts';
import type { Context } from '../../types/context.ts';
import { CloseOptionsInvalid } from '../../types/errors.ts';
import type { CloseOnSignalsOptions, CloseOptions } from '../../types/options.ts';
import type { ContextNode } from '../context-node.ts';
import { nodeOf, withContextPlace } from '../definitions.ts';
import { maxTimerMs } from '../options/check-options.ts';
import { checkCloseOptions, defaultGraceMs } from './closing.ts';

const require = createRequire(import.meta.url);

const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));
const loadCluster = lazyModule<typeof import('node:cluster').default>(() => require('node:cluster'));

const defaultSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
/** A process cannot listen to these signals. */
const uncatchableSignals: readonly string[] = ['SIGKILL', 'SIGSTOP'];
/** The terminal sends a signal to all processes, and npm forwards it again: a second signal within this time is the same one. */
const repeatedSignalMs = 300;
/** The time that hooks get after the deadline, to close what they have opened. */
const hooksMs = 5_000;

export function closeOnSignals(app: Context, options: CloseOnSignalsOptions): () => void {
  withContextPlace(nodeOf(app), () => checkOptions(options));
  const { signals = defaultSignals, ...times } = options;
  const closing = new ClosingProcess(app, times);
  for (const signal of signals) process.on(signal, closing.onSignal);
  process.on('uncaughtException', closing.onUncaught);
  return () => {
    openApps.delete(app);
    for (const signal of signals) process.removeListener(signal, closing.onSignal);
    process.removeListener('uncaughtException', closing.onUncaught);
  };
}

function checkOptions(options: CloseOnSignalsOptions): void {
  checkCloseOptions(options, 'closeOnSignals', ['signals']);
  const { signals } = options;
  if (signals === undefined) return;
  if (!Array.isArray(signals)) throw new CloseOptionsInvalid('signals must be an array of names of signals');
  for (const signal of signals) {
    if (!Object.hasOwn(loadOs().constants.signals, signal) || uncatchableSignals.includes(signal))
      throw CloseOptionsInvalid.at(
        { hint: didYouMean(String(signal), Object.keys(loadOs().constants.signals)) },
        `signals: a process cannot listen to '${String(signal)}'`,
      );
  }
}

/** The applications that have not closed. The process ends when the last of them has closed. */
const openApps = new Set<Context>();

class ClosingProcess {
  readonly #app: Context;
  readonly #node: ContextNode;
  readonly #times: CloseOptions;
  #closingSinceMs: number | undefined;
  #failed = false;

  constructor(app: Context, times: CloseOptions) {
    this.#app = app;
    this.#node = nodeOf(app);
    this.#times = times;
    openApps.add(app);
  }

  readonly onSignal = (signal: NodeJS.Signals): void => {
    if (this.#closingSinceMs !== undefined) {
      if (performance.now() - this.#closingSinceMs >= repeatedSignalMs)
        process.exit(128 + loadOs().constants.signals[signal]);
      return;
    }
    this.#app.log.info({ signal }, 'a signal was received: the application closes');
    // Ctrl-C: somebody waits for the end, and there is no load balancer that needs a delay.
    this.#close(signal === 'SIGINT' ? { ...this.#times, delayMs: 0 } : this.#times);
  };

  readonly onUncaught = (error: unknown): void => {
    const { hasLogger } = this.#node.app;
    if (hasLogger) this.#app.log.fatal({ err: error }, 'an exception was not caught: the application closes');
    else console.error(error);
    // After an exception, the state of the process may be damaged: a second one ends it at once.
    if (this.#failed) process.exit(1);
    this.#failed = true;
    this.#close({ ...this.#times, delayMs: 0 });
  };

  #close(times: CloseOptions): void {
    this.#closingSinceMs ??= performance.now();
    const { graceMs = defaultGraceMs, delayMs = 0 } = times;
    setTimeout(() => process.exit(1), Math.min(delayMs + graceMs + hooksMs, maxTimerMs)).unref();
    this.#app.close({ graceMs, delayMs }).then(
      (cutOffCount) => this.#end(cutOffCount > 0),
      (error) => {
        this.#app.log.error({ err: error }, 'the application could not close in order');
        this.#end(true);
      },
    );
  }

  #end(hasFailed: boolean): void {
    openApps.delete(this.#app);
    if (hasFailed || this.#failed) process.exitCode = 1;
    if (openApps.size === 0) leaveCluster(() => process.exit());
  }
}

/**
 * Leaves the cluster before the process ends: the main process then sends connections that this worker has not accepted to other workers.
 */
function leaveCluster(onLeft: () => void): void {
  const isChild = process.env.NODE_UNIQUE_ID !== undefined || process.channel !== undefined;
  const worker = isChild ? loadCluster().worker : undefined;
  if (worker?.isConnected() !== true) {
    onLeft();
    return;
  }
  worker.once('disconnect', onLeft);
  worker.disconnect();
}
