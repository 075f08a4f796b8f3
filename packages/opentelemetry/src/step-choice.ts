/** Owns which steps of a request have spans. */
import type { RunningStep } from 'ambit';

/** Steps of the framework that take no time of their own. */
const bookkeeping: ReadonlySet<string> = new Set([
  'admit',
  'pauseAdmission',
  'resumeAdmission',
  'endAdmission',
  'defaultErrorReply',
  'lastErrorReply',
]);

/** A function that tells whether a step has a span; `undefined` if none has. */
export function chooseSteps(
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
