/** Runs a task in the current turn of the event loop, after all microtasks. */

/** Runs a task after the pending microtasks and those that they add. Node runs `nextTick` callbacks when no microtask is left. */
export function afterMicrotasks(task: () => void): void {
  queueMicrotask(() => process.nextTick(task));
}
