/** The step that validates a request. */

import { validateParts } from '../schemas/validate-request.ts';
import { isThenable } from '../shared/values.ts';
import type { Exchange } from '../types/exchange.ts';
import { ensureError, translateError } from './exchange.ts';
import { fail, isCurrent, walk } from './run-steps.ts';

// HOT: once per request of a route with schemas. Synchronous until a validator returns a promise.
export function validate(x: Exchange): boolean {
  const result = validateParts(x);
  if (!isThenable<Error | undefined>(result)) return mayContinue(x, result);
  const { responseEpoch } = x;
  result.then(
    (error) => {
      if (isCurrent(x, responseEpoch) && mayContinue(x, error)) walk(x);
    },
    (error) => fail(x, ensureError(error)),
  );
  return false;
}

/** Whether the request continues. With `attachValidation`, it also continues with an error, which the handler can read. */
function mayContinue(x: Exchange, error: Error | undefined): boolean {
  if (error === undefined) return true;
  if (x.plan.attachValidation) {
    x.request.validationError = translateError(x, error);
    return true;
  }
  fail(x, error);
  return false;
}
