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
import { isObject } from '../shared/values.ts';
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
  const problem = readField(error, 'problem');
  // Errors of `defineProblem` have it, and any class may.
  const own = isObject(problem) ? problem : {};
  const type = isProblemType(own.type) ? own.type : blankType;
  const title = typeof own.title === 'string' ? own.title : statusText(status);
  const message = typeof error === 'string' ? error : readField(error, 'message');
  // A message that only repeats the status adds nothing.
  const hasDetail = mayTell && typeof message === 'string' && message !== '' && message !== title;
  const members = {
    type,
    title,
    status,
    detail: hasDetail ? message : undefined,
    instance: problemInstance(requestIdText(x.id)),
    code,
    errors: mayTell ? listItems(error) : undefined,
  };
  const extensions = Object.entries(own).filter(([name]) => !reserved.has(name));
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...given, ...extensions]) as ProblemDetails;
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
