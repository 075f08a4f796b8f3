/** Owns what a hook failed with: whoever reports it can take it for an error. */
import { UndefinedError } from '../contract/errors.ts';

/** The same, but for `false`, `0`, an empty string and nothing at all, which many a handler takes for success. */
export function failureOf(given: unknown): unknown {
  return given || UndefinedError.at({ cause: given });
}
