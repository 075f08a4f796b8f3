/** Owns time: one timer for all connections of an engine, which reads the clock for them. */

/** Half of what a limit may be late: times are read at the last tick, and compared at the next. */
const tickMs = 400;

export class Clock {
  /** Milliseconds at the last tick. Up to a tick behind: a limit has passed for sure when one more has. */
  nowMs: number = performance.now();
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** Runs from here on; it keeps no process alive. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.nowMs = performance.now();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.nowMs = performance.now();
    this.#onTick();
  }

  /** Whether a limit has passed since a time that was read here; 0 is no limit. */
  hasPassed(limitMs: number, sinceMs: number): boolean {
    return limitMs > 0 && this.nowMs - sinceMs >= limitMs + tickMs;
  }
}
