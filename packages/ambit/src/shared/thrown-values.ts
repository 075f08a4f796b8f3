/** Reads values that were thrown or passed as errors, and adds fields and stacks to them. Reading them may throw, and they may be frozen. */
import { types } from 'node:util';

/** Whether a value is an error, also if it is from another realm, such as that of a test runner or of `node:vm`. */
export function isError(value: unknown): value is Error {
  // A revoked proxy throws when its prototype is read.
  return attempt(() => value instanceof Error || types.isNativeError(value)) === true;
}

/** Returns the result of a function; `undefined` if it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns a property of any value; `undefined` if reading it throws. */
export function readField(value: unknown, name: PropertyKey): unknown {
  return attempt(() => (Object(value) as Record<PropertyKey, unknown>)[name]);
}

/** Converts any value to text; if that throws, returns the type of the value. */
export function textOf(value: unknown): string {
  return attempt(() => String(value)) ?? `[${typeof value}]`;
}

/** Returns the message of an error; any other thrown value is converted to text. */
export function messageOf(thrown: unknown): string {
  const message = readField(thrown, 'message');
  return typeof message === 'string' ? message : textOf(thrown);
}

/** Gives an object a stack of at most this many frames: those of the callers of `above`. */
export function captureStack(target: object, frameLimit: number, above?: NewableFunction): void {
  const limit = Error.stackTraceLimit;
  // An assignment would throw if the application has frozen `Error`.
  Reflect.set(Error, 'stackTraceLimit', frameLimit);
  // Frames are collected now, and become text when `stack` is first read.
  Error.captureStackTrace(target, above);
  Reflect.set(Error, 'stackTraceLimit', limit);
}

/** Sets fields of an error. If the error is frozen, returns a new error with the same message, whose cause is the error. */
export function withFields<Fields extends object>(error: object, fields: Fields): Error & Fields {
  try {
    return Object.assign(error as Error, fields);
  } catch {
    return Object.assign(new Error(messageOf(error), { cause: error }), fields);
  }
}
