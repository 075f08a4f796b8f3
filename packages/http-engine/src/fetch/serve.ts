/** Starts a server for a fetch handler: `(request) => response`. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type ErrorHandler, type FetchHandler, FetchServer } from './fetch-server.ts';
import { unwrapRequests } from './unwrap-requests.ts';

/** The options of `serve`. */
export interface ServeOptions {
  /** The port to listen on. Default: a free one. */
  readonly port?: number;
  /** The name or the address to listen on. Default: `localhost`. */
  readonly hostname?: string;
  /** A server of `node:http` or `node:https`, which may listen already. Default: a new one. */
  readonly server?: Server;
  /**
   * Called with the errors of the handler and of responses that cannot be sent, unless the client has left. The client gets
   * the response that it returns, or 500. Default: prints the error.
   */
  readonly onError?: ErrorHandler;
}

/**
 * Serves a fetch handler. From then on, the global `Request` and `fetch` accept the requests that the handler gets.
 *
 * @param handler Called with each request and the server.
 * @param options Where to listen, and what to do with errors.
 * @returns The server, when it listens.
 */
export async function serve(handler: FetchHandler, options: ServeOptions = {}): Promise<FetchServer> {
  const { port = 0, hostname = 'localhost', server = createServer(), onError = printError } = options;
  unwrapRequests();
  const fetchServer = new FetchServer(handler, server, onError);
  if (!server.listening) await once(server.listen(port, hostname), 'listening');
  return fetchServer;
}

function printError(error: unknown): void {
  console.error(error);
}
