/** A typed client on `fetch`: `client<typeof app>(baseUrl)`. It imports nothing of the framework, and runs in browsers. */
import type {
  CallArguments,
  CallReply,
  CallRequest,
  PathOf,
  RouteAt,
  RoutesOf,
} from '../contract/route-call.ts';
import { callMethods } from '../kit/call-methods.ts';
import { fillPath } from '../kit/fill-path.ts';

export interface ClientOptions {
  /** What sends requests; by default the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** Status and body belong together: comparing the one tells the type of the other. */
export type ClientReply<Reply> = Reply & { headers: Headers };

export type ClientMethod<Routes, Method extends string> = <const Path extends PathOf<Routes, Method>>(
  path: Path,
  ...request: CallArguments<CallRequest<RouteAt<Routes, Method, Path>> & { signal?: AbortSignal }>
) => Promise<ClientReply<CallReply<RouteAt<Routes, Method, Path>>>>;

export interface Client<Routes> {
  get: ClientMethod<Routes, 'GET'>;
  post: ClientMethod<Routes, 'POST'>;
  put: ClientMethod<Routes, 'PUT'>;
  patch: ClientMethod<Routes, 'PATCH'>;
  delete: ClientMethod<Routes, 'DELETE'>;
  options: ClientMethod<Routes, 'OPTIONS'>;
}

interface Call {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
  signal?: AbortSignal;
}

/**
 * @param baseUrl Of the application: `https://example.com/api`.
 * @returns A method each for GET, POST, PUT, PATCH, DELETE and OPTIONS: `(path, { params, query, headers, body, signal })`. A reply of
 *   any status resolves; what `fetch` rejects with rejects.
 */
export function client<App>(baseUrl: string, options: ClientOptions = {}): Client<RoutesOf<App>> {
  const calls = callMethods.map((method) => [
    method,
    (path: string, call?: Call) => send(baseUrl, options, method.toUpperCase(), path, call),
  ]);
  return Object.fromEntries(calls) as Client<RoutesOf<App>>;
}

async function send(
  baseUrl: string,
  { fetch: send = fetch, headers: common }: ClientOptions,
  method: string,
  path: string,
  { params, query = {}, body, headers, signal }: Call = {},
): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item));
  }
  const isJson = body !== undefined && !isSentAsItIs(body);
  const response = await send(
    `${baseUrl.replace(/\/$/, '')}${fillPath(path, params)}${search.size > 0 ? `?${search}` : ''}`,
    {
      method,
      headers: {
        ...(isJson && { 'content-type': 'application/json' }),
        ...common,
        ...(headers as Record<string, string>),
      },
      body: (isJson ? JSON.stringify(body) : (body ?? null)) as NonNullable<RequestInit['body']> | null,
      signal: signal ?? null,
    },
  );
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: /\bjson\b/.test(type) && text !== '' ? JSON.parse(text) : text || undefined,
  };
}

/** What `fetch` knows how to send. */
function isSentAsItIs(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  );
}
