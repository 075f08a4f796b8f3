/** The request part of exchanges that the engine serves. Headers and node's request object are created from bytes when they are read. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Output } from '../connection/output.ts';
import { RequestBody } from '../connection/request-body.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import type { RequestClass } from '../raw/node-internals.ts';
import { completeRawRequest, makeRawRequest, type RequestFacts } from '../raw/raw-request.ts';
import type { FieldBlock } from '../request/field-block.ts';
import { Exchange } from './exchange.ts';
import { BodyTooLong, ClientGone, readStream } from './through-node.ts';

/** What a request needs from its connection. */
export interface RequestHost {
  readonly socket: Socket;
  readonly output: Output;
  readonly engine: { readonly limits: ServerLimits; readonly RequestClass: RequestClass };
  /** Called when something reads the body. */
  onBodyRequested(): void;
}

export abstract class EngineRequest extends Exchange implements RequestFacts {
  override readonly lane = 'engine';
  override readonly method: string;
  override readonly target: string;
  readonly body: RequestBody | undefined;
  readonly #host: RequestHost;
  readonly #fields: FieldBlock;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  #goneListeners: (() => void)[] | undefined = undefined;

  constructor(host: RequestHost, method: string, target: string, fields: FieldBlock) {
    super();
    this.#host = host;
    this.method = method;
    this.target = target;
    this.#fields = fields;
    this.body = fields.contentLength === 0 ? undefined : new RequestBody(fields.contentLength);
  }

  /** Writes the collected responses first, because code that uses the socket may end it. */
  override get socket(): Socket {
    const { socket, output } = this.#host;
    output.flush();
    return socket;
  }

  override header(name: string): string | undefined {
    return this.#fields.find(name, this.joinsDuplicates);
  }

  override get headers(): IncomingHttpHeaders {
    if (this.#rawRequest !== undefined) return this.#rawRequest.headers;
    this.#headers ??= this.makeHeaders();
    return this.#headers;
  }

  override get rawHeaders(): string[] {
    return this.#rawRequest?.rawHeaders ?? this.listRawHeaders();
  }

  get joinsDuplicates(): boolean {
    return this.#host.engine.limits.joinsDuplicates;
  }

  makeHeaders(): IncomingHttpHeaders {
    return this.#fields.copyHeaders(this.joinsDuplicates);
  }

  listRawHeaders(): string[] {
    return this.#fields.listRaw();
  }

  // ---- the body

  override get contentLength(): number {
    return this.#fields.contentLength;
  }

  override readBody(
    take: (body: Buffer) => void,
    fail: (error: Error) => void,
    maxBytes: number = Number.POSITIVE_INFINITY,
  ): void {
    if (this.#rawRequest !== undefined) readStream(this.#rawRequest, take, fail, maxBytes);
    else if (this.body === undefined) take(Buffer.alloc(0));
    else if (this.contentLength > maxBytes) fail(new BodyTooLong(maxBytes));
    else if (this.isDestroyed && !this.body.isComplete) fail(new ClientGone());
    else {
      this.body.read(take, fail);
      this.#host.onBodyRequested();
    }
  }

  override get bodyStream(): Readable {
    return this.rawRequest;
  }

  override get hasRawRequest(): boolean {
    return this.#rawRequest !== undefined;
  }

  override get rawRequest(): IncomingMessage {
    if (this.#rawRequest === undefined) {
      const request = makeRawRequest(this.#host.engine.RequestClass, this);
      this.#rawRequest = request;
      // The same object, so that a change of it is visible to later readers.
      if (this.#headers !== undefined) request.headers = this.#headers;
      if (this.body !== undefined) this.body.pipeInto(request);
      else completeRawRequest(request);
      if (this.isDestroyed) request.destroy(new ClientGone());
      this.#host.onBodyRequested();
    }
    return this.#rawRequest;
  }

  /** Called when the response has ended: the rest of the body is read and dropped, unless something still reads it. */
  drainBody(): void {
    const request = this.#rawRequest;
    if (request === undefined) this.body?.discard();
    else if (request.readableFlowing === null) {
      // Reading an empty stream ends it two ticks sooner.
      if (request.complete && request.readableLength === 0) request.read();
      else request.resume();
    }
  }

  // ---- a client that closes the connection

  /** Returns a function that removes the listener. */
  protected addGoneListener(listener: () => void): () => void {
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
    return () => {
      this.#goneListeners = this.#goneListeners?.filter((each) => each !== listener);
    };
  }

  protected notifyClientGone(): void {
    const listeners = this.#goneListeners ?? [];
    this.#goneListeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Called when the client has closed the connection. */
  protected abortRequest(error: Error): void {
    this.body?.abort(error);
    this.#rawRequest?.destroy(error);
  }

  protected emitRequestTimeout(socket: Socket): boolean {
    const request = this.#rawRequest;
    return request !== undefined && !request.complete && request.emit('timeout', socket);
  }
}
