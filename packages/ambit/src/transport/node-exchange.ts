/**
 * How is a request of node answered? An exchange on the engine's exchange, until node's objects are needed, or on node's objects from the
 * beginning: those of its servers, and those of `inject`.
 */

import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { Exchange as InnerExchange } from '@ambit/http-engine';
import { lazyModule } from '../shared/lazy-module.ts';
import { type BytesCollected, StreamCollector } from '../shared/stream-collector.ts';
import { Exchange, type ExchangeHolder, exchangeKey, type ReplyHeaders } from '../types/exchange.ts';
import type { BodyStream } from '../types/request.ts';

const require = createRequire(import.meta.url);

// Loaded late, because only an application that listens needs it.
export const loadEngine: () => typeof import('@ambit/http-engine') = lazyModule(() =>
  require('@ambit/http-engine'),
);

/** The property in which middleware traditionally finds the URL before it was rewritten. */
type RewrittenRequest = IncomingMessage & { originalUrl?: string };
/** Objects that an application has created may have no socket. */
type MaybeSocket = (Socket & { encrypted?: boolean }) | null | undefined;

/** The state of one of our own HTTP/1.1 servers that its exchanges read. */
interface ServerState {
  /** Whether it is closing, and connections end with their next response. */
  readonly endsConnections: boolean;
}

/** Returns what the engine calls with each request. */
export function engineListener(
  dispatch: (x: Exchange) => void,
  server: ServerState,
): (inner: InnerExchange) => void {
  return (inner) => dispatch(new NodeExchange(undefined, undefined, server, inner));
}

/** As soon as somebody has asked for node's response, it is used for everything, instead of the engine's exchange. */
export class NodeExchange extends Exchange {
  readonly #server: ServerState | undefined;
  readonly #inner: InnerExchange | undefined;
  #request: IncomingMessage | undefined;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #status = 200;
  /** The async context of a reply that waits for earlier ones of its connection, because it ends in the context of the last of them. */
  #replyContext: AsyncResource | undefined = undefined;

  /**
   * @param request Node's objects; `undefined` if they are created when they are needed.
   * @param server Our own HTTP/1.1 server, if the request came to one.
   * @param inner The engine's exchange, if the engine serves the connection.
   */
  constructor(
    request: IncomingMessage | undefined,
    response: ServerResponse | undefined,
    server?: ServerState,
    inner?: InnerExchange,
  ) {
    super();
    this.#server = server;
    this.#inner = inner;
    this.#request = request;
    this.createdResponse = response;
    if (inner !== undefined) inner.owner = this;
    if (response !== undefined) (response as Partial<ExchangeHolder>)[exchangeKey] = this;
    // With the field `TE`, node sends chunks to clients of HTTP/1.0 as well (RFC 9112, 6.1).
    if (server !== undefined && request?.httpVersionMinor === 0)
      response!.useChunkedEncodingByDefault = false;
  }

  // ---- node's objects

  override get rawRequest(): IncomingMessage {
    this.#request ??= this.#inner!.rawRequest;
    return this.#request;
  }

  override set rawRequest(request: IncomingMessage) {
    this.#request = request;
  }

  override get rawResponse(): ServerResponse {
    return this.createdResponse ?? this.#leaveEngine();
  }

  override set rawResponse(response: ServerResponse) {
    if (this.createdResponse === undefined) this.#leaveEngine();
    this.createdResponse = response;
  }

  #leaveEngine(): ServerResponse {
    const inner = this.#inner!;
    const { rawResponse } = inner;
    this.#request ??= inner.rawRequest;
    // After a response of the engine, it already has the status of that response.
    if (!inner.isEnded) rawResponse.statusCode = this.#status;
    (rawResponse as Partial<ExchangeHolder>)[exchangeKey] = this;
    this.createdResponse = rawResponse;
    return rawResponse;
  }

  override get rawSocket(): Socket {
    return this.#inner === undefined ? this.rawRequest.socket : this.#inner.socket;
  }

  // ---- the request

  override get method(): string {
    return this.#request === undefined ? this.#inner!.method : this.#request.method!;
  }

  override get url(): string {
    return this.#request === undefined ? this.#inner!.target : this.#request.url!;
  }

  override set url(url: string) {
    this.rawRequest.url = url;
  }

  override get originalUrl(): string {
    return (this.#request as RewrittenRequest | undefined)?.originalUrl ?? this.url;
  }

  override set originalUrl(url: string) {
    (this.rawRequest as RewrittenRequest).originalUrl = url;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    if (this.#request !== undefined) return this.#request.headers;
    this.#headers ??= this.#inner!.headers;
    return this.#headers;
  }

  // HOT: twice per request with a body.
  override requestHeader(name: string): IncomingHttpHeaders[string] {
    // After the object was created, the application may have changed it.
    const isCreated = this.#headers !== undefined || this.#request !== undefined;
    return isCreated ? this.requestHeaders[name] : this.#inner!.header(name);
  }

  override get peerAddress(): string | undefined {
    return this.rawSocket?.remoteAddress;
  }

  override get isEncrypted(): boolean | undefined {
    const socket = this.rawSocket as MaybeSocket;
    return socket ? Boolean(socket.encrypted) : undefined;
  }

  /** The engine leaves requests of other versions to node. */
  override get httpVersion(): string | undefined {
    return this.#inner === undefined ? this.rawRequest.httpVersion : '1.1';
  }

  /** A message has a body if it has a field that says where the body ends (RFC 9112, 6.3). */
  override get hasBody(): boolean | undefined {
    if (this.#inner !== undefined) return this.#inner.contentLength !== 0;
    const { 'content-length': length, 'transfer-encoding': encoding } = this.requestHeaders;
    return encoding !== undefined || (length !== undefined && length !== '0');
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    if (this.#request === undefined)
      this.#inner!.readBody(
        (body) => settle(undefined, [body], body.length),
        (error) => settle(error, [], 0),
      );
    else if (this.#server === undefined) new StreamCollector(this.#request, limitBytes, settle).listen();
    else {
      if (this.createdResponse === undefined) this.#leaveEngine();
      new ArrivedBody(this.#request, limitBytes, settle).readWhenArrived();
    }
  }

  override streamBody(): BodyStream {
    return this.rawRequest;
  }

  override get isClientGone(): boolean {
    if (this.createdResponse === undefined) return this.#inner!.socket.destroyed;
    return this.rawRequest.aborted || (this.rawSocket as MaybeSocket)?.destroyed === true;
  }

  // ---- the response

  override get status(): number {
    return this.createdResponse === undefined ? this.#status : this.createdResponse.statusCode;
  }

  override set status(status: number) {
    if (this.createdResponse === undefined) this.#status = status;
    else this.createdResponse.statusCode = status;
  }

  override get isHeadWritten(): boolean {
    return this.createdResponse === undefined ? this.#inner!.isHeadWritten : this.createdResponse.headersSent;
  }

  override get isEnded(): boolean {
    return this.createdResponse === undefined ? this.#inner!.isEnded : this.createdResponse.writableEnded;
  }

  override get isDestroyed(): boolean {
    return this.createdResponse === undefined ? this.#inner!.isDestroyed : this.createdResponse.destroyed;
  }

  // HOT: once per response.
  override respond(
    status: number,
    fields: ReplyHeaders,
    payload?: string | Uint8Array,
    lengthBytes?: number,
  ): void {
    if (this.createdResponse !== undefined) super.respond(status, fields, payload);
    else {
      this.#inner!.respond(status, fields as never, payload, lengthBytes);
      this.#status = status;
    }
  }

  override prepareHead(fields: ReplyHeaders): void {
    const response = this.rawResponse;
    this.#keepContext(response);
    for (const name in fields) response.setHeader(name, fields[name] as OutgoingHttpHeader);
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const response = this.rawResponse;
    if (this.#server?.endsConnections) this.#announceEnd(response);
    const { statusMessage } = response;
    this.#keepContext(response);
    try {
      response.writeHead(status, fields as Record<string, OutgoingHttpHeader>);
    } catch (error) {
      // Node has already set the reason phrase of this status, and would send it with the next status.
      response.statusMessage = statusMessage;
      throw error;
    }
  }

  /** Announces that the connection ends with this response, unless another request has arrived after this one. */
  #announceEnd(response: ServerResponse): void {
    if (this.#inner !== undefined) {
      this.#inner.announceEnd();
      return;
    }
    type Parser = { incoming?: unknown };
    // The request that node's parser is reading or has read last. The property is not documented.
    const { parser } = (response.socket ?? {}) as Socket & { parser?: Parser | null };
    if (parser?.incoming === this.rawRequest) response.shouldKeepAlive = false;
  }

  /** The first chunk takes the head with it. A text would make node write the head in UTF-8, which is Latin-1. */
  override write(chunk: string | Uint8Array): boolean {
    const response = this.rawResponse;
    const isFirstText = typeof chunk === 'string' && !response.headersSent;
    return response.write(isFirstText ? Buffer.from(chunk) : chunk);
  }

  /** As for `write`. If the head has only ASCII, UTF-8 is the same, and a text needs one write. */
  override end(payload?: string | Uint8Array): void {
    const response = this.rawResponse;
    response.end(typeof payload === 'string' && !isHeadAscii(response) ? Buffer.from(payload) : payload);
  }

  override closeAfterResponse(): void {
    this.rawResponse.setHeader('connection', 'close');
  }

  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    // Trailers are sent after the last chunk (RFC 9112, 7.1.2).
    fields['transfer-encoding'] = 'chunked';
    fields.trailer = names.join(' ');
  }

  override addTrailers(trailers: Record<string, string>): void {
    this.rawResponse.addTrailers(trailers);
  }

  /** Clients of HTTP/1.0 do not understand responses before the final one (RFC 9110, 15.2). */
  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    if (this.httpVersion === '1.0') callback?.();
    else this.rawResponse.writeEarlyHints(hints, callback);
  }

  override destroy(error?: Error): void {
    if (this.createdResponse === undefined) this.#inner!.destroy(error);
    else this.createdResponse.destroy(error);
  }

  // ---- events

  override onDrained(listener: () => void): void {
    this.rawResponse.on('drain', listener);
  }

  override onceClosed(listener: (error?: Error | null) => void): void {
    finished(this.rawResponse, listener);
  }

  /**
   * If the client has left before a response of the engine was complete, the listener is not called. If a write of the complete response
   * fails, because the client leaves meanwhile, nothing else would tell that the request has ended.
   */
  override onceFinished(listener: (error?: Error) => void): void {
    const response = this.createdResponse;
    if (response !== undefined)
      onFinishOrError(response, (error) => this.#runInReplyContext(listener, error));
    else
      this.#inner!.onFinished((error) => {
        if (!(error instanceof loadEngine().ClientGone)) this.#runInReplyContext(listener);
      });
  }

  #runInReplyContext(listener: (error?: Error) => void, error?: Error): void {
    if (this.#replyContext === undefined) listener(error);
    else this.#replyContext.runInAsyncScope(listener, undefined, error);
  }

  /** Called when the reply begins. */
  #keepContext(response: ServerResponse): void {
    if (response.socket === null) this.#replyContext ??= new AsyncResource('AMBITREPLY');
  }

  override onceSettled(listener: (error?: Error) => void): void {
    const response = this.createdResponse;
    if (response === undefined) {
      this.#inner!.onFinished(listener);
      return;
    }
    const onClose = (): void => stop(new Error('The connection closed before the response was complete'));
    const stop = onFinishOrError(response, (error) => {
      response.removeListener('close', onClose);
      listener(error);
    });
    response.on('close', onClose);
  }

  override onClientGone(listener: () => void): () => void {
    if (this.#inner !== undefined) return this.#inner.onClientGone(listener);
    const { rawRequest, rawResponse } = this;
    const stop = (): void => {
      rawRequest.removeListener('close', onRequestClose);
      rawResponse.removeListener('close', onResponseClose);
      stopWaiting?.();
    };
    const leave = (): void => {
      stop();
      listener();
    };
    // A request also closes when its body has been read. Only if it closes before, the client has left.
    const onRequestClose = (): void => {
      if (rawRequest.aborted || !(rawRequest.readableEnded || rawResponse.writableEnded)) leave();
    };
    const onResponseClose = (): void => {
      if (!rawResponse.writableEnded) leave();
    };
    rawRequest.on('close', onRequestClose);
    rawResponse.on('close', onResponseClose);
    // Without a socket, this response waits for earlier ones of its connection.
    const waitingOn = rawResponse.socket === null ? (rawRequest.socket as MaybeSocket) : undefined;
    const onSocketClosed = (): void => {
      if (!rawResponse.writableFinished) leave();
    };
    const stopWaiting = waitingOn ? onceSocketClosed(waitingOn, onSocketClosed) : undefined;
    return stop;
  }

  override onSocketTimeout(listener: () => void): () => void {
    const socket = this.rawSocket;
    socket.on('timeout', listener);
    return () => socket.removeListener('timeout', listener);
  }
}

/** Of the head that waits for the payload. Its property is not documented. */
function isHeadAscii({ _header: head }: ServerResponse & { _header?: string | null }): boolean {
  return typeof head === 'string' && Buffer.byteLength(head) === head.length;
}

/** Calls the listener once. Returns the function that does so, for other events. */
function onFinishOrError(
  response: ServerResponse,
  listener: (error?: Error) => void,
): (error?: Error) => void {
  const settle = (error?: Error): void => {
    response.removeListener('finish', settle);
    response.removeListener('error', settle);
    listener(error);
  };
  response.on('finish', settle);
  response.on('error', settle);
  return settle;
}

/**
 * The listeners of sockets whose responses wait for earlier ones: node emits nothing on such a response, nor on its request if the body has
 * been read. Each socket gets one listener, because a client may send more requests than the number from which on an emitter warns.
 */
const listenersOf: WeakMap<Socket, Set<() => void>> = new WeakMap();

/** Returns a function that stops listening. */
function onceSocketClosed(socket: Socket, listener: () => void): () => void {
  let listeners = listenersOf.get(socket);
  if (listeners === undefined) {
    const added = new Set<() => void>();
    listeners = added;
    listenersOf.set(socket, added);
    socket.once('close', () => {
      for (const each of added) each();
    });
  }
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** `on` without the behavior that streams add: a `data` listener would start reading in the next tick. */
const { on: addListener } = EventEmitter.prototype;

/** The bodies that are read when all data of this turn of the event loop has arrived. */
let waitingBodies: ArrivedBody[] = [];

class ArrivedBody extends StreamCollector<IncomingMessage> {
  /**
   * HOT: once per request with a body. Most bodies arrive with their head: when everything that arrived in this turn has been read, such a
   * body is taken in one piece. To wait for the events of the stream, with three listeners and for one request at a time, takes a
   * fifth of the CPU time of benchmark `post`. If other code reads the stream meanwhile, the pieces come through the `data` listener.
   *
   * One immediate reads all bodies of a turn, in the async context of the first: the promise that awaits a body has its own context.
   */
  readWhenArrived(): void {
    addListener.call(this.stream, 'data', this.onData);
    if (waitingBodies.push(this) === 1) setImmediate(readWaitingBodies);
  }

  readNow(): void {
    try {
      if (!this.hasEnded) this.#readArrived();
    } catch (error) {
      this.fail(error);
    }
  }

  #readArrived(): void {
    const { stream } = this;
    if (stream.readableEnded) this.finish();
    else if (stream.destroyed) this.fail(stream.errored ?? new Error('the request was destroyed'));
    else if (stream.complete && stream.readableFlowing === null) {
      do stream.read();
      while (stream.readableLength > 0);
      if (!this.hasEnded) this.finish();
    } else this.awaitEnd();
  }
}

function readWaitingBodies(): void {
  const bodies = waitingBodies;
  waitingBodies = [];
  for (const body of bodies) body.readNow();
}
