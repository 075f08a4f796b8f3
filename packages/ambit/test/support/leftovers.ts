/** What requests may leave behind in the process: timers that keep it alive, open descriptors, listeners of the process. */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';

const descriptors = '/proc/self/fd';

function countHeld(): readonly number[] {
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  // Other systems do not tell.
  const open = existsSync(descriptors) ? readdirSync(descriptors).length : 0;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return [timers, open, listeners];
}

/** Longest wait for what ends a few turns after a test. Without it, a test that failed would never end. */
const waitMs = 5_000;

/**
 * To be called before anything else in a test: when the test has ended, waits until the process holds no more than at this call. The test
 * fails for what stays.
 */
export function expectNothingLeft(): void {
  const before = countHeld();
  onTestFinished(async () => {
    const untilMs = performance.now() + waitMs;
    const isMore = (): boolean => countHeld().some((count, i) => count > before[i]!);
    while (isMore() && performance.now() < untilMs) await nextTurn();
    expect(isMore(), `${describeHeld(countHeld())}; before: ${describeHeld(before)}`).toBe(false);
  });
}

function describeHeld([timers, open, listeners]: readonly number[]): string {
  return `${timers} timers, ${open} open descriptors, ${listeners} listeners of the process`;
}
