/** The names of methods in spans and metrics. An unknown method could be any text, so it counts as `_OTHER`. */

/** The methods of RFC 9110, section 9, and RFC 5789. */
const standardMethods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

/** A variable of the semantic conventions: a list with commas, which replaces the standard methods. */
const variable = 'OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS';

/** The known methods, from the environment or the standards. */
export function readKnownMethods(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  const entries = (environment[variable] ?? '').split(',').map((name) => name.trim());
  const names = entries.filter((name) => name !== '');
  return new Set(names.length > 0 ? names : standardMethods);
}

/** The value of `http.request.method` for an unknown method. */
export const otherMethod = '_OTHER';
