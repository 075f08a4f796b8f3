/** Decides which steps of a request have spans. */
import type { RunningStep } from 'ambit';

/** Steps of the framework that take almost no time. */
const bookkeeping: ReadonlySet<string> = new Set([
  'admit',
  'pauseAdmission',
  'resumeAdmission',
  'endAdmission',
  'defaultErrorReply',
  'lastErrorReply',
]);

/** Returns a function that returns whether a step has a span; `undefined` if no step has one. */
export function createStepFilter(
  steps: boolean | ((step: RunningStep) => boolean),
): ((step: RunningStep) => boolean) | undefined {
  if (steps === false) return undefined;
  if (steps === true) return ({ name }) => !bookkeeping.has(name);
  return (step) => {
    try {
      return steps(step);
    } catch {
      return false;
    }
  };
}
