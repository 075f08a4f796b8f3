/** The time limit of one step of boot or closing. */

/**
 * Calls `done` once: when the step calls it, or with an error when the time limit is over.
 *
 * @param limitMs 0 is no limit.
 */
export function withinMs<Failure>(
  limitMs: number,
  done: (error?: Failure) => void,
  makeTimeout: () => NoInfer<Failure>,
): (error?: Failure) => void {
  let isDone = false;
  const end = (error?: Failure): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(error);
  };
  const timer = limitMs > 0 ? setTimeout(() => end(makeTimeout()), limitMs) : undefined;
  return end;
}
