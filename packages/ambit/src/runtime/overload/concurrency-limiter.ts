/**
 * Decides how many requests may run at the same time, by how long they take: a gradient limiter, as in Netflix's concurrency-limits. It has
 * no clock and no timer: callers pass it the time.
 *
 * At the end of each window of time, the limit follows the gradient: the ratio of the usual duration of the requests to their duration.
 *
 *     gradient = tolerance * usual / took, from 0.5 to 1
 *     target   = limit * gradient + headroom
 *
 * While requests take as long as usual, the limit grows by the headroom, and faster if requests were refused. When requests wait for one
 * another, each takes longer, and the limit shrinks until the queue is about as long as the headroom.
 */
import type { OverloadSettings } from '../../types/feature-options.ts';
import type { EventLoopLoad } from './event-loop.ts';

export type LimiterSettings = Omit<OverloadSettings, 'retryAfterSeconds'>;

/** How many requests are added to what the gradient allows, so that the limit can grow. */
const headroom = 5;
/** The part of the way to the target that the limit moves in one window. */
const smoothing = 0.3;
/** At this utilization and above, requests wait for the CPU time of this process. */
const saturated = 0.9;

export class ConcurrencyLimiter {
  readonly #settings: LimiterSettings;
  #limit: number;
  #inFlight = 0;
  /** How many requests are still allowed above the limit, because a burst is no overload. */
  #burst: number;
  #burstAtMs = 0;
  /** The window: the most requests at a time, whether one was refused, how many have ended, and their routes. */
  #peak = 0;
  #hasRefused = false;
  #ended = 0;
  readonly #routes: RouteBaseline[] = [];

  constructor(settings: LimiterSettings) {
    this.#settings = settings;
    this.#limit = settings.initialLimit;
    this.#burst = settings.initialLimit;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many requests have ended in the window. */
  get ended(): number {
    return this.#ended;
  }

  // HOT: once per request where overload protection is on.
  /** @param share The part of the limit that requests of this priority may use. */
  tryAcquire(share: number, nowMs: number): boolean {
    const limit = this.limit;
    const isAdmitted =
      this.#inFlight < Math.max(1, limit * share) ||
      (share === 1 && this.#inFlight < limit * 2 && this.#takeBurst(nowMs));
    if (isAdmitted) this.acquire();
    else this.#hasRefused = true;
    return isAdmitted;
  }

  /** Counts a request that is not refused. */
  acquire(): void {
    this.#inFlight++;
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight;
  }

  /** Called when a request has ended, or waits for its client. */
  release(): void {
    this.#inFlight--;
  }

  /** Records the duration of a request that was not cut off. */
  record(durationMs: number, route: RouteBaseline): void {
    this.#ended++;
    if (route.add(durationMs)) this.#routes.push(route);
  }

  /** Moves the limit, and begins the next window. */
  endWindow(load: EventLoopLoad): void {
    const { minLimit, maxLimit, tolerance, maxEventLoopDelayMs } = this.#settings;
    const isBusy = this.#hasRefused || this.#peak >= this.#limit / 2;
    let tookMs = 0;
    for (const route of this.#routes) tookMs += route.tookMs;
    const learningRate = this.#learningRate(isBusy, tookMs, load);
    let usualMs = 0;
    for (const route of this.#routes) usualMs += route.endWindow(learningRate);
    const isDelayed = load.delayMs > maxEventLoopDelayMs;
    const gradient = isDelayed || tookMs === 0 ? 0.5 : clamp((tolerance * usualMs) / tookMs, 0.5, 1);
    // If requests are refused although they take as long as usual, small steps would take too long.
    const step = gradient === 1 && this.#hasRefused ? Math.max(headroom, this.#limit / 2) : headroom;
    const target = this.#limit * gradient + step;
    // The limit only grows if it is used, because otherwise nothing shows that more requests could be served.
    const isKnown = isDelayed || (tookMs > 0 && (isBusy || target < this.#limit));
    if (isKnown) this.#limit = clamp(this.#limit + (target - this.#limit) * smoothing, minLimit, maxLimit);
    this.#routes.length = 0;
    this.#ended = 0;
    this.#hasRefused = false;
    this.#peak = this.#inFlight;
  }

  /** How much the window counts for the usual duration of requests. */
  #learningRate(isBusy: boolean, tookMs: number, { utilization, busyMs }: EventLoopLoad): number {
    // Otherwise, the waiting time in a load that is slightly too high would become part of the usual duration, and the limit would grow
    // with it.
    if (utilization >= saturated) return 0;
    if (!isBusy) return 0.2;
    // Requests that wait for the CPU take at most this time together, because the CPU is busy while they wait.
    const longestQueueMs = this.#peak * busyMs;
    // So few requests do not wait for one another. If they do not wait for the CPU either, a dependency has become slow, and this is the
    // new usual.
    const isLow = this.#limit <= this.#settings.minLimit * 2;
    return isLow && tookMs > longestQueueMs * 2 ? 1 : 0;
  }

  /** A token bucket that holds as many tokens as the limit, and is filled in one second. */
  #takeBurst(nowMs: number): boolean {
    const limit = this.limit;
    this.#burst = Math.min(limit, this.#burst + ((nowMs - this.#burstAtMs) / 1_000) * limit);
    this.#burstAtMs = nowMs;
    if (this.#burst < 1) return false;
    this.#burst--;
    return true;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Learns the usual duration of the requests of one route. */
export class RouteBaseline {
  /** The usual duration; 0 if it is not known yet. */
  #usualMs = 0;
  #sumMs = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #count = 0;

  get usualMs(): number {
    return this.#usualMs;
  }

  /** The sum of the durations of all requests in the window. */
  get tookMs(): number {
    return this.#sumMs;
  }

  /** @returns Whether it is the first of its window. */
  add(durationMs: number): boolean {
    this.#sumMs += durationMs;
    this.#shortestMs = Math.min(this.#shortestMs, durationMs);
    return ++this.#count === 1;
  }

  /**
   * Ends a window.
   *
   * @param learningRate How much the window counts for the usual duration, from 0 to 1.
   * @returns The sum of the usual durations of the requests in the window.
   */
  endWindow(learningRate: number): number {
    const meanMs = this.#sumMs / this.#count;
    // Under load, the shortest of the first durations is the best estimate.
    if (this.#usualMs === 0) this.#usualMs = learningRate > 0 ? meanMs : this.#shortestMs;
    else this.#usualMs += (meanMs - this.#usualMs) * learningRate;
    const usualMs = this.#usualMs * this.#count;
    this.#sumMs = 0;
    this.#shortestMs = Number.POSITIVE_INFINITY;
    this.#count = 0;
    return usualMs;
  }
}
