/** A typed client that uses `fetch`: `client<typeof app>(baseUrl)`. It imports no code of the server, and runs in browsers. */
import {
  callMethods,
  fillPath,
  isJson,
  isSentAsJson,
  toFieldText,
  toJson,
  toText,
  toTexts,
} from '../shared/typed-calls.ts';
import type {
  CallArguments,
  CallRequest,
  PathOf,
  ReplyAt,
  RequestedPath,
  RouteAt,
  RoutesOf,
} from '../types/calls.ts';
import type { TypedForm } from '../types/multipart.ts';
import type { ProblemDetails } from '../types/problems.ts';
import type { StreamedResponse } from './read-streams.ts';

export type { TypedForm } from '../types/multipart.ts';
export type { ProblemDetails, ProblemItem } from '../types/problems.ts';
export { StreamFailed, withStreams } from './read-streams.ts';

/** The options of `client`. */
export interface ClientOptions {
  /** The function that sends requests. Default: the global `fetch`. `withStreams()` also reads streams item by item. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** A reply. It is a union by status, so that comparing `status` determines the type of `body`. */
export type ClientReply<Reply> = Reply & { headers: Headers };

/** The options of a call, in addition to the parts of its request. */
export interface CallOptions {
  /** Aborting it ends the call, and the stream that the call returned. */
  signal?: AbortSignal;
  /** Whether an event stream connects again after its connection has ended. Default: `true` for GET, otherwise `false`. */
  reconnect?: boolean;
  /** `'text'`: the data of all events stays text. By default, JSON is parsed, unless the event's schema says that it is a string. */
  data?: 'text';
}

/** Sends a request to a route. The arguments are its path, and the parameters, query, headers and body that the route's schema declares. */
export type ClientMethod<Routes, Method extends string, Failure = unknown> = <const Path extends string>(
  path: RequestedPath<Path, PathOf<Routes, Method>>,
  ...request: CallArguments<CallRequest<RouteAt<Routes, Method, Path>> & CallOptions>
) => Promise<ClientReply<ReplyAt<Routes, Method, Path, Failure>>>;

/** A typed client: it has a function for each method. */
export interface Client<Routes, Failure = unknown> extends ClientMethods<Routes, Failure> {}
/** `get`, `post`, `put`, `patch`, `delete`, `options` and `head`: each sends a request of that method. */
type ClientMethods<Routes, Failure> = {
  [Name in (typeof callMethods)[number]]: ClientMethod<Routes, Uppercase<Name>, Failure>;
};
interface Call extends CallOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
}

/**
 * Creates a typed client of an application: `client<typeof app>('https://example.com/api')`. For an application with `errors: 'problem'`,
 * `client<typeof app, ProblemDetails>` gives that type to the body of error statuses that a route does not declare.
 * @param baseUrl The URL that is put before the paths of the application's routes.
 * @param options The function that sends requests, and headers of every request.
 * @returns An object with a function for each of GET, POST, PUT, PATCH, DELETE, OPTIONS and HEAD:
 *   `(path, { params, query, headers, body, signal })`. Its promise resolves with a reply of any status, and rejects if `fetch` rejects.
 *   The body of a stream is an async iterable of its items.
 * @throws {TypeError} (as a rejection) if a parameter of the path has no value or is a segment `.` or `..`, or if a value of the path, the
 *   query or the headers has no text form.
 */
export function client<App, Failure = unknown>(
  baseUrl: string,
  options: ClientOptions = {},
): Client<RoutesOf<App>, Failure> {
  const calls = callMethods.map((method) => [
    method,
    (path: string, call?: Call) => send(baseUrl, options, method.toUpperCase(), path, call),
  ]);
  return Object.fromEntries(calls) as Client<RoutesOf<App>, Failure>;
}

/** Tells whether a reply is an error as problem details (RFC 9457), by its Content-Type. @param reply A reply of the client. */
export function isProblem<Reply extends { headers: Headers }>(
  reply: Reply,
): reply is Reply & { body: ProblemDetails } {
  return /^application\/problem\+json\b/i.test(reply.headers.get('content-type') ?? '');
}

/**
 * Creates the body of a request to a route that accepts `multipart/form-data`: `body: form({ title: 'Summer', picture: file })`.
 * @param fields The values by name. A `File` or `Blob` is sent as a file, an array as several fields of that name, any other object as
 *   JSON, and everything else as text. `undefined` and `null` are left out.
 * @returns A `FormData` whose type contains the types of its fields.
 */
export function form<const Fields extends object>(fields: Fields): TypedForm<Fields> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) append(data, name, item);
  }
  return data;
}

function append(data: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Blob) data.append(name, value);
  else if (typeof value === 'object' && !(value instanceof Date))
    data.append(name, new Blob([toJson(value)], { type: 'application/json' }));
  else data.append(name, toText(value, name));
}

async function send(
  baseUrl: string,
  { fetch: send = fetch, headers: defaultHeaders }: ClientOptions,
  method: string,
  path: string,
  { params, query = {}, body, headers = {}, ...options }: Call = {},
): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, texts] of toTexts(query)) for (const text of texts) search.append(name, text);
  const requestHeaders = new Headers(defaultHeaders);
  for (const [name, texts] of toTexts(headers, toFieldText))
    if (texts.length > 0) requestHeaders.set(name, texts.join(', '));
  const declaredType = requestHeaders.get('content-type');
  const isSerialized = isSentAsJson(body, declaredType);
  if (isSerialized) requestHeaders.set('content-type', declaredType ?? 'application/json');
  const response: StreamedResponse = await send(
    `${baseUrl.replace(/\/$/, '')}${fillPath(path, params)}${search.size ? '?' : ''}${search}`,
    {
      method,
      headers: requestHeaders,
      body: isSerialized ? toJson(body) : body,
      ...options,
    } as RequestInit,
  );
  return {
    status: response.status,
    headers: response.headers,
    body: method === 'HEAD' ? undefined : (response.items ?? (await read(response))),
  };
}

/** The types of text besides JSON: also streams of JSON lines, which `withStreams()` reads item by item. */
const textType = /^\s*(text\/|[^\s;]+[/+]xml\s*(;|$)|application\/(jsonl|x-ndjson|json-seq)\b)/i;

/** Reads a body by its media type: JSON, text in a known charset, or else a `Blob`. Without content, it is `undefined`. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (isJson(type)) {
    const json = await response.text();
    return json ? JSON.parse(json) : undefined;
  }
  if (type === null) return (await response.text()) || undefined;
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1];
  if (!textType.test(type) || !isKnown(charset)) return response.blob();
  return new TextDecoder(charset).decode(await response.arrayBuffer());
}

function isKnown(charset: string | undefined): boolean {
  try {
    return new TextDecoder(charset) !== undefined;
  } catch {
    return false;
  }
}
