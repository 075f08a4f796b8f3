/** How typed calls of `inject` and of the client write the values of a request: its path, query, headers and body. */

/** The methods that `inject` and the typed client have a function for. */
export const callMethods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const;

/** True for `application/json`, `text/json` and types that end with `+json`, with any parameters. */
export function isJson(contentType: string | null | undefined): boolean {
  return /^\s*[^\s;]+[/+]json\s*(;|$)/i.test(contentType ?? '');
}

/**
 * @param contentType The media type that the caller has set. If it is JSON, a string is sent as a JSON value; otherwise as it is.
 */
export function isSentAsJson(body: unknown, contentType: string | null | undefined): boolean {
  if (typeof body === 'string') return isJson(contentType);
  return body !== undefined && !isWebBody(body);
}

/** Whether a value that is not a string can be a body of `fetch`. */
function isWebBody(body: unknown): boolean {
  const forms = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];
  return forms.some((Form) => body instanceof Form) || ArrayBuffer.isView(body);
}

/** Writes a body as JSON. A `bigint` is its digits in quotes, because most parsers round long numbers. */
export function toJson(body: unknown): string {
  return JSON.stringify(body, (_name, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/**
 * The texts of the values of a query or of headers, by name. `undefined` and `null` are left out.
 *
 * @param write Writes one value. Default: `toText`.
 */
export function toTexts(
  values: Readonly<Record<string, unknown>>,
  write: (value: unknown, name: string) => string = toText,
): [name: string, texts: string[]][] {
  return Object.entries(values).map(([name, value]) => [
    name,
    [value].flat().flatMap((item) => (item === undefined || item === null ? [] : write(item, name))),
  ]);
}

/**
 * The text of a value: a `Date` in the form of ISO 8601, any other object by its `toJSON`.
 *
 * @param name The name of the value, for the error.
 * @throws {TypeError} for an array, or an object without such a text.
 * @throws {RangeError} for an invalid `Date`.
 */
export function toText(value: unknown, name: string): string {
  if (value instanceof Date) return value.toISOString();
  const scalar = (value as { toJSON?: () => unknown }).toJSON?.() ?? value;
  if (Object(scalar) === scalar) throw new TypeError(`the value of '${name}' has no text form`);
  return String(scalar);
}

/**
 * The text of a value in a header. A `Date` has the form of HTTP (RFC 9110, 5.6.7). The id of an event is sent as UTF-8, so it has one
 * character for each byte (WHATWG HTML, 9.2.3).
 */
export function toFieldText(value: unknown, name: string): string {
  const text = value instanceof Date ? value.toUTCString() : toText(value, name);
  if (!/^last-event-id$/i.test(name)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
