/** Requests that arrive at random, wait in a queue behind a limiter, and are served by workers: without a clock, and with a seed. */
import { nextArrivalMs, randomFrom } from '../../../../bench/random.mjs';
import {
  ConcurrencyLimiter,
  type LimiterSettings,
  RouteBaseline,
} from '../../src/runtime/overload/concurrency-limiter.ts';

export interface Load {
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** What one request takes while a worker serves it. */
  readonly serviceMs: number;
  readonly workers: number;
  /** Whether the work is done by the process itself, whose event loop is then busy with it. */
  readonly isOwnWork: boolean;
}

export interface Outcome {
  readonly servedPerSecond: number;
  readonly refused: number;
  readonly p99Ms: number;
  /** The limit at the end of each window. */
  readonly limits: readonly number[];
}

const windowMs = 100;

export class SimulatedQueue {
  readonly limiter: ConcurrencyLimiter;
  readonly #route = new RouteBaseline();
  readonly #random: () => number;
  #nowMs = 0;

  constructor(settings: LimiterSettings, seed: number) {
    this.limiter = new ConcurrencyLimiter(settings);
    this.#random = randomFrom(seed);
  }

  /** Runs a load until all its requests have ended. */
  run(load: Load): Outcome {
    const endMs = this.#nowMs + load.seconds * 1_000;
    const startMs = this.#nowMs;
    const freeAtMs = new Array<number>(load.workers).fill(startMs);
    /** Requests that are admitted, by when they end. A queue in order of arrival ends in that order for equal times of service. */
    const running: { arrivedMs: number; endsMs: number }[] = [];
    const durations: number[] = [];
    const limits: number[] = [];
    let refused = 0;
    let busyMs = 0;
    let windowEndMs = this.#nowMs + windowMs;
    const endUntil = (untilMs: number): void => {
      for (let first = running[0]; first !== undefined && first.endsMs <= untilMs; first = running[0]) {
        running.shift();
        this.limiter.release();
        this.limiter.record(first.endsMs - first.arrivedMs, this.#route);
        durations.push(first.endsMs - first.arrivedMs);
      }
    };
    const endWindows = (untilMs: number): void => {
      for (; windowEndMs <= untilMs; windowEndMs += windowMs) {
        endUntil(windowEndMs);
        const utilization = load.isOwnWork ? Math.min(1, busyMs / windowMs) : 0.1;
        busyMs = Math.max(0, busyMs - windowMs);
        this.limiter.endWindow({ utilization, busyMs: utilization * windowMs, delayMs: 0 });
        limits.push(this.limiter.limit);
      }
    };
    for (;;) {
      this.#nowMs += nextArrivalMs(this.#random, load.requestsPerSecond);
      if (this.#nowMs >= endMs) break;
      endWindows(this.#nowMs);
      endUntil(this.#nowMs);
      if (!this.limiter.tryAcquire(1, this.#nowMs)) {
        refused++;
        continue;
      }
      const worker = freeAtMs.indexOf(Math.min(...freeAtMs));
      const endsMs = Math.max(this.#nowMs, freeAtMs[worker]!) + load.serviceMs;
      freeAtMs[worker] = endsMs;
      busyMs += load.serviceMs;
      running.push({ arrivedMs: this.#nowMs, endsMs });
    }
    this.#nowMs = endMs;
    const served = durations.length;
    const lastMs = Math.max(endMs, ...running.map(({ endsMs }) => endsMs));
    endUntil(lastMs);
    this.#nowMs = lastMs;
    durations.sort((a, b) => a - b);
    return {
      servedPerSecond: served / load.seconds,
      refused,
      p99Ms: durations[Math.floor(durations.length * 0.99)] ?? 0,
      limits,
    };
  }
}
