/** Owns the methods that spans and metrics name. An unknown method could be any text, so it counts as `_OTHER`. */

/** RFC 9110, section 9, and RFC 5789. */
const standardMethods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

/** The semantic conventions name this variable: a list with commas, which replaces the standard methods. */
const variable = 'OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS';

/** The methods that are known, as the environment says. */
export function readKnownMethods(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  const listed = (environment[variable] ?? '').split(',').map((name) => name.trim());
  const given = listed.filter((name) => name !== '');
  return new Set(given.length > 0 ? given : standardMethods);
}

/** The value of `http.request.method` for a method that is not known. */
export const otherMethod = '_OTHER';
