/** Reads and marks values that were thrown, or given for an error. They may be anything: reading them may throw, and they may be frozen. */
import { types } from 'node:util';

/** Tells errors from other values, also those of another realm: a test runner's, a vm's. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || types.isNativeError(value);
  } catch {
    // A proxy that was revoked has no prototype to look at.
    return false;
  }
}

/** A property of any value; `undefined` where it throws when it is read. */
export function readField(value: unknown, name: string): unknown {
  try {
    return (Object(value) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** The text of any value; of one that has none, its type. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}

/** The message of an error; of anything else that was thrown, its text. */
export function messageOf(thrown: unknown): string {
  const message = readField(thrown, 'message');
  return typeof message === 'string' ? message : textOf(thrown);
}

/** The error with some fields set; where it takes none, because it is frozen, another one with the same message, and it as the cause. */
export function withFields<Fields extends object>(error: object, fields: Fields): Error & Fields {
  try {
    return Object.assign(error as Error, fields);
  } catch {
    return Object.assign(new Error(messageOf(error), { cause: error }), fields);
  }
}
