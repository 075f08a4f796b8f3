/** Converts an error to problem details (RFC 9457). Only the parts of the error that are meant for clients are included. */

import { encodeStep } from '@ambit/json-schema';
import {
  blankType,
  isProblemType,
  problemInstance,
  reservedMembers,
  toWellFormed,
} from '../shared/early-error.ts';
import { statusText } from '../shared/http-facts.ts';
import { isError, messageOf, readField } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ProblemDetails, ProblemItem } from '../types/problems.ts';
import { requestIdText } from './exchange.ts';

const reserved: ReadonlySet<string> = new Set(reservedMembers);

/** What the client may know of an error besides its own members: the code, and, with `mayTell`, the message. */
interface Told {
  readonly status: number;
  readonly code: string | undefined;
  readonly mayTell: boolean;
}

/** Returns the members of the problem in the order of RFC 9457, then the extensions. */
export function problemDetails(x: Exchange, error: unknown, { status, code, mayTell }: Told): ProblemDetails {
  const problem = ownMembers(error);
  const title = typeof problem.title === 'string' ? problem.title : statusText(status);
  const detail = mayTell ? detailOf(error) : undefined;
  const instance = problemInstance(requestIdText(x.id));
  const errors = mayTell ? listItems(error) : undefined;
  return {
    type: isProblemType(problem.type) ? problem.type : blankType,
    ...(title !== undefined && { title }),
    status,
    // A message that only repeats the status adds nothing.
    ...(detail !== undefined && detail !== title && { detail }),
    ...(instance !== undefined && { instance }),
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors }),
    ...Object.fromEntries(Object.entries(problem).filter(([name]) => !reserved.has(name))),
  };
}

/** Returns the field `problem` of an error: errors of `defineProblem` have it, and any class may. */
function ownMembers(error: unknown): Record<string, unknown> {
  const problem = readField(error, 'problem');
  return typeof problem === 'object' && problem !== null && !Array.isArray(problem)
    ? (problem as Record<string, unknown>)
    : {};
}

/** Returns the message of an error, or a text that was thrown. */
function detailOf(error: unknown): string | undefined {
  const message = typeof error === 'string' ? error : readField(error, 'message');
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** The parts, by their names in `error.validationContext`. */
const parts: Readonly<Record<string, NonNullable<ProblemItem['part']>>> = {
  body: 'body',
  headers: 'headers',
  params: 'params',
  query: 'query',
  querystring: 'query',
};

/** Parameters of Ajv's errors that name a property of the invalid value. */
const propertyParams = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName',
] as const;

/** Fields in which the errors of libraries have their list of problems: Joi, Zod, Yup. */
const listFields = ['details', 'issues', 'inner'] as const;

/** Returns the entries for a validation error or an `AggregateError`; `undefined` for any other error. */
function listItems(error: unknown): ProblemItem[] | undefined {
  const validation = readField(error, 'validation');
  const part = parts[String(readField(error, 'validationContext'))];
  const list = validation === undefined ? aggregated(error) : listOf(validation);
  const items = list?.map((problem) => itemOf(problem, part)).filter((item) => item !== undefined);
  return items === undefined || items.length === 0 ? undefined : items;
}

/** Returns the errors in an `AggregateError`, also if it is from another realm. */
function aggregated(error: unknown): readonly unknown[] | undefined {
  const errors = readField(error, 'errors');
  if (!isError(error) || !Array.isArray(errors) || !errors.every(isError)) return undefined;
  return errors.filter((inner) => readField(inner, 'expose') !== false);
}

/** Returns the list that a validator reports, directly or in an error. */
function listOf(validation: unknown): readonly unknown[] | undefined {
  if (Array.isArray(validation)) {
    // The list of the default formatter changes its messages in `toJSON`.
    const { toJSON } = validation as { toJSON?: () => unknown };
    const written = typeof toJSON === 'function' ? toJSON.call(validation) : validation;
    return Array.isArray(written) ? written : validation;
  }
  for (const name of listFields) {
    const list = readField(validation, name);
    if (Array.isArray(list) && list.length > 0) return list;
  }
  return isError(validation) ? [validation] : undefined;
}

function itemOf(problem: unknown, part: ProblemItem['part']): ProblemItem | undefined {
  if (typeof problem !== 'object' || problem === null) return undefined;
  const pointer = pointerOf(problem);
  return {
    detail: messageOf(problem),
    ...(pointer !== undefined && { pointer }),
    ...(part !== undefined && { part }),
  };
}

/**
 * Returns the location of a problem: Ajv has a JSON Pointer, libraries have a list of keys, errors of an application may have `pointer`.
 */
function pointerOf(problem: object): string | undefined {
  const own = readField(problem, 'pointer');
  if (typeof own === 'string') return own;
  const instancePath = readField(problem, 'instancePath');
  if (typeof instancePath === 'string') return toFragment(instancePath + propertyOf(problem));
  const path = readField(problem, 'path');
  return Array.isArray(path)
    ? toFragment(path.map((step) => `/${encodeStep(keyOf(step))}`).join(''))
    : undefined;
}

/** Returns the pointer of a property that is missing or must not be there, because the client must correct that property. */
function propertyOf(problem: object): string {
  const params = readField(problem, 'params');
  for (const name of propertyParams) {
    const property = readField(params, name);
    if (typeof property === 'string') return `/${encodeStep(property)}`;
  }
  return '';
}

/** Standard Schema allows a key to be wrapped in an object. */
function keyOf(step: unknown): string {
  return String(typeof step === 'object' && step !== null ? readField(step, 'key') : step);
}

/** Converts a pointer to a URI fragment (RFC 6901, 6): characters that are not allowed there are percent-encoded. */
function toFragment(pointer: string): string {
  return `#${encodeURI(toWellFormed(pointer)).replaceAll('#', '%23')}`;
}
