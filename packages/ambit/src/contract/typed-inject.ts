/** The types of `app.inject`: its calls and responses follow from the declared routes. */
import type { ReplyAt } from './call-reply.ts';
import type { CallArguments, CallRequest } from './call-request.ts';
import type { InjectChain, InjectResponse } from './inject.ts';
import type { InjectOptions } from './inject-options.ts';
import type { PathOf, RequestedPath, RouteAt } from './known-routes.ts';
import type { EntriesOf } from './route-table.ts';

/** The options of a typed call that do not come from the schemas of the route. */
type InjectSettings = Pick<InjectOptions, 'cookies' | 'remoteAddress' | 'authority' | 'signal' | 'simulate'>;

/** The response to a typed call: `statusCode` determines the type that `json` returns. Text, bytes or an empty body are not JSON. */
export type InjectReply<Reply> = Reply extends { status: infer Status; body: infer Body }
  ? Omit<InjectResponse, 'statusCode' | 'json'> & {
      statusCode: Status;
      json(): Exclude<Body, string | undefined | Blob>;
    }
  : never;

/** `app.inject` of a context, typed by the routes that the compiler knows. */
export interface Inject<out Routes = unknown> extends InjectCalls {
  /**
   * Sends a request.
   *
   * @param options The URL, or the whole request.
   * @returns A promise of the response. It rejects if boot fails.
   * @throws {FST_ERR_REOPENED_CLOSE_SERVER} (as a rejection) once the application is closed.
   */
  (options: InjectOptions | string): Promise<InjectResponse>;
  /** Builds a request by a chain of calls. */
  (): InjectChain;
  /**
   * Sends a request.
   *
   * @param options The URL, or the whole request.
   * @param callback Gets the response, or the error.
   */
  (
    options: InjectOptions | string,
    callback: (error: Error | undefined, response: InjectResponse | undefined) => void,
  ): void;
  /** For the compiler only: the member does not exist at run time. */
  readonly '~routes'?: Routes;
}

type RoutesIn<Self> = Self extends { readonly '~routes'?: infer Routes } ? EntriesOf<Routes> : unknown;

/**
 * `app.inject.post('/users/:id', { params, query, headers, body })`. The routes come from the type of `this`. So the methods have the same
 * types in all contexts, and a context with known routes is assignable to any other context.
 */
interface InjectCalls {
  /** Sends a typed GET request to a route of a chain: `(path, { params, query, headers, body })`. */
  get: InjectCall<'GET'>;
  /** Sends a typed POST request to a route of a chain: `(path, { params, query, headers, body })`. */
  post: InjectCall<'POST'>;
  /** Sends a typed PUT request to a route of a chain: `(path, { params, query, headers, body })`. */
  put: InjectCall<'PUT'>;
  /** Sends a typed PATCH request to a route of a chain: `(path, { params, query, headers, body })`. */
  patch: InjectCall<'PATCH'>;
  /** Sends a typed DELETE request to a route of a chain: `(path, { params, query, headers, body })`. */
  delete: InjectCall<'DELETE'>;
  /** Sends a typed OPTIONS request to a route of a chain: `(path, { params, query, headers, body })`. */
  options: InjectCall<'OPTIONS'>;
  /** Sends a typed HEAD request to a route of a chain: `(path, { params, query, headers, body })`. */
  head: InjectCall<'HEAD'>;
}

type InjectCall<Method extends string> = <Self, const Path extends string>(
  this: Self,
  path: RequestedPath<Path, PathOf<RoutesIn<Self>, Method>>,
  ...request: CallArguments<CallRequest<RouteAt<RoutesIn<Self>, Method, Path>> & InjectSettings>
) => Promise<InjectReply<ReplyAt<RoutesIn<Self>, Method, Path>>>;
