/** What requests may leave behind in the process: timers that keep it alive, open descriptors, listeners of the process. */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const descriptors = '/proc/self/fd';

function countHeld(): readonly number[] {
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  // Other systems do not tell.
  const open = existsSync(descriptors) ? readdirSync(descriptors).length : 0;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return [timers, open, listeners];
}

/**
 * To be called before anything else in a test: when the test has ended, waits until the process holds no more than at this call. What
 * stays makes it wait until the test fails.
 */
export function expectNothingLeft(): void {
  const before = countHeld();
  onTestFinished(async () => {
    while (countHeld().some((count, i) => count > before[i]!)) await nextTurn();
  });
}
