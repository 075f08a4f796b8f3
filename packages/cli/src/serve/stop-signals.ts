/** Signals that stop the command: the first in order, the second at once. */
import { constants } from 'node:os';

/** npm passes a signal on that the terminal has sent to all processes: a second one within this time is the same. */
const sameWithinMs = 300;

/**
 * @param onFirst Stops in order.
 * @param onSecond Ends everything before the process does.
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
