/** The event loop, as overload protection sees it: a clock, its turns, and how busy it was. */
import type { EventLoopUtilization, IntervalHistogram } from 'node:perf_hooks';
import { lazyModule, require } from '../../shared/lazy-module.ts';

/** What the event loop did in some time. */
export interface EventLoopLoad {
  /** The part of the time in which it ran code, from 0 to 1. */
  readonly utilization: number;
  /** The time in which it ran code. */
  readonly busyMs: number;
  readonly delayMs: number;
}

export interface EventLoop {
  /** A time in milliseconds, greater than 0. */
  now(): number;
  /** Calls `run` when the requests that can be read at the moment have been read. The loop does not wait for others before that. */
  afterTurn(run: () => void): void;
  /** Begins to measure the load. Without it, there is none to read. */
  startMeasuring(): void;
  /** What happened since the last call. */
  readLoad(): EventLoopLoad;
  stopMeasuring(): void;
}

const loadPerfHooks = lazyModule<typeof import('node:perf_hooks')>(() => require('node:perf_hooks'));
const resolutionMs = 20;

/** The event loop of this process. */
export class ProcessEventLoop implements EventLoop {
  #delays: IntervalHistogram | undefined;
  #last: EventLoopUtilization | undefined;

  now(): number {
    return performance.now();
  }

  afterTurn(run: () => void): void {
    setImmediate(run);
  }

  startMeasuring(): void {
    this.#last = performance.eventLoopUtilization();
    this.#delays = loadPerfHooks().monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delays.enable();
  }

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
