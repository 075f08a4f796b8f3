/** The step that validates a request. */
import type { Exchange } from '../contract/exchange.ts';
import { validateParts } from '../schemas/validate-request.ts';
import { isThenable } from '../shared/thenable.ts';
import { ensureError, translateError } from './prepare-error.ts';
import { fail, isCurrent, walk } from './run-steps.ts';

// HOT: once per request of a route with schemas. Synchronous until a validator returns a promise.
export function validate(x: Exchange): boolean {
  const verdict = validateParts(x);
  if (!isThenable<Error | undefined>(verdict)) return passes(x, verdict);
  const { responseEpoch } = x;
  verdict.then(
    (verdict) => {
      if (isCurrent(x, responseEpoch) && passes(x, verdict)) walk(x);
    },
    (error) => fail(x, ensureError(error)),
  );
  return false;
}

/** Whether the request goes on. With `attachValidation` it does so also with an error, which the handler can read. */
function passes(x: Exchange, verdict: Error | undefined): boolean {
  if (verdict === undefined) return true;
  if (x.plan.attachValidation) {
    x.request.validationError = translateError(x, verdict);
    return true;
  }
  fail(x, verdict);
  return false;
}
