/**
 * Exchanges that the engine serves. Headers and node's objects are created when they are read. A whole response is sent in one write, and
 * any other one with node's response object.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AnswerFields, hasNoLength, writeHead } from './answer-head.ts';
import type { Connection } from './connection.ts';
import { Exchange, type Payload } from './exchange.ts';
import type { FieldBlock } from './field-block.ts';
import { RequestBody } from './request-body.ts';
import {
  abandonResponse,
  abortResponse,
  announceEnd,
  assignSocket,
  closeResponse,
  completeRawRequest,
  emitDrain,
  emitEnd,
  isLastAnswer,
  makeRawRequest,
  makeRawResponse,
  markAnswered,
} from './runtime-internals.ts';
import {
  BodyTooLong,
  ClientGone,
  readStream,
  respondThroughNode,
  watchClient,
  watchFinish,
} from './through-node.ts';

/** A whole response. */
interface Answer {
  readonly head: string;
  readonly payload: Payload | undefined;
  /** Whether a text payload is known to contain only ASCII. */
  readonly isTextAscii: boolean;
}

export class EngineExchange extends Exchange {
  override readonly lane = 'engine';
  override owner: unknown = undefined;
  override readonly method: string;
  override readonly target: string;
  override readonly contentLength: number;
  readonly body: RequestBody | undefined;
  /** The next exchange in the order of the requests. */
  next: EngineExchange | undefined = undefined;
  /** Whether the connection ends after this response. */
  isLast: boolean;
  isLimitReached = false;
  /** Whether the head of a whole response contains only ASCII. */
  isHeadAscii = true;
  readonly #connection: Connection;
  readonly #fields: FieldBlock;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  #rawResponse: ServerResponse | undefined = undefined;
  #goneListeners: (() => void)[] | undefined = undefined;
  #finishListener: ((error?: Error) => void) | undefined = undefined;
  #isEnded = false;
  #isDestroyed = false;
  /** A whole response that waits until the earlier ones have been written. */
  #queuedAnswer: Answer | undefined = undefined;
  #answeredStatus = 0;

  constructor(connection: Connection, method: string, target: string, fields: FieldBlock) {
    super();
    this.#connection = connection;
    this.method = method;
    this.target = target;
    this.#fields = fields;
    const { contentLength } = fields;
    this.contentLength = contentLength;
    this.body = contentLength === 0 ? undefined : new RequestBody(contentLength);
    this.isLast = fields.saysClose;
  }

  // ---- the request

  /** Writes the collected responses first, because code that uses the socket may end it. */
  override get socket(): Socket {
    const { socket, output } = this.#connection;
    output.flush();
    return socket;
  }

  override header(name: string): string | undefined {
    return this.#fields.find(name);
  }

  override get headers(): IncomingHttpHeaders {
    if (this.#rawRequest !== undefined) return this.#rawRequest.headers;
    this.#headers ??= this.#fields.copyHeaders();
    return this.#headers;
  }

  override get rawHeaders(): string[] {
    return this.#rawRequest?.rawHeaders ?? this.#fields.listRaw();
  }

  override readBody(
    take: (body: Buffer) => void,
    fail: (error: Error) => void,
    maxBytes: number = Number.POSITIVE_INFINITY,
  ): void {
    if (this.#rawRequest !== undefined) readStream(this.#rawRequest, take, fail, maxBytes);
    else if (this.body === undefined) take(Buffer.alloc(0));
    else if (this.contentLength > maxBytes) fail(new BodyTooLong(maxBytes));
    else if (this.#isDestroyed && this.body.missingBytes > 0) fail(new ClientGone());
    else {
      this.body.read(take, fail);
      this.#connection.onBodyRequested();
    }
  }

  // ---- the response

  // HOT: once per request.
  override respond(status: number, fields: AnswerFields, payload?: Payload, lengthBytes?: number): void {
    if (this.#rawResponse !== undefined || this.#isEnded) {
      respondThroughNode(this.rawResponse, status, fields, payload);
      return;
    }
    const isText = typeof payload === 'string';
    const length = isText ? (lengthBytes ?? Buffer.byteLength(payload)) : (payload?.byteLength ?? 0);
    const answersHead = this.method === 'HEAD';
    const connection = this.#connection;
    if (connection.endsSoon) this.isLast = true;
    const head = writeHead(this, status, fields, length, answersHead, connection.engine.server);
    if (head === undefined) {
      respondThroughNode(this.rawResponse, status, fields, payload);
      return;
    }
    this.#isEnded = true;
    this.#answeredStatus = status;
    if (this.#isDestroyed) return;
    const hasPayload = length > 0 && !answersHead && !hasNoLength(status);
    const sent = hasPayload ? payload : undefined;
    const isTextAscii = isText && length === payload.length;
    if (connection.queue.first === this) this.#write(head, sent, isTextAscii);
    else this.#queueAnswer({ head, payload: sent, isTextAscii });
  }

  // HOT: once per whole response.
  #write(head: string, payload: Payload | undefined, isTextAscii: boolean): void {
    const { output } = this.#connection;
    output.addAnswer(head, this.isHeadAscii, payload, isTextAscii);
    const listener = this.#finishListener;
    if (listener !== undefined) {
      this.#finishListener = undefined;
      // Bound to the async context of this response, as a listener of node's `finish` would be, because one write may send several responses.
      output.onWritten(AsyncResource.bind((error) => listener(error ?? undefined)));
    }
    this.#connection.onAnswered(this);
  }

  #queueAnswer(answer: Answer): void {
    // The response is written in the async context of an earlier one.
    const listener = this.#finishListener;
    if (listener !== undefined) this.#finishListener = AsyncResource.bind(listener);
    this.#queuedAnswer = answer;
  }

  override announceEnd(): void {
    if (!this.#connection.endsSoon || this.isEnded) return;
    this.isLast = true;
    if (this.#rawResponse !== undefined) announceEnd(this.#rawResponse);
  }

  override get isHeadWritten(): boolean {
    return this.#isEnded || this.#rawResponse?.headersSent === true;
  }

  override get isEnded(): boolean {
    return this.#isEnded || this.#rawResponse?.writableEnded === true;
  }

  override get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  override destroy(error?: Error): void {
    this.socket.destroy(error);
  }

  override onFinished(listener: (error?: Error) => void): void {
    if (this.#rawResponse !== undefined && !this.#isEnded) {
      watchFinish(this.rawRequest, this.#rawResponse, listener);
    } else if (this.#isDestroyed) listener(new ClientGone());
    else if (this.#finishListener === undefined) this.#finishListener = listener;
    else {
      const first = this.#finishListener;
      this.#finishListener = (error) => {
        first(error);
        listener(error);
      };
    }
  }

  override onClientGone(listener: () => void): () => void {
    if (this.#rawResponse !== undefined && !this.#isEnded) {
      return watchClient(this.rawRequest, this.#rawResponse, listener);
    }
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
    return () => {
      this.#goneListeners = this.#goneListeners?.filter((each) => each !== listener);
    };
  }

  // ---- node's own objects

  override get hasRawRequest(): boolean {
    return this.#rawRequest !== undefined;
  }

  override get rawRequest(): IncomingMessage {
    if (this.#rawRequest === undefined) {
      const connection = this.#connection;
      const { RequestClass, limits } = connection.engine;
      const request = makeRawRequest(RequestClass, this, limits.joinsDuplicates);
      this.#rawRequest = request;
      // The same object, so that a change of it is visible to later readers.
      if (this.#headers !== undefined) request.headers = this.#headers;
      if (this.body !== undefined) this.body.pipeInto(request);
      else completeRawRequest(request);
      if (this.#isDestroyed) request.destroy(new ClientGone());
      connection.onBodyRequested();
    }
    return this.#rawRequest;
  }

  override get hasRawResponse(): boolean {
    return this.#rawResponse !== undefined;
  }

  override get rawResponse(): ServerResponse {
    this.#rawResponse ??= this.#makeRawResponse();
    return this.#rawResponse;
  }

  #makeRawResponse(): ServerResponse {
    const connection = this.#connection;
    const { ResponseClass, server } = connection.engine;
    if (connection.endsSoon && !this.#isEnded) this.isLast = true;
    // Before the request object is made, which writes what is collected.
    if (this.#isEnded || this.#isDestroyed) this.#emitEndLater();
    const response = makeRawResponse(ResponseClass, server, this);
    if (this.#isEnded) {
      markAnswered(response, this.#answeredStatus);
      return response;
    }
    if (this.#isDestroyed) {
      abortResponse(response, connection.socket);
      return response;
    }
    this.#rawResponse = response;
    response.on('finish', () => this.#onRawFinish(response));
    const listener = this.#finishListener;
    this.#finishListener = undefined;
    if (listener !== undefined) watchFinish(this.rawRequest, response, listener);
    if (connection.queue.first === this) this.#assignSocket(response);
    return response;
  }

  /** Code that first reads `rawResponse` when the response has ended may still wait for its last events. */
  #emitEndLater(): void {
    const { output } = this.#connection;
    const emit = (error?: Error | null): void => process.nextTick(() => emitEnd(this.rawResponse, error));
    if (this.#isDestroyed) emit(new ClientGone());
    else if (this.#queuedAnswer !== undefined) this.onFinished(emit);
    else if (output.isEmpty) emit();
    else output.onWritten(emit);
  }

  #assignSocket(response: ServerResponse): void {
    this.#connection.output.flush();
    assignSocket(response, this.#connection.socket);
  }

  #onRawFinish(response: ServerResponse): void {
    this.#isEnded = true;
    if (isLastAnswer(response)) this.isLast = true;
    closeResponse(response, this.#connection.socket);
    this.#connection.onAnswered(this);
  }

  // ---- called by the connection

  /** Called when all earlier responses have been written. */
  takeTurn(): void {
    const queued = this.#queuedAnswer;
    if (queued !== undefined) {
      this.#queuedAnswer = undefined;
      this.#write(queued.head, queued.payload, queued.isTextAscii);
    } else if (this.#rawResponse !== undefined) this.#assignSocket(this.#rawResponse);
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

  /** Called when the socket can take more data, and it is the turn of this exchange to write. */
  onDrain(): void {
    if (this.#rawResponse !== undefined) emitDrain(this.#rawResponse);
  }

  /** Called when the socket has closed. */
  onClosed(): void {
    const wasAnswered = this.isEnded && this.#queuedAnswer === undefined;
    this.#isDestroyed = true;
    this.#queuedAnswer = undefined;
    const error = new ClientGone();
    this.body?.abort(error);
    this.#rawRequest?.destroy(error);
    // Node itself closes the response that has the socket.
    if (this.#rawResponse?.socket === null && !this.#isEnded) abandonResponse(this.#rawResponse, error);
    if (wasAnswered) return;
    const finishListener = this.#finishListener;
    const goneListeners = this.#goneListeners ?? [];
    this.#finishListener = undefined;
    this.#goneListeners = undefined;
    for (const listener of goneListeners) listener();
    finishListener?.(error);
  }

  /** Called when the socket was silent for the time that a listener has set. Returns whether there is a listener. */
  emitTimeout(socket: Socket): boolean {
    const request = this.#rawRequest;
    const requestListens = request !== undefined && !request.complete && request.emit('timeout', socket);
    return this.#rawResponse?.emit('timeout', socket) === true || requestListens;
  }
}
