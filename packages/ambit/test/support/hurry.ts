/** Makes time pass faster for timers and clocks of the code under test, so that tests of time limits do not wait for them. */
import { onTestFinished } from 'vitest';

const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
const realNow = performance.now.bind(performance);
/** Time that has been skipped so far: the clock never goes back. */
let skippedMs = 0;

/**
 * From now on, time passes so many times as fast by `setTimeout`, `setInterval` and `performance.now`. Timers that run already, those of
 * node itself and of clients keep their time. Returns a function that ends this.
 */
export function startHurry(speed = 100): () => void {
  const { setTimeout: timeout, setInterval: interval } = globalThis;
  // A test that simulates time has its own.
  if (timeout !== realTimeout || interval !== realInterval) return () => {};
  const startedMs = realNow();
  const faster = (start: typeof setTimeout | typeof setInterval) =>
    ((run: () => void, ms = 0, ...values: []) => start(run, ms / speed, ...values)) as never;
  globalThis.setTimeout = faster(realTimeout);
  globalThis.setInterval = faster(realInterval);
  performance.now = () => realNow() + skippedMs + (realNow() - startedMs) * (speed - 1);
  return () => {
    skippedMs += (realNow() - startedMs) * (speed - 1);
    Object.assign(globalThis, { setTimeout: timeout, setInterval: interval });
    performance.now = () => realNow() + skippedMs;
  };
}

/** The same until the test ends. */
export function hurry(speed?: number): void {
  onTestFinished(startHurry(speed));
}
