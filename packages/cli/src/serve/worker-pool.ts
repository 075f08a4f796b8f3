/** Manages the workers of an application: starts them, replaces them one by one, and restarts workers that die. */
import { type StopOptions, statusEveryMs, type WorkerTask } from './messages.ts';
import type { Report, ServeEvent } from './reporter.ts';
import { type BootFailure, WorkerProcess } from './worker-process.ts';

export interface PoolOptions {
  readonly count: number;
  readonly task: WorkerTask;
  readonly graceMs: number;
  /** How many statuses of a worker may be missing before it is killed. */
  readonly missedStatuses: number;
  readonly report: Report;
}

/** One worker of the pool. Its process may be replaced several times. */
interface Slot {
  readonly number: number;
  current: WorkerProcess | undefined;
  restarts: number;
  /** The number of consecutive failures. */
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

const firstBackoffMs = 100;
const longestBackoffMs = 10_000;
/** A worker that dies sooner than this counts as a failure. */
const stableAfterMs = 10_000;
const maxFailures = 5;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  #isStopping = false;
  #reloading: Promise<void> | undefined;
  /** Whether the code may have changed since the current reload began. */
  #reloadsAgain = false;
  #onAllWorkersFailed: () => void = () => {};
  /** Resolves when no worker is left and none will be started. */
  readonly allWorkersFailed: Promise<void>;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, i) => ({
      number: i + 1,
      current: undefined,
      restarts: 0,
      failures: 0,
      timer: undefined,
    }));
    this.allWorkersFailed = new Promise((resolve) => {
      this.#onAllWorkersFailed = resolve;
    });
  }

  /**
   * Starts all workers.
   *
   * @returns The address.
   * @throws {BootFailure} of the first worker that fails. The others are stopped.
   */
  async start(): Promise<string> {
    const starts = this.#slots.map((slot) => this.#fork(slot).ready);
    try {
      const [first] = await Promise.all(starts);
      this.#watchStatuses();
      return first!.address;
    } catch (error) {
      await this.stop({ idleMs: 0 });
      throw error;
    }
  }

  /** Replaces the workers one by one. An old worker stops when its new one serves. Stops at the first worker that does not boot. */
  reload(): Promise<void> {
    if (this.#reloading !== undefined) this.#reloadsAgain = true;
    this.#reloading ??= this.#reloadAll();
    return this.#reloading;
  }

  /** @returns Whether every worker has ended in time. */
  async stop(options: Omit<StopOptions, 'graceMs'> = {}): Promise<boolean> {
    this.#isStopping = true;
    for (const { timer } of this.#slots) clearTimeout(timer);
    const { graceMs } = this.#options;
    const ends = this.#slots.map(({ current }) => current?.stop({ graceMs, ...options }));
    const ended = await Promise.all(ends);
    return ended.every((end) => end === undefined || end.code === 0);
  }

  kill(): void {
    for (const { current } of this.#slots) current?.kill();
  }

  /** Reports the health of each worker. */
  reportStatus(): void {
    for (const { number, current, restarts } of this.#slots)
      this.#options.report(describeStatus(number, current, restarts));
  }

  #fork(slot: Slot): WorkerProcess {
    const worker = new WorkerProcess(this.#options.task);
    slot.current = worker;
    this.#reportEvents(slot, worker);
    return worker;
  }

  #reportEvents(slot: Slot, worker: WorkerProcess): void {
    const { report } = this.#options;
    const name = `worker ${slot.number} (pid ${worker.pid})`;
    const details = { worker: slot.number, pid: worker.pid };
    worker.ready.then(
      ({ bootMs }) =>
        report({
          event: 'ready',
          text: `${name} is ready after ${Math.round(bootMs)} ms`,
          details: { ...details, bootMs: Math.round(bootMs) },
        }),
      () => {},
    );
    worker.ended.then(({ code, signal }) => {
      if (slot.current === worker) slot.current = undefined;
      if (worker.isStopping || this.#isStopping) {
        report({ event: 'stopped', text: `${name} has stopped`, details: { ...details, code, signal } });
      } else if (slot.current === undefined) {
        report({
          event: 'died',
          level: 'error',
          text: `${name} ended with ${signal ?? `exit code ${code}`}`,
          details: { ...details, code, signal },
        });
        this.#restart(slot, performance.now() - worker.startedMs);
      }
    });
  }

  #restart(slot: Slot, lifeMs: number): void {
    const { report } = this.#options;
    slot.failures = lifeMs >= stableAfterMs ? 0 : slot.failures + 1;
    if (slot.failures > maxFailures) {
      const text = `worker ${slot.number} is given up after ${slot.failures} failures; SIGHUP starts it again`;
      report({ event: 'given-up', level: 'error', text, details: { worker: slot.number } });
      if (this.#slots.every(({ current, timer }) => current === undefined && timer === undefined))
        this.#onAllWorkersFailed();
      return;
    }
    const waitMs =
      slot.failures === 0 ? 0 : Math.min(firstBackoffMs * 2 ** (slot.failures - 1), longestBackoffMs);
    const text = `worker ${slot.number} starts again in ${waitMs} ms`;
    report({ event: 'restart', level: 'warn', text, details: { worker: slot.number, waitMs } });
    slot.timer = setTimeout(() => {
      slot.timer = undefined;
      slot.restarts++;
      this.#reportFailure(slot, this.#fork(slot));
    }, waitMs);
  }

  #reportFailure(slot: Slot, worker: WorkerProcess): void {
    worker.ready.catch((error: BootFailure) => {
      if (this.#isStopping) return;
      const text = error.report ?? error.message;
      this.#options.report({
        event: 'failed',
        level: 'error',
        text,
        details: { worker: slot.number, pid: worker.pid },
      });
    });
  }

  async #reloadAll(): Promise<void> {
    do {
      this.#reloadsAgain = false;
      await this.#reload();
    } while (this.#reloadsAgain);
    this.#reloading = undefined;
  }

  async #reload(): Promise<void> {
    const { report, graceMs, task } = this.#options;
    report({ event: 'reload', text: `replacing ${this.#slots.length} workers` });
    for (const slot of this.#slots) {
      if (this.#isStopping) return;
      clearTimeout(slot.timer);
      slot.timer = undefined;
      slot.failures = 0;
      const old = slot.current;
      const next = new WorkerProcess(task);
      try {
        await next.ready;
      } catch (error) {
        const text = `${(error as BootFailure).message} The old workers go on.`;
        report({
          event: 'reload-failed',
          level: 'error',
          text,
          details: { worker: slot.number, pid: next.pid },
        });
        return;
      }
      slot.current = next;
      slot.restarts = 0;
      this.#reportEvents(slot, next);
      await old?.stop({ graceMs });
    }
    report({ event: 'reloaded', text: 'all workers are replaced' });
  }

  #watchStatuses(): void {
    // Missing statuses are counted instead of measuring time. Otherwise, healthy workers would be killed after the machine slept.
    setInterval(() => {
      for (const { number, current } of this.#slots) {
        if (current === undefined || !current.isServing || current.isStopping) continue;
        if (++current.missedStatuses <= this.#options.missedStatuses) continue;
        const text = `worker ${number} (pid ${current.pid}) has not responded for ${this.#options.missedStatuses} s and is killed`;
        this.#options.report({
          event: 'unresponsive',
          level: 'error',
          text,
          details: { worker: number, pid: current.pid },
        });
        current.kill();
      }
    }, statusEveryMs).unref();
  }
}

/** @param current `undefined` between two processes. */
function describeStatus(number: number, current: WorkerProcess | undefined, restarts: number): ServeEvent {
  const state = stateOf(current);
  const upSeconds = current === undefined ? 0 : Math.round((performance.now() - current.startedMs) / 1_000);
  const { rssBytes = 0, delayMs = 0, connections = 0 } = current?.status ?? {};
  const memory = `${(rssBytes / 2 ** 20).toFixed(0)} MiB`;
  return {
    event: 'status',
    text: `worker ${number} (pid ${current?.pid ?? '-'}): ${state}, up ${upSeconds} s, ${restarts} restarts, ${memory}, ${connections} connections, event loop ${delayMs} ms late`,
    details: {
      worker: number,
      pid: current?.pid,
      state,
      upSeconds,
      restarts,
      rssBytes,
      delayMs,
      connections,
    },
  };
}

function stateOf(current: WorkerProcess | undefined): string {
  if (current === undefined) return 'down';
  if (current.isStopping) return 'stopping';
  return current.isServing ? 'serving' : 'booting';
}
