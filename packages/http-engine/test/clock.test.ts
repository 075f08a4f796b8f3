/** The clock by which time limits are measured. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Clock } from '../src/limits.ts';

let nowMs = 1_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The next tick comes after this time: longer than planned if the event loop is blocked. */
function tickAfter(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(400);
}

test('a limit passes one tick late at most, and never early', () => {
  const clock = new Clock(() => {});
  clock.start();
  const sinceMs = clock.nowMs;
  for (let i = 0; i < 5; i++) tickAfter(400);
  expect(clock.hasPassed(2_000, sinceMs)).toBe(false);
  tickAfter(400);
  expect(clock.hasPassed(2_000, sinceMs)).toBe(true);
  clock.stop();
});

test('the time in which the event loop was blocked is not counted', () => {
  const clock = new Clock(() => {});
  clock.start();
  const sinceMs = clock.nowMs;
  tickAfter(60_000);
  expect(clock.hasPassed(2_000, sinceMs)).toBe(false);
  for (let i = 0; i < 4; i++) tickAfter(400);
  expect(clock.hasPassed(2_000, sinceMs)).toBe(true);
  clock.stop();
});
