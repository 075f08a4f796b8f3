/** An event loop without a clock: a test says what the time is, what keeps the processor busy, and when a turn ends. */
import type { EventLoop, EventLoopLoad } from '../../src/runtime/overload/event-loop.ts';

export class SimulatedEventLoop implements EventLoop {
  #nowMs = 1;
  #busyMs = 0;
  #readAtMs = 1;
  readonly #afterTurn: (() => void)[] = [];

  now(): number {
    return this.#nowMs;
  }

  afterTurn(run: () => void): void {
    this.#afterTurn.push(run);
  }

  startMeasuring(): void {
    this.readLoad();
  }

  /** The delay stays 0: what is simulated must do without that signal. */
  readLoad(): EventLoopLoad {
    const busyMs = this.#busyMs;
    const utilization = Math.min(1, busyMs / Math.max(this.#nowMs - this.#readAtMs, 1e-9));
    this.#busyMs = 0;
    this.#readAtMs = this.#nowMs;
    return { utilization, busyMs, delayMs: 0 };
  }

  stopMeasuring(): void {}

  /** Code runs for this time. */
  work(ms: number): void {
    this.#nowMs += ms;
    this.#busyMs += ms;
  }

  /** Waits for events. */
  waitUntil(ms: number): void {
    this.#nowMs = Math.max(this.#nowMs, ms);
  }

  /** Whether there is something to run, so that the loop does not wait. */
  get hasMore(): boolean {
    return this.#afterTurn.length > 0;
  }

  endTurn(): void {
    for (const run of this.#afterTurn.splice(0)) run();
  }
}
