/** How typed calls of `inject` and of the client write a request: its path, query, headers and body. */

/** The methods that `inject` and the typed client have a function for. */
export const callMethods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const;

/** A comment in an event stream (WHATWG HTML, 9.2.6): the data is text, though it could be taken for JSON. */
export const textMark = ':text';

/**
 * Fills the parameters in the path of a route, which gives the path of a request.
 * @param values The values by name. The name of a wildcard is `*`, and its value keeps its slashes.
 * @throws {TypeError} for a parameter without a value, and for a segment `.` or `..`, which leads to another path (RFC 3986, 5.2.4).
 */
export function fillPath(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  let filled = '';
  for (const part of partsOf(path)) {
    if (typeof part === 'string') filled += part;
    else if (part.kind === 'wildcard') filled += encode('*').replaceAll('%2F', '/');
    else if (part.kind === 'required' || (values[part.name] ?? undefined) !== undefined)
      filled += encode(part.name);
    else if (filled.endsWith('/')) filled = filled.slice(0, -1);
  }
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(filled))
    throw new TypeError(`'${filled}' leads to another path than ${path}: a segment must not be '.' or '..'`);
  return filled || '/';

  function encode(name: string): string {
    const value = values[name];
    if (value === undefined || value === null || value === '')
      throw new TypeError(`no value for '${name}' of ${path}`);
    return encodeURIComponent(toText(value, name));
  }
}

/** Lists the names of the parameters. The name of a wildcard is `*`. */
export function parameterNames(path: string): readonly string[] {
  return [...partsOf(path)].flatMap((part) => (typeof part === 'string' ? [] : part.name));
}
interface Parameter {
  readonly name: string;
  readonly kind: 'required' | 'optional' | 'wildcard';
}

/** The characters and the parameters of a path, as the router reads it. */
function* partsOf(path: string): Generator<string | Parameter> {
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '*') yield { name: '*', kind: 'wildcard' };
    else if (path[at] !== ':') yield path[at]!;
    else if (path[at + 1] === ':') yield path[++at]!;
    else {
      const name = /^[^/.(-]*/.exec(path.slice(at + 1))![0];
      const isOptional = name.endsWith('?');
      yield isOptional ? { name: name.slice(0, -1), kind: 'optional' } : { name, kind: 'required' };
      at = skipPattern(path, at + 1 + name.length) - 1;
    }
  }
}

/** Returns the index after the pattern in parentheses that begins at `at`; `at` if none does. */
function skipPattern(path: string, at: number): number {
  if (path[at] !== '(') return at;
  let open = 0;
  for (let end = at; end < path.length; end++) {
    if (path[end] === '\\') end++;
    else if (path[end] === '(') open++;
    else if (path[end] === ')' && --open === 0) return end + 1;
  }
  return path.length;
}

/** True for `application/json`, `text/json` and types that end with `+json`, with any parameters. */
export function isJson(contentType: string | null | undefined): boolean {
  return /^\s*[^\s;]+[/+]json\s*(;|$)/i.test(contentType ?? '');
}

/** @param contentType The media type that the caller has set. If it is JSON, a string is sent as a JSON value; otherwise as it is. */
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

/** The texts of the values of a query or of headers, by name; none for `undefined` and `null`. @param write Default: `toText`. */
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

/** The text of a value in a header: dates as in RFC 9110, 5.6.7; the id of an event as UTF-8, a character a byte (WHATWG HTML, 9.2.3). */
export function toFieldText(value: unknown, name: string): string {
  const text = value instanceof Date ? value.toUTCString() : toText(value, name);
  if (!/^last-event-id$/i.test(name)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
