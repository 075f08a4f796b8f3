/** Tells errors from other values, also those of another realm: a test runner's, a vm's. */
import { types } from 'node:util';

export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || types.isNativeError(value);
  } catch {
    // A proxy that was revoked has no prototype to look at.
    return false;
  }
}
