/** Measures the event loop between two calls: how much of the time it was busy, and how late it was. */
import type { IntervalHistogram } from 'node:perf_hooks';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import type { EventLoopLoad } from './concurrency-limiter.ts';

const loadPerfHooks = lazyModule<typeof import('node:perf_hooks')>(() => require('node:perf_hooks'));
const resolutionMs = 20;

export class EventLoopMeter {
  readonly #delays: IntervalHistogram;
  #last = performance.eventLoopUtilization();

  constructor() {
    this.#delays = loadPerfHooks().monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delays.enable();
  }

  /** What happened since the last call. */
  read(): EventLoopLoad {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    const { mean, count } = this.#delays;
    this.#delays.reset();
    return { utilization, delayMs: count === 0 ? 0 : Math.max(0, mean / 1e6 - resolutionMs) };
  }

  stop(): void {
    this.#delays.disable();
  }
}
