/**
 * The response part of exchanges that the engine serves: it sends whole responses in one write, and all others with node's response object.
 */
import { AsyncResource } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerFields } from '../answer/field-lines.ts';
import { isLastHeadAscii, isWithoutContent, writeHead } from '../answer/head.ts';
import type { Output, WholeAnswer } from '../connection/output.ts';
import type { ResponseClass } from '../raw/node-internals.ts';
import {
  abandonResponse,
  abortResponse,
  closeResponse,
  emitEnd,
  isLastAnswer,
  makeRawResponse,
  markAnswered,
} from '../raw/raw-response.ts';
import type { FieldBlock } from '../request/field-block.ts';
import { EngineRequest, type RequestHost } from './engine-request.ts';
import type { Payload } from './exchange.ts';
import {
  ClientGone,
  respondThroughNode,
  watchClient,
  watchFinish,
  writeHeadThroughNode,
} from './through-node.ts';

/** What an exchange needs from its connection. */
export interface ExchangeHost extends RequestHost {
  readonly engine: RequestHost['engine'] & {
    readonly server: Server;
    readonly ResponseClass: ResponseClass;
  };
  readonly output: Output;
  /** Whether this response should be the last one, because the server is closing and no further request waits. */
  readonly endsSoon: boolean;
  /** Whether it is the turn of this exchange to write. */
  isFirst(exchange: EngineExchange): boolean;
  /** Called when the response of the first exchange has been written or collected. */
  onAnswered(exchange: EngineExchange): void;
}

export class EngineExchange extends EngineRequest {
  /** The next exchange in the order of the requests. */
  next: EngineExchange | undefined = undefined;
  /** Whether the connection ends after this response. */
  isLast: boolean;
  isLimitReached = false;
  readonly #host: ExchangeHost;
  #isEnded = false;
  #isDestroyed = false;
  /** A whole response that waits until the earlier ones have been written. */
  #queuedAnswer: WholeAnswer | undefined = undefined;
  #answeredStatus = 0;
  #rawResponse: ServerResponse | undefined = undefined;
  #finishListener: ((error?: Error) => void) | undefined = undefined;

  constructor(host: ExchangeHost, method: string, target: string, fields: FieldBlock) {
    super(host, method, target, fields);
    this.#host = host;
    this.isLast = fields.saysClose;
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
    const isHead = this.method === 'HEAD';
    const host = this.#host;
    if (host.endsSoon) this.isLast = true;
    const head = writeHead(status, fields, length, isHead, this.isLast, host.engine.limits);
    if (head === undefined) {
      respondThroughNode(this.rawResponse, status, fields, payload);
      return;
    }
    this.#isEnded = true;
    this.#answeredStatus = status;
    const hasPayload = length > 0 && !isHead && !isWithoutContent(status);
    const sent = hasPayload ? payload : undefined;
    if (host.isFirst(this)) this.#write(head, isLastHeadAscii(), sent, isText && length === payload.length);
    else this.#queueAnswer(head, sent, isText && length === payload.length);
  }

  #passFinishListener(): void {
    const listener = this.#finishListener;
    if (listener === undefined) return;
    this.#finishListener = undefined;
    // Bound to the async context of this response, as a listener of node's `finish` would be, because one write may send several responses.
    this.#host.output.onWritten(AsyncResource.bind((error) => listener(error ?? undefined)));
  }

  #queueAnswer(head: string, payload: Payload | undefined, isTextAscii: boolean): void {
    if (this.#isDestroyed) return;
    // The response is written in the async context of an earlier one.
    const listener = this.#finishListener;
    if (listener !== undefined) this.#finishListener = AsyncResource.bind(listener);
    this.#queuedAnswer = { head, isHeadAscii: isLastHeadAscii(), payload, isTextAscii };
  }

  // HOT: once per whole response.
  #write(head: string, isHeadAscii: boolean, payload: Payload | undefined, isTextAscii: boolean): void {
    if (this.#isDestroyed) return;
    this.#host.output.addAnswer(head, isHeadAscii, payload, isTextAscii);
    this.#passFinishListener();
    this.#host.onAnswered(this);
  }

  override announceEnd(): void {
    if (!this.#host.endsSoon || this.isEnded) return;
    this.isLast = true;
    if (this.#rawResponse !== undefined) this.#rawResponse.shouldKeepAlive = false;
  }

  override writeHead(status: number, fields: AnswerFields = {}): void {
    writeHeadThroughNode(this.rawResponse, status, fields);
  }

  override write(piece: Payload): boolean {
    return this.rawResponse.write(piece);
  }

  override end(piece?: Payload): void {
    this.rawResponse.end(piece);
  }

  override onceDrained(listener: () => void): void {
    this.rawResponse.once('drain', listener);
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
    return this.addGoneListener(listener);
  }

  // ---- node's own objects

  override get hasRawResponse(): boolean {
    return this.#rawResponse !== undefined;
  }

  override get rawResponse(): ServerResponse {
    this.#rawResponse ??= this.#makeRawResponse();
    return this.#rawResponse;
  }

  #makeRawResponse(): ServerResponse {
    const host = this.#host;
    const { ResponseClass, server } = host.engine;
    if (host.endsSoon && !this.#isEnded) this.isLast = true;
    // Before the request object is made, which writes what is collected.
    if (this.#isEnded || this.#isDestroyed) this.#emitEndLater();
    const response = makeRawResponse(
      ResponseClass,
      server,
      this.rawRequest,
      this.isLast,
      this.isLimitReached,
    );
    if (this.#isEnded) {
      markAnswered(response, this.#answeredStatus);
      return response;
    }
    if (this.#isDestroyed) {
      abortResponse(response, host.socket);
      return response;
    }
    this.#rawResponse = response;
    response.on('finish', () => this.#onRawFinish(response));
    this.#moveListeners(response);
    if (host.isFirst(this)) this.#assignSocket(response);
    return response;
  }

  /** Code that first reads `rawResponse` when the response has ended may still wait for its last events. */
  #emitEndLater(): void {
    const emit = (error?: Error | null): void => process.nextTick(() => emitEnd(this.rawResponse, error));
    if (this.#isDestroyed) emit(new ClientGone());
    else if (this.#queuedAnswer !== undefined) this.onFinished(emit);
    else if (this.#host.output.isEmpty) emit();
    else this.#host.output.onWritten(emit);
  }

  #moveListeners(response: ServerResponse): void {
    const finish = this.#finishListener;
    this.#finishListener = undefined;
    if (finish !== undefined) watchFinish(this.rawRequest, response, finish);
  }

  #assignSocket(response: ServerResponse): void {
    this.#host.output.flush();
    response.assignSocket(this.#host.socket);
  }

  #onRawFinish(response: ServerResponse): void {
    this.#isEnded = true;
    if (isLastAnswer(response)) this.isLast = true;
    closeResponse(response, this.#host.socket);
    this.#host.onAnswered(this);
  }

  // ---- called by the connection

  /** Called when all earlier responses have been written. */
  takeTurn(): void {
    const queued = this.#queuedAnswer;
    if (queued !== undefined) {
      this.#queuedAnswer = undefined;
      this.#write(queued.head, queued.isHeadAscii, queued.payload, queued.isTextAscii);
    } else if (this.#rawResponse !== undefined) this.#assignSocket(this.#rawResponse);
  }

  /** Called when the socket has closed. */
  onClosed(): void {
    const wasAnswered = this.isEnded && this.#queuedAnswer === undefined;
    this.#isDestroyed = true;
    this.#queuedAnswer = undefined;
    const error = new ClientGone();
    this.abortRequest(error);
    // Node itself closes the response that has the socket.
    if (this.#rawResponse?.socket === null && !this.#isEnded) abandonResponse(this.#rawResponse, error);
    if (wasAnswered) return;
    const finish = this.#finishListener;
    this.#finishListener = undefined;
    this.notifyClientGone();
    finish?.(error);
  }

  /** Called when the socket was silent for the time that a listener has set. Returns whether there is a listener. */
  emitTimeout(socket: Socket): boolean {
    const requestListens = this.emitRequestTimeout(socket);
    return this.#rawResponse?.emit('timeout', socket) === true || requestListens;
  }
}
