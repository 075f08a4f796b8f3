/** Handles the signals that stop the command: the first one gracefully, the second one immediately. */
import { constants } from 'node:os';

/** The terminal sends a signal to all processes, and npm sends it again. So a second signal within this time is the same one. */
const sameWithinMs = 300;

/**
 * @param onFirst Stops gracefully.
 * @param onSecond Ends everything immediately, before this process ends.
 */
export function onStopSignals(
  signals: readonly NodeJS.Signals[],
  onFirst: (signal: NodeJS.Signals) => void,
  onSecond: () => void = () => {},
): void {
  let firstMs: number | undefined;
  for (const signal of signals) {
    process.on(signal, () => {
      if (firstMs === undefined) {
        firstMs = performance.now();
        onFirst(signal);
      } else if (performance.now() - firstMs >= sameWithinMs) {
        onSecond();
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}
