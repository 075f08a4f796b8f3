/** Owns running a task in this turn of the event loop, after all microtasks. */

/** Runs a task after the microtasks that wait now, and those that they add. Node runs ticks when no microtask is left. */
export function afterMicrotasks(task: () => void): void {
  queueMicrotask(() => process.nextTick(task));
}
