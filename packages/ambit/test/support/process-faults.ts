/** Notices what escapes from the framework into the process: every test that asks for it fails then. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';

/** To be called at the top of a test file. */
export function forbidProcessFaults(): void {
  const faults: unknown[] = [];
  const note = (fault: unknown): void => {
    faults.push(fault);
  };

  beforeEach(() => {
    faults.length = 0;
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
  });

  afterEach(async () => {
    // Rejections are reported when the queue of microtasks has drained.
    await nextTurn();
    await nextTurn();
    process.removeListener('unhandledRejection', note);
    process.removeListener('uncaughtException', note);
    expect(faults).toEqual([]);
  });
}
