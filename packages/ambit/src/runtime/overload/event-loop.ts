/** The event loop, as overload protection uses it: a clock, the ends of its turns, and its load. */
import { createRequire } from 'node:module';
import type { EventLoopUtilization, IntervalHistogram } from 'node:perf_hooks';
import { lazyModule } from '../../shared/lazy-module.ts';

const require = createRequire(import.meta.url);

/** The load of the event loop in a period of time. */
export interface EventLoopLoad {
  /** The part of the time in which it ran code, from 0 to 1. */
  readonly utilization: number;
  /** The time in which it ran code. */
  readonly busyMs: number;
  readonly delayMs: number;
}

const loadPerfHooks = lazyModule<typeof import('node:perf_hooks')>(() => require('node:perf_hooks'));
const resolutionMs = 20;

/** The event loop of this process. */
export class ProcessEventLoop {
  #delays: IntervalHistogram | undefined;
  #last: EventLoopUtilization | undefined;

  /** The current time in milliseconds, always greater than 0. */
  now(): number {
    return performance.now();
  }

  /** Calls `run` when all requests that have arrived are read, before the loop waits for further events. */
  afterTurn(run: () => void): void {
    setImmediate(run);
  }

  /** Begins to measure the load. Must be called before `readLoad`. */
  startMeasuring(): void {
    this.#last = performance.eventLoopUtilization();
    this.#delays = loadPerfHooks().monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delays.enable();
  }

  /** Returns the load since the last call. */
  readLoad(): EventLoopLoad {
    const now = performance.eventLoopUtilization();
    const { utilization, active } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    const { mean, count } = this.#delays!;
    this.#delays!.reset();
    return { utilization, busyMs: active, delayMs: count === 0 ? 0 : Math.max(0, mean / 1e6 - resolutionMs) };
  }

  stopMeasuring(): void {
    this.#delays?.disable();
  }
}

/** What tests put in its place. */
export type EventLoop = Pick<ProcessEventLoop, keyof ProcessEventLoop>;
