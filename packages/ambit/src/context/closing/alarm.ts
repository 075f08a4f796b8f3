/** A time that everybody can wait for, and that may be brought forward. */

/** The longest time of a timer. */
export const longestMs: number = 2 ** 31 - 1;

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

  /** Rings in this time at the latest. */
  ringIn(ms: number): void {
    const atMs = performance.now() + ms;
    if (atMs >= this.#atMs) return;
    this.#atMs = atMs;
    clearTimeout(this.#timer);
    if (ms <= 0) this.#ring();
    else this.#timer = setTimeout(this.#ring, Math.min(ms, longestMs));
  }

  /** The time until it rings: at least 0, or `Infinity` if it is not set. */
  get remainingMs(): number {
    return Math.max(0, this.#atMs - performance.now());
  }

  /** It rings no more, and does not keep the process. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#atMs = Number.NEGATIVE_INFINITY;
  }
}
