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
