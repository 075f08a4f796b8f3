/** The error of a request that is not valid (specification 5.2). */

import { isError, readField, textOf, withFields } from '../shared/thrown-values.ts';
import type { HttpPart } from '../types/compilers.ts';
import { FormatterResultInvalid, ValidationFailed } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';

/** The problems of a part; `undefined` if it is valid. */
export type Outcome = { problems: unknown } | undefined;

/** An error of the validator itself. It does not mean that the input is invalid. */
export class ValidatorCrash {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

export type ValidationError = Error & {
  statusCode?: number;
  code?: string;
  validation?: unknown;
  validationContext?: string;
};

export function validationError(
  x: Exchange,
  outcome: { problems: unknown } | ValidatorCrash,
  part: HttpPart,
): ValidationError {
  if (outcome instanceof ValidatorCrash) {
    return withFields(toError(outcome.error), { statusCode: 500 });
  }
  const { problems } = outcome;
  const validationContext = x.plan.partNames[part];
  if (isError(problems)) return completeError(problems, problems, validationContext);
  let error: unknown;
  try {
    error = x.plan.formatProblems(problems as never, part);
  } catch (thrown) {
    // `throw undefined` must not mean "valid".
    return (thrown ?? new FormatterResultInvalid('nothing')) as ValidationError;
  }
  if (!isError(error)) return new FormatterResultInvalid(error === null ? 'null' : typeof error);
  return completeError(error, problems, validationContext);
}

/** Turns what a validator threw into an Error. */
export function toError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(textOf(thrown));
}

/**
 * Adds the fields of validation errors (specification 5.2). Fields that the error already has stay, except `validation` and its context.
 */
function completeError(error: Error, problems: unknown, part: string): ValidationError {
  const isProblem = error === problems;
  const completed: ValidationError = withFields(error, {
    statusCode: (readField(error, 'statusCode') || 400) as number,
    code: (readField(error, 'code') || ValidationFailed.code) as string,
    validationContext: ((isProblem && readField(error, 'validationContext')) || part) as string,
  });
  if (!isProblem) completed.validation = problems;
  else if (readField(error, 'validation') === undefined) {
    // Not enumerable, because serializers would follow the error's reference to itself forever.
    Object.defineProperty(completed, 'validation', { value: problems, writable: true, configurable: true });
  }
  return completed;
}
