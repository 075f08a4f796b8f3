/** Owns how several fields with one name become one value, exactly as in node's `message.headers`. */
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

/** The value of a name that already has one. `set-cookie` is always a list and is handled elsewhere. */
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
  const present = headers[name];
  if (name === 'set-cookie') {
    if (present === undefined) headers[name] = [value];
    else (present as string[]).push(value);
  } else if (typeof present === 'string') headers[name] = joinValues(name, present, value, joinsAll);
  else headers[name] = value;
}
