/** The methods of a context for the application's server, and for requests without one. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchExecution, ListenOptions } from '../server.ts';
import type { Inject } from '../typed-inject.ts';

/** Listens, and serves requests. */
export interface ServerMethods<Routes> {
  /** Node's own server. */
  readonly server: Server;
  /**
   * Boots the application, and listens.
   *
   * @param options Where. Default: a free port of `localhost`.
   * @returns A promise of the first address: `http://127.0.0.1:3000`. It rejects if boot fails, or if the server cannot listen on the
   *   address.
   * @throws {FST_ERR_LISTEN_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   */
  listen(options?: ListenOptions): Promise<string>;
  /**
   * Boots the application, and listens.
   *
   * @param options Where.
   * @param listener Gets the first address, or the error.
   * @throws {FST_ERR_LISTEN_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   */
  listen(options: ListenOptions, listener: (error: Error | null, address: string) => void): void;
  /**
   * Boots the application, and listens on a free port of `localhost`.
   *
   * @param listener Gets the first address, or the error.
   */
  listen(listener: (error: Error | null, address: string) => void): void;
  /**
   * Lists the addresses that the application listens on.
   *
   * @returns An empty array before it listens.
   */
  addresses(): AddressInfo[];
  /** The last address on which the application began to listen: `http://localhost:3000`. */
  readonly listeningOrigin: string;
  /**
   * Serves a request that the application did not receive by its own server.
   *
   * @param rawRequest Node's request object.
   * @param rawResponse Node's response object.
   */
  routing(rawRequest: unknown, rawResponse: unknown): void;
  /**
   * Serves a web-standard request, for runtimes whose servers call a function `fetch`, such as `Bun.serve` and `Deno.serve`. Boots the
   * application first, if it has not booted. The method is bound to its context: `const { fetch } = app`.
   *
   * @param request A `Request`. Its signal aborts when the client leaves.
   * @param context The second argument that the runtime passes. The address of the client is read from it.
   * @param execution The third argument that workers pass. Its `waitUntil` keeps the request alive while handlers and hooks run that have
   *   not ended with the response.
   * @returns A promise of the `Response`. It rejects if boot fails, if the client leaves, or if the application destroys the response.
   *   A closed application replies with 503.
   * @throws {AMBIT_ERR_FETCH_REQUEST_INVALID} as a rejection, if it is not called with a `Request`.
   */
  fetch(request: Request, context?: unknown, execution?: FetchExecution): Promise<Response>;
  /**
   * Serves a request without a socket, for tests. Boots the application first, if it has not booted.
   *
   * `inject(options)` sends any request. `inject.get('/users/:id', { params })` sends a typed one: there is a method for GET, POST, PUT,
   * PATCH, DELETE, OPTIONS and HEAD. `inject().get('/')` builds one by a chain of calls.
   */
  inject: Inject<Routes>;
  /** Closes the application, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
