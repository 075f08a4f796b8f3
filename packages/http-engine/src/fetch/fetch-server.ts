/** The server of a fetch handler: it calls the handler with each request, and sends the response that it returns. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { AnswerFields } from '../answer/field-lines.ts';
import { attach } from '../attach.ts';
import type { Exchange, Payload } from '../exchange/exchange.ts';
import { BufferedResponse } from './buffered-response.ts';
import { IncomingRequest } from './incoming-request.ts';
import { sendResponse } from './send-response.ts';

/** A function that gets a request and the server, and returns the response. */
export type FetchHandler = (request: Request, server: FetchServer) => Response | Promise<Response>;

/** A function that gets an error, and may return the response to send. */
export type ErrorHandler = (
  error: unknown,
  request: Request,
) => Response | undefined | void | Promise<Response | undefined | void>;

/** The address that a request came from. */
export interface PeerAddress {
  /** The IP address. */
  readonly address: string;
  /** `IPv4` or `IPv6`. */
  readonly family: string;
  /** The port. */
  readonly port: number;
}

/** The server of a fetch handler. */
export class FetchServer {
  /** The server of `node:http` or `node:https`: its limits and events apply. */
  readonly node: Server;
  readonly #handler: FetchHandler;
  readonly #onError: ErrorHandler;
  readonly #scheme: 'http' | 'https';
  #closed: Promise<void> | undefined = undefined;

  /**
   * Use `serve`, which also listens.
   *
   * @param handler Called with each request.
   * @param node The server. It must not have an engine yet.
   * @param onError Called with errors.
   */
  constructor(handler: FetchHandler, node: Server, onError: ErrorHandler) {
    this.node = node;
    this.#handler = handler;
    this.#onError = onError;
    this.#scheme = node instanceof TlsServer ? 'https' : 'http';
    attach(node, (exchange) => this.#serve(exchange));
    node.on('checkContinue', delayContinue);
  }

  /** The port that the server listens on; `undefined` on a UNIX socket. */
  get port(): number | undefined {
    return (this.node.address() as AddressInfo | string as Partial<AddressInfo>).port;
  }

  /** Where the server listens, for example `http://127.0.0.1:3000`. It is the path of a UNIX socket, for which there are no URLs. */
  get url(): string {
    const bound = this.node.address() as AddressInfo | string;
    if (typeof bound === 'string') return bound;
    const { address, family, port } = bound;
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /**
   * Returns the address that a request came from.
   *
   * @param request A request that the handler got.
   * @returns `null` if the request did not come from a server of this package, or came on a UNIX socket, or its client has left.
   */
  requestIP(request: Request): PeerAddress | null {
    const socket = IncomingRequest.exchangeOf(request)?.socket;
    if (socket?.remoteAddress === undefined) return null;
    return { address: socket.remoteAddress, family: socket.remoteFamily!, port: socket.remotePort! };
  }

  /**
   * Creates a response that the server sends in one write. The content of a `new Response` must be read from a stream.
   *
   * @param status From 200 to 599.
   * @param fields The header fields. A list is sent as several fields with the same name.
   * @param payload Default: none. No `content-type` is added for it.
   * @returns An instance of `Response`.
   * @throws {RangeError} for another status.
   * @throws {TypeError} for an invalid field.
   */
  makeResponse(status: number, fields: AnswerFields, payload?: Payload): Response {
    return new BufferedResponse(status, fields, payload) as unknown as Response;
  }

  /**
   * Stops accepting connections. Open connections end after their next response.
   *
   * @returns A promise that resolves when no connection is left.
   */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve, reject) => {
      this.node.close((error) => (error === undefined ? resolve() : reject(error)));
    });
    return this.#closed;
  }

  // HOT: once per request.
  #serve(exchange: Exchange): void {
    let request: Request;
    try {
      request = new IncomingRequest(exchange, this.#scheme) as unknown as Request;
    } catch {
      exchange.respond(400, { connection: 'close' });
      return;
    }
    let response: unknown;
    try {
      response = this.#handler(request, this);
    } catch (error) {
      void this.#fail(exchange, request, error);
      return;
    }
    if (isPromise(response)) {
      response.then(
        (settled) => this.#send(exchange, request, settled),
        (error) => this.#fail(exchange, request, error),
      );
    } else this.#send(exchange, request, response);
  }

  // HOT: once per request.
  #send(exchange: Exchange, request: Request, response: unknown): void {
    try {
      sendResponse(exchange, response)?.catch((error) => this.#fail(exchange, request, error));
    } catch (error) {
      void this.#fail(exchange, request, error);
    }
  }

  /**
   * Handles an error: the handler returned no response, or the response could not be sent completely. If the client has left, nothing is
   * done.
   */
  async #fail(exchange: Exchange, request: Request, error: unknown): Promise<void> {
    if (exchange.isDestroyed) return;
    try {
      const response = await this.#onError(error, request);
      if (exchange.isDestroyed || exchange.isHeadWritten) exchange.destroy();
      else await sendResponse(exchange, response ?? this.makeResponse(500, errorFields, errorText));
    } catch (failure) {
      console.error(failure);
      if (exchange.isHeadWritten) exchange.destroy();
      else exchange.respond(500, errorFields, errorText);
    }
  }
}

const errorFields: AnswerFields = { 'content-type': 'text/plain; charset=utf-8' };
const errorText = 'Internal Server Error';

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Sends 100 (Continue) when something begins to read the body: a client that waits for it then need not send a body that the head has already
 * caused to be refused (RFC 9110, 10.1.1). Node would send it before the request is handled.
 */
function delayContinue(this: Server, request: IncomingMessage, response: ServerResponse): void {
  // Another listener does the same in its own way.
  if (this.listenerCount('checkContinue') > 1) return;
  const { _read: read } = request;
  const { shouldKeepAlive } = response;
  // Without a 100, the client may send the body or not, so the next request would not be found.
  response.shouldKeepAlive = false;
  request._read = (sizeBytes) => {
    request._read = read;
    if (!response.headersSent) {
      response.writeContinue();
      response.shouldKeepAlive = shouldKeepAlive;
    }
    read.call(request, sizeBytes);
  };
  this.emit('request', request, response);
}
