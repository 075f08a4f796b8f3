/** The step that validates a request: the parts in order (params, body, query string, headers), and the errors of invalid ones (specification 5.2). */
import { findByRange } from '../shared/media-type.ts';
import { isError, readField, textOf, withFields } from '../shared/thrown-values.ts';
import { isThenable } from '../shared/values.ts';
import type {
  HttpPart,
  SchemaErrorFormatter,
  ValidationProblem,
  ValidatorFunction,
} from '../types/compilers.ts';
import { FormatterResultInvalid, ValidationFailed } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Compatibility } from '../types/flavor.ts';
import { ensureError, translateError } from './exchange.ts';
import { fail, isCurrent, walk } from './run-steps.ts';

// HOT: once per request of a route with schemas. Synchronous until a validator returns a promise.
export function validate(x: Exchange): boolean {
  return validateFrom(x, 0);
}

/** Validates the parts up to the first invalid one. Returns whether the next step may run at once. */
function validateFrom(x: Exchange, from: number): boolean {
  const validators = x.plan.validators!;
  for (let i = from; i < validators.parts.length; i++) {
    const part = validators.parts[i]!;
    const isTyped = part === 'body' && validators.bodyByType !== undefined;
    const validator = isTyped ? bodyValidator(x, validators.bodyByType) : validators[part];
    const outcome = validator && validatePart(x, validator, part);
    if (isThenable<Outcome>(outcome)) {
      const { responseEpoch } = x;
      const continued = outcome.then((error) => {
        if (!isCurrent(x, responseEpoch)) return;
        if (error === undefined ? validateFrom(x, i + 1) : mayContinue(x, error)) walk(x);
      });
      continued.then(undefined, (error) => fail(x, ensureError(error)));
      return false;
    }
    if (outcome !== undefined) return mayContinue(x, outcome);
  }
  return true;
}

/** Whether the request continues with an error, which the handler can read: with `attachValidation`. Otherwise it fails. */
function mayContinue(x: Exchange, error: Error): boolean {
  if (x.plan.attachValidation) {
    x.request.validationError = translateError(x, error);
    return true;
  }
  fail(x, error);
  return false;
}

type RequestKey = 'params' | 'body' | 'query' | 'headers';
/** The property of a request that holds each part. */
const requestKeys: Readonly<Record<HttpPart, RequestKey>> = {
  params: 'params',
  body: 'body',
  querystring: 'query',
  headers: 'headers',
};

type ValidationError = Error & {
  statusCode?: number;
  code?: string;
  validation?: unknown;
  validationContext?: string;
};
/** What is wrong with a part; `undefined` if it is valid. */
type Outcome = ValidationError | undefined;

function bodyValidator(
  x: Exchange,
  byType: ReadonlyMap<string, ValidatorFunction>,
): ValidatorFunction | undefined {
  const essence = x.mediaType?.essence;
  const matching = essence === undefined ? undefined : findByRange(byType, essence);
  // There is no body, or other media types are accepted without validation. If only declared types are accepted, a missing body must fail
  // validation.
  return matching ?? (x.plan.acceptedTypes === undefined ? undefined : byType.values().next().value);
}

/** The functions of Ajv have further members, which those of other libraries do not have. */
interface AjvValidator {
  (data: unknown, place: { parentData: object; parentDataProperty: string }): unknown;
  readonly schemaEnv?: object;
  /** In development: all problems of an invalid value. */
  readonly findProblems?: (data: unknown) => readonly unknown[];
  readonly schema?: { readonly $async?: unknown };
}

function validatePart(
  x: Exchange,
  validator: ValidatorFunction,
  part: HttpPart,
): Outcome | PromiseLike<Outcome> {
  const { request } = x;
  const key = requestKeys[part];
  const value = request[key];
  const ajvValidator = validator as unknown as AjvValidator;
  let result: unknown;
  try {
    const data = value === undefined && validator.takesUndefined !== true ? null : value;
    // Ajv 8 can replace a scalar at the root only if it gets the object and the property that contain it. Other validators get only the
    // data.
    result =
      'schemaEnv' in ajvValidator
        ? ajvValidator(data, { parentData: request, parentDataProperty: key })
        : validator(data);
  } catch (error) {
    // An error of the validator itself does not mean that the input is invalid.
    return withFields(toError(error), { statusCode: 500 });
  }
  if (!isThenable(result)) return readResult(x, validator, part, result);
  // For a schema with a truthy `$async`, Ajv resolves with the data itself, whose fields must not be read as a result.
  const resolvesWithData = Boolean(ajvValidator.schema?.$async);
  return result.then(
    (settled) => (resolvesWithData ? undefined : readResult(x, validator, part, settled)),
    // Async validators report invalid data by a rejection, with errors of their own kind.
    (error) => validationError(x, toError(error), part),
  );
}

function readResult(x: Exchange, validator: ValidatorFunction, part: HttpPart, result: unknown): Outcome {
  if (result === false) {
    const { findProblems } = validator as unknown as AjvValidator;
    const problems = findProblems?.(x.request[requestKeys[part]] ?? null);
    return validationError(x, problems ?? validator.errors ?? [], part);
  }
  if (typeof result !== 'object' || result === null) return undefined;
  const { error } = result as { error?: unknown };
  if (error) return validationError(x, error, part);
  if (!('value' in result)) return undefined;
  // An assignment to `request.headers` would add to the received headers.
  if (part === 'headers') x.ownHeaders = result.value as Exchange['ownHeaders'];
  else (x.request as { [Key in RequestKey]: unknown })[requestKeys[part]] = result.value;
  return undefined;
}

function validationError(x: Exchange, problems: unknown, part: HttpPart): ValidationError {
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
function toError(thrown: unknown): Error {
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

/** The default formatter of messages (specification 5.3): `body should have required property 'name'`, several problems joined by commas. */
export function makeErrorFormatter(verb: Compatibility['validationVerb']): SchemaErrorFormatter {
  return (problems: ValidationProblem[], dataVar: HttpPart) => {
    const texts = problems.map(
      (problem) => `${dataVar}${problem.instancePath ?? ''} ${messageOf(problem, verb)}`,
    );
    if (verb === 'should') rewordWhenSerialized(problems);
    // A validator of another library may return only `false`, without problems.
    return new Error(texts.join(', ') || `${dataVar} ${verb} be valid`);
  };
}

/** Ajv's messages begin with "must", those of the specification with "should". */
function messageOf(
  { message = '' }: Pick<ValidationProblem, 'message'>,
  verb: Compatibility['validationVerb'],
): string {
  return verb === 'should' && message.startsWith('must ')
    ? `should ${message.slice('must '.length)}`
    : message;
}

/**
 * Changes the errors to "should" when they are serialized in a reply, so that the reply matches the message. In memory, they keep the text
 * of the validator, because translations and tools read that.
 */
function rewordWhenSerialized(problems: ValidationProblem[]): void {
  const isNotAjv = !problems.some(({ message = '' }) => message.startsWith('must '));
  if (isNotAjv || !Object.isExtensible(problems)) return;
  Object.defineProperty(problems, 'toJSON', {
    configurable: true,
    writable: true,
    value: () => problems.map((problem) => ({ ...problem, message: messageOf(problem, 'should') })),
  });
}
