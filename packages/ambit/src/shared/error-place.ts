/** The location of an error of boot: the plugin, the route and the line. Errors have it in their field `where`. */
import { isError } from './thrown-values.ts';

/** The location of an error. It is printed with the error, but is not part of its message. */
export interface ErrorPlace {
  /** The plugin path of the context, from the root: `root > users > admin`. */
  plugin?: string | undefined;
  /** Method and URL of the route, as declared: `GET /users/:id`. */
  route?: string | undefined;
  /** `file:line:column` of the code that called the framework. */
  file?: string | undefined;
  /** The step that boot was waiting for when it timed out. */
  step?: string | undefined;
  /** The part of the route's schema: `body`, `response 200 (text/csv)`. */
  part?: string | undefined;
  /** The location in that schema, as a JSON Pointer: `#/properties/name`. In a shared schema, it follows the `$id`. */
  schemaPath?: string | undefined;
}

/** Adds a location to an error that has none. Errors to which nothing can be added, such as frozen ones, stay as they are. */
export function locateError<T>(error: T, where: () => ErrorPlace): T {
  if (!isError(error)) return error;
  try {
    if (!('where' in error)) Object.assign(error, { where: where() });
  } catch {
    // The error itself is more important than its location.
  }
  return error;
}

/**
 * Runs a function, and adds the location to an error that it throws.
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
