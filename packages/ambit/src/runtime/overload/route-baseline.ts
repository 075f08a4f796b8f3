/** What a request of one route usually takes, as far as it is known. */

export class RouteBaseline {
  /** The usual duration; 0 while it is not known. */
  #usualMs = 0;
  #sumMs = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #count = 0;

  get usualMs(): number {
    return this.#usualMs;
  }

  /** What the requests of the window took together. */
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
   * @param learningRate How much the window counts for what is usual, from 0 to 1.
   * @returns What the requests of the window usually take together.
   */
  endWindow(learningRate: number): number {
    const meanMs = this.#sumMs / this.#count;
    // Under load, the shortest of the first durations is the best guess.
    if (this.#usualMs === 0) this.#usualMs = learningRate > 0 ? meanMs : this.#shortestMs;
    else this.#usualMs += (meanMs - this.#usualMs) * learningRate;
    const usualMs = this.#usualMs * this.#count;
    this.#sumMs = 0;
    this.#shortestMs = Number.POSITIVE_INFINITY;
    this.#count = 0;
    return usualMs;
  }
}
