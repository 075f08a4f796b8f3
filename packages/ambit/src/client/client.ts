/** A typed client on `fetch`: `client<typeof app>(baseUrl)`. It imports nothing of the framework, and runs in browsers. */
import type { ReplyAt } from '../contract/call-reply.ts';
import type { CallArguments, CallRequest } from '../contract/call-request.ts';
import type { PathOf, RequestedPath, RouteAt, RoutesOf } from '../contract/known-routes.ts';
import type { ProblemDetails } from '../contract/problem.ts';
import { callMethods, isSentAsJson } from '../shared/call-methods.ts';
import { fillPath } from '../shared/fill-path.ts';
import { isJson } from '../shared/is-json.ts';
import type { StreamedResponse } from './with-streams.ts';

export type { TypedForm } from '../contract/multipart.ts';
export type { ProblemDetails, ProblemItem } from '../contract/problem.ts';
export { StreamFailed } from './event-stream.ts';
export { form } from './form.ts';
export { withStreams } from './with-streams.ts';

/** The options of `client`. */
export interface ClientOptions {
  /** What sends requests; by default the global `fetch`. `withStreams()` also reads streams item by item. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** Status and body belong together: comparing the one tells the type of the other. */
export type ClientReply<Reply> = Reply & { headers: Headers };

/** What a call may have besides the parts of its request. */
export interface CallOptions {
  /** Ends the call, and the stream that it returned. */
  signal?: AbortSignal;
  /**
   * Whether an event stream connects again after its connection has ended, with the id of the last event. Default: `true` for GET, `false`
   * for other methods.
   */
  reconnect?: boolean;
  /**
   * `'text'`: the data of all events stays text. By default, data that is JSON is parsed, unless the schema of the event says that it is a
   * string.
   */
  data?: 'text';
}

/** Sends a request to a route: its path, then the parameters, query, headers and body that the route's schema asks for. */
export type ClientMethod<Routes, Method extends string, Failure = unknown> = <const Path extends string>(
  path: RequestedPath<Path, PathOf<Routes, Method>>,
  ...request: CallArguments<CallRequest<RouteAt<Routes, Method, Path>> & CallOptions>
) => Promise<ClientReply<ReplyAt<Routes, Method, Path, Failure>>>;

/** A function for each method. */
export interface Client<Routes, Failure = unknown> {
  /** Sends a GET request. */
  get: ClientMethod<Routes, 'GET', Failure>;
  /** Sends a POST request. */
  post: ClientMethod<Routes, 'POST', Failure>;
  /** Sends a PUT request. */
  put: ClientMethod<Routes, 'PUT', Failure>;
  /** Sends a PATCH request. */
  patch: ClientMethod<Routes, 'PATCH', Failure>;
  /** Sends a DELETE request. */
  delete: ClientMethod<Routes, 'DELETE', Failure>;
  /** Sends a OPTIONS request. */
  options: ClientMethod<Routes, 'OPTIONS', Failure>;
  /** Sends a HEAD request. */
  head: ClientMethod<Routes, 'HEAD', Failure>;
}

interface Call {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
  signal?: AbortSignal;
  reconnect?: boolean;
  data?: 'text';
}

/**
 * Makes a typed client of an application: `client<typeof app>('https://example.com/api')`. For an application with `errors: 'problem'`,
 * `client<typeof app, ProblemDetails>` gives that type to the body of statuses of failure that a route does not declare.
 *
 * @param baseUrl The URL that the paths of the application's routes follow.
 * @param options What sends requests, and headers of every request.
 * @returns A function each for GET, POST, PUT, PATCH, DELETE, OPTIONS and HEAD: `(path, { params, query, headers, body, signal })`. It resolves
 *   with a reply of any status, and rejects with what `fetch` rejects with. The body of a stream is an async iterable of its items.
 * @throws {TypeError} (as a rejection) if a parameter of the path has no value.
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

/**
 * Whether a reply is an error as problem details (RFC 9457).
 *
 * @param reply A reply of the client.
 * @returns `true` by its Content-Type. The compiler then knows the members of its body.
 */
export function isProblem<Reply extends { headers: Headers }>(
  reply: Reply,
): reply is Reply & { body: ProblemDetails } {
  return /^application\/problem\+json\b/i.test(reply.headers.get('content-type') ?? '');
}

async function send(
  baseUrl: string,
  { fetch: send = fetch, headers: common }: ClientOptions,
  method: string,
  path: string,
  { params, query = {}, body, headers = {}, ...options }: Call = {},
): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== undefined) search.append(name, item as string);
  }
  const sent = new Headers(common);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) sent.set(name, value as string);
  const named = sent.get('content-type');
  const isSerialized = isSentAsJson(body, named);
  if (isSerialized) sent.set('content-type', named ?? 'application/json');
  const response: StreamedResponse = await send(
    `${baseUrl.replace(/\/$/, '')}${fillPath(path, params)}${search.size ? '?' : ''}${search}`,
    { method, headers: sent, body: isSerialized ? JSON.stringify(body) : body, ...options } as RequestInit,
  );
  return {
    status: response.status,
    headers: response.headers,
    body: method === 'HEAD' ? undefined : (response.items ?? (await read(response))),
  };
}

/** By its media type: JSON is parsed, text is text, anything else a `Blob`. No content is `undefined`. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? 'text';
  if (!/json|text|xml/.test(type)) return response.blob();
  const text = await response.text();
  if (!isJson(type)) return type === 'text' ? text || undefined : text;
  return text ? JSON.parse(text) : undefined;
}
