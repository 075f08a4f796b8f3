/** Turns several fields with one name into one value, exactly as in node's `message.headers`. */
import type { IncomingHttpHeaders } from 'node:http';

/** For these names, the first value is used (node's documentation of `message.headers`). */
const singular: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/** Returns the value of a name that has a value already. `set-cookie`, which is always a list, is handled in `addHeader`. */
function joinValues(name: string, first: string, next: string, joinsAll: boolean): string {
  if (name === 'cookie') return `${first}; ${next}`;
  return joinsAll || !singular.has(name) ? `${first}, ${next}` : first;
}

/** Adds a field to an object of headers. */
export function addHeader(
  headers: IncomingHttpHeaders,
  name: string,
  value: string,
  joinsAll: boolean,
): void {
  const existing = headers[name];
  if (name === 'set-cookie') {
    if (existing === undefined) headers[name] = [value];
    else (existing as string[]).push(value);
  } else if (typeof existing === 'string') headers[name] = joinValues(name, existing, value, joinsAll);
  else headers[name] = value;
}
