/** A timer that several callers can wait for, and that can be set to an earlier time. */

/** The longest delay of a timer in Node, in milliseconds. */
export const maxDelayMs: number = 2 ** 31 - 1;

export class Alarm {
  readonly rung: Promise<void>;
  #ring!: () => void;
  #timer: NodeJS.Timeout | undefined;
  #atMs = Number.POSITIVE_INFINITY;

  constructor() {
    this.rung = new Promise((resolve) => {
      this.#ring = resolve;
    });
  }

  /** Makes it ring after this time, unless it is already set to ring earlier. */
  ringIn(ms: number): void {
    const atMs = performance.now() + ms;
    if (atMs >= this.#atMs) return;
    this.#atMs = atMs;
    clearTimeout(this.#timer);
    if (ms <= 0) this.#ring();
    else this.#timer = setTimeout(this.#ring, Math.min(ms, maxDelayMs));
  }

  /** The time until it rings: at least 0, or `Infinity` if it is not set. */
  get remainingMs(): number {
    return Math.max(0, this.#atMs - performance.now());
  }

  /** Cancels it: it never rings, and does not keep the process alive. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#atMs = Number.NEGATIVE_INFINITY;
  }
}
