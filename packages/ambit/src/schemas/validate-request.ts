/** Validates the parts of a request with the validators of its plan, in order: params, body, query string, headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { findByRange } from '../shared/media-type.ts';
import { isThenable } from '../shared/values.ts';
import type { HttpPart, ValidatorFunction } from '../types/compilers.ts';
import type { Exchange } from '../types/exchange.ts';
import { type Outcome, toError, ValidatorCrash, validationError } from './validation-error.ts';

type RequestKey = 'params' | 'body' | 'query' | 'headers';
/** The property of a request that holds each part. */
const requestKeys: Readonly<Record<HttpPart, RequestKey>> = {
  params: 'params',
  body: 'body',
  querystring: 'query',
  headers: 'headers',
};

// HOT: once per request of a route with schemas. Synchronous until a validator returns a promise.
/** Returns the error of the first invalid part, `undefined` if all parts are valid, or a promise of one of these. */
export function validateParts(x: Exchange, from = 0): Error | undefined | PromiseLike<Error | undefined> {
  const validators = x.plan.validators!;
  for (let i = from; i < validators.parts.length; i++) {
    const part = validators.parts[i]!;
    const validator = part === 'body' ? bodyValidator(x) : validators[part];
    if (validator === undefined) continue;
    const outcome = runValidator(x, validator, requestKeys[part]);
    if (isThenable<Outcome | ValidatorCrash>(outcome)) {
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
  const matching = essence === undefined ? undefined : findByRange(bodyByType, essence);
  // There is no body, or other media types are accepted without validation. If only declared types are accepted, a missing body must fail
  // validation.
  return matching ?? (x.plan.acceptedTypes === undefined ? undefined : bodyByType.values().next().value);
}

function runValidator(
  x: Exchange,
  validator: ValidatorFunction,
  key: RequestKey,
): Outcome | ValidatorCrash | PromiseLike<Outcome | ValidatorCrash> {
  const { request } = x;
  const value = request[key];
  let result: unknown;
  try {
    const data = value === undefined && validator.takesUndefined !== true ? null : value;
    // Ajv 8 can replace a scalar at the root only if it gets the object and the property that contain it. Other validators get only the
    // data.
    result = isAjvValidator(validator)
      ? validator(data, { parentData: request, parentDataProperty: key })
      : validator(data);
  } catch (error) {
    return new ValidatorCrash(error);
  }
  if (isThenable(result)) {
    const isAjvAsync = isAsyncSchema(validator);
    return result.then(
      (settled) => (isAjvAsync ? undefined : readResult(x, validator, key, settled)),
      // Async validators report invalid data by a rejection, with errors of their own kind.
      (error) => ({ problems: toError(error) }),
    );
  }
  return readResult(x, validator, key, result);
}

type AjvValidator = (data: unknown, place: { parentData: object; parentDataProperty: string }) => unknown;

function isAjvValidator(validator: ValidatorFunction | AjvValidator): validator is AjvValidator {
  return (validator as { schemaEnv?: object }).schemaEnv !== undefined;
}

/**
 * Whether it is an async function of Ajv, for a schema with a truthy `$async`. It resolves with the data itself, whose fields must not be
 * read as a result.
 */
function isAsyncSchema(validator: ValidatorFunction): boolean {
  return Boolean((validator as { schema?: { $async?: unknown } }).schema?.$async);
}

function readResult(x: Exchange, validator: ValidatorFunction, key: RequestKey, result: unknown): Outcome {
  if (result === false) return { problems: validator.errors ?? [] };
  if (typeof result !== 'object' || result === null) return undefined;
  const { error } = result as { error?: unknown };
  if (error) return { problems: error };
  if (!('value' in result)) return undefined;
  // An assignment to `request.headers` would add to the received headers.
  if (key === 'headers') x.addedHeaders = result.value as IncomingHttpHeaders;
  else (x.request as { [Key in RequestKey]: unknown })[key] = result.value;
  return undefined;
}
