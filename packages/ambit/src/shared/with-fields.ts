/** Owns the marking of errors that belong to somebody else. */
import { messageOf } from './text-of.ts';

/** The error with some fields set; where it takes none, because it is frozen, another one with the same message, and it as the cause. */
export function withFields<Fields extends object>(error: object, fields: Fields): Error & Fields {
  try {
    return Object.assign(error as Error, fields);
  } catch {
    return Object.assign(new Error(messageOf(error), { cause: error }), fields);
  }
}
