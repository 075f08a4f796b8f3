/** Validates the parts of a request with the validators of its plan, in order: params, body, query string, headers. */
import type { HttpPart, ValidatorFunction } from '../contract/compiler.ts';
import { FormatterResultInvalid, ValidationFailed } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Request } from '../contract/request.ts';
import { isError } from '../shared/is-error.ts';
import { isInRange } from '../shared/media-type.ts';
import { readField, textOf } from '../shared/text-of.ts';
import { isThenable } from '../shared/thenable.ts';
import { withFields } from '../shared/with-fields.ts';

type RequestKey = 'params' | 'body' | 'query' | 'headers';
type Outcome = { problems: unknown } | undefined;
/** An error that is no verdict on the input: the validator itself broke. */
class Broken {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Where a request has each part. */
const keys: Readonly<Record<HttpPart, RequestKey>> = {
  params: 'params',
  body: 'body',
  querystring: 'query',
  headers: 'headers',
};

// HOT: once per request of a route with schemas. Synchronous until a validator returns a promise.
/** The error of the first part that fails, `undefined` when all pass, or a promise of either. */
export function validateParts(x: Exchange, from = 0): Error | undefined | PromiseLike<Error | undefined> {
  const validators = x.plan.validators!;
  for (let i = from; i < validators.parts.length; i++) {
    const part = validators.parts[i]!;
    const validator = part === 'body' ? bodyValidator(x) : validators[part];
    if (validator === undefined) continue;
    const outcome = runValidator(x.request, validator, keys[part]);
    if (isThenable<Outcome | Broken>(outcome)) {
      return outcome.then((settled) =>
        settled === undefined ? validateParts(x, i + 1) : validationError(x, settled, part),
      );
    }
    if (outcome !== undefined) return validationError(x, outcome, part);
  }
  return undefined;
}

function bodyValidator(x: Exchange): ValidatorFunction | undefined {
  const { body, bodyByType } = x.plan.validators!;
  if (bodyByType === undefined) return body;
  const essence = x.mediaType?.essence;
  const covering = essence === undefined ? undefined : findByRange(bodyByType, essence);
  // No body came, or a convention lets other types in. Where the schemas cover all, a missing one fails like any other.
  return covering ?? (x.plan.acceptedTypes === undefined ? undefined : bodyByType.values().next().value);
}

/** The schema of the type itself, else of the first range that covers it, else of every type. */
function findByRange<Validator>(
  byType: ReadonlyMap<string, Validator>,
  essence: string,
): Validator | undefined {
  const exact = byType.get(essence);
  if (exact !== undefined) return exact;
  for (const [range, validator] of byType) {
    if (range !== '*/*' && isInRange(range, essence)) return validator;
  }
  return byType.get('*/*');
}

function runValidator(
  request: Request,
  validator: ValidatorFunction,
  key: RequestKey,
): Outcome | Broken | PromiseLike<Outcome | Broken> {
  const value = request[key];
  let result: unknown;
  try {
    const data = value === undefined && validator.takesUndefined !== true ? null : value;
    // Ajv 8 replaces a scalar at the root only when it is told where the value lives; others are given the data alone.
    result = isAjvValidator(validator)
      ? validator(data, { parentData: request, parentDataProperty: key })
      : validator(data);
  } catch (error) {
    return new Broken(error);
  }
  if (isThenable(result)) {
    const isEngineAsync = isAsyncSchema(validator);
    return result.then(
      (settled) => (isEngineAsync ? undefined : readResult(request, validator, key, settled)),
      // Async validators say "invalid" by rejecting, each library with an error of its own.
      (error) => ({ problems: toError(error) }),
    );
  }
  return readResult(request, validator, key, result);
}

type AjvValidator = (data: unknown, place: { parentData: object; parentDataProperty: string }) => unknown;

function isAjvValidator(validator: ValidatorFunction | AjvValidator): validator is AjvValidator {
  return (validator as { schemaEnv?: object }).schemaEnv !== undefined;
}

/** Ajv's `$async` functions resolve with the data itself, whose fields must not be read as a verdict. Whatever is no falsehood counts. */
function isAsyncSchema(validator: ValidatorFunction): boolean {
  return Boolean((validator as { schema?: { $async?: unknown } }).schema?.$async);
}

function readResult(
  request: Request,
  validator: ValidatorFunction,
  key: RequestKey,
  result: unknown,
): Outcome {
  if (result === false) return { problems: validator.errors ?? [] };
  if (typeof result !== 'object' || result === null) return undefined;
  const { error } = result as { error?: unknown };
  if (error) return { problems: error };
  if ('value' in result) (request as { [Key in RequestKey]: unknown })[key] = result.value;
  return undefined;
}

type ValidationError = Error & {
  statusCode?: number;
  code?: string;
  validation?: unknown;
  validationContext?: string;
};

function validationError(
  x: Exchange,
  outcome: { problems: unknown } | Broken,
  part: HttpPart,
): ValidationError {
  if (outcome instanceof Broken) {
    return withFields(toError(outcome.error), { statusCode: 500 });
  }
  const { problems } = outcome;
  const validationContext = x.plan.partNames[part];
  if (isError(problems)) return asVerdict(problems, problems, validationContext);
  let error: unknown;
  try {
    error = x.plan.formatProblems(problems as never, part);
  } catch (thrown) {
    // Nothing at all, thrown, must not read as "valid".
    return (thrown ?? new FormatterResultInvalid('nothing')) as ValidationError;
  }
  if (!isError(error)) return new FormatterResultInvalid(error === null ? 'null' : typeof error);
  return asVerdict(error, problems, validationContext);
}

/** Whatever a validator threw, as an error. */
function toError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(textOf(thrown));
}

/** An error with what every refused input has (specification 5.2); what it has of its own stays, but for the problems and their part. */
function asVerdict(error: Error, problems: unknown, part: string): ValidationError {
  const isProblem = error === problems;
  const verdict: ValidationError = withFields(error, {
    statusCode: (readField(error, 'statusCode') || 400) as number,
    code: (readField(error, 'code') || ValidationFailed.code) as string,
    validationContext: ((isProblem && readField(error, 'validationContext')) || part) as string,
  });
  if (!isProblem) verdict.validation = problems;
  else if (readField(error, 'validation') === undefined) {
    // Hidden, since an enumerable reference to itself defeats serializers.
    Object.defineProperty(verdict, 'validation', { value: problems, writable: true, configurable: true });
  }
  return verdict;
}
