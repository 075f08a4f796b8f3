/** Owns the end of a process: signals, and exceptions that nobody has caught, close its applications in order. */
import type { CloseOnSignalsOptions, CloseOptions } from '../../contract/closing.ts';
import type { Context } from '../../contract/context.ts';
import { CloseOptionsInvalid } from '../../contract/errors.ts';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import { withLocation } from '../change-context.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import { checkCloseOptions } from './check-close-options.ts';

const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));
const loadCluster = lazyModule<typeof import('node:cluster').default>(() => require('node:cluster'));

const defaultSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
/** They cannot be listened to. */
const deadlySignals: readonly string[] = ['SIGKILL', 'SIGSTOP'];
/** npm passes a signal on that the terminal has sent to all processes: a second one within this time is the same. */
const sameWithinMs = 300;
const defaultGraceMs = 10_000;
/** What hooks get after the deadline, to close what they have opened. */
const hooksMs = 5_000;

/** The applications that have not closed. The process ends with the last of them. */
const open = new Set<Context>();

class ClosingProcess {
  readonly #app: Context;
  readonly #node: ContextNode;
  readonly #times: CloseOptions;
  #firstMs: number | undefined;
  #failed = false;

  constructor(app: Context, times: CloseOptions) {
    this.#app = app;
    this.#node = nodeOf(app);
    this.#times = times;
    open.add(app);
  }

  readonly onSignal = (signal: NodeJS.Signals): void => {
    if (this.#firstMs !== undefined) {
      if (performance.now() - this.#firstMs >= sameWithinMs)
        process.exit(128 + loadOs().constants.signals[signal]);
      return;
    }
    this.#app.log.info({ signal }, 'a signal was received: the application closes');
    // Ctrl-C: somebody waits, and no load balancer has to notice.
    this.#close(signal === 'SIGINT' ? { ...this.#times, delayMs: 0 } : this.#times);
  };

  readonly onUncaught = (error: unknown): void => {
    const { hasLogger } = this.#node.app;
    if (hasLogger) this.#app.log.fatal({ err: error }, 'an exception was not caught: the application closes');
    else console.error(error);
    // What one exception has left behind must not be used for long.
    if (this.#failed) process.exit(1);
    this.#failed = true;
    this.#close({ ...this.#times, delayMs: 0 });
  };

  #close(times: CloseOptions): void {
    this.#firstMs ??= performance.now();
    const { graceMs = defaultGraceMs, delayMs = 0 } = times;
    setTimeout(() => process.exit(1), delayMs + graceMs + hooksMs).unref();
    this.#app.close({ graceMs, delayMs }).then(
      (cutOffCount) => this.#end(cutOffCount > 0),
      (error) => {
        this.#app.log.error({ err: error }, 'the application could not close in order');
        this.#end(true);
      },
    );
  }

  #end(hasFailed: boolean): void {
    open.delete(this.#app);
    if (hasFailed || this.#failed) process.exitCode = 1;
    if (open.size === 0) leaveCluster(() => process.exit());
  }
}

/** Connections that the main process has sent meanwhile go to other workers: they are given back before the worker leaves. */
function leaveCluster(then: () => void): void {
  if (process.env.NODE_UNIQUE_ID === undefined && process.channel === undefined) {
    then();
    return;
  }
  const { worker } = loadCluster();
  if (worker?.isConnected() !== true) {
    then();
    return;
  }
  worker.once('disconnect', then);
  worker.disconnect();
}

/**
 * Closes an application when the process gets a signal, and ends the process then.
 *
 * @throws {CloseOptionsInvalid} {UnknownOption}
 */
export function closeOnSignals(app: Context, options: CloseOnSignalsOptions): () => void {
  withLocation(nodeOf(app), () => checkOptions(options));
  const { signals = defaultSignals, ...times } = options;
  const closing = new ClosingProcess(app, times);
  for (const signal of signals) process.on(signal, closing.onSignal);
  process.on('uncaughtException', closing.onUncaught);
  return () => {
    open.delete(app);
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
    if (!Object.hasOwn(loadOs().constants.signals, signal) || deadlySignals.includes(signal))
      throw new CloseOptionsInvalid(`signals: a process cannot listen to '${String(signal)}'`);
  }
}
