/** Owns where at boot an error arose: errors have it in their field `where`. */
import { isError } from './thrown-values.ts';

/** Printed with the error, never part of its message. */
export interface ErrorPlace {
  /** The plugin path of the context, from the root: `root > users > admin`. */
  plugin?: string | undefined;
  /** Method and URL of the route, as declared: `GET /users/:id`. */
  route?: string | undefined;
  /** `file:line:column` of the code that called the framework. */
  file?: string | undefined;
  /** What boot was waiting on when it gave up. */
  step?: string | undefined;
  /** The part of the route's schema: `body`, `response 200 (text/csv)`. */
  part?: string | undefined;
  /** Where in that schema, as a JSON Pointer: `#/properties/name`; in a shared schema, behind its `$id`. */
  schemaPath?: string | undefined;
}

/** Says where an error arose, unless it says so itself. Errors that cannot take it, such as frozen ones, stay as they are. */
export function locateError<T>(error: T, where: () => ErrorPlace): T {
  if (!isError(error)) return error;
  try {
    if (!('where' in error)) Object.assign(error, { where: where() });
  } catch {
    // What failed is more important than where.
  }
  return error;
}

/**
 * Runs a function of the framework for a caller: what it throws says where.
 *
 * @param translate Gives errors of the catalogue the name and message that the application uses.
 */
export function withErrorPlace<T>(run: () => T, where: () => ErrorPlace, translate: <E>(error: E) => E): T {
  try {
    return run();
  } catch (error) {
    throw translate(locateError(error, where));
  }
}
