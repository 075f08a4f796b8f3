/** The clock of an engine: one timer for all its connections. */

/** A limit may end two ticks late at most, because times are read at the last tick and compared at the next one. */
const tickMs = 400;
/** The most time that one tick counts for. While the event loop is blocked, no client can be served, so none counts as late. */
const maxTickMs = 2 * tickMs;

export class Clock {
  /**
   * Milliseconds at the last tick, without the time in which the event loop was blocked. It may be one tick old, so a limit
   * has certainly passed only when one more tick has passed.
   */
  nowMs: number = performance.now();
  #lastTickMs = 0;
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** Starts the timer. It does not keep the process alive. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#lastTickMs = performance.now();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const tickedMs = performance.now();
    this.nowMs += Math.min(tickedMs - this.#lastTickMs, maxTickMs);
    this.#lastTickMs = tickedMs;
    this.#onTick();
  }

  /** Whether a limit has passed since a time of this clock; 0 means no limit. */
  hasPassed(limitMs: number, sinceMs: number): boolean {
    return limitMs > 0 && this.nowMs - sinceMs >= limitMs + tickMs;
  }
}
