/** Lets the process end before a timer does. In workers with a compatibility date before 2026-02-10, a timer is a number. */
export function unrefTimer(timer: NodeJS.Timeout): NodeJS.Timeout {
  timer.unref?.();
  return timer;
}
