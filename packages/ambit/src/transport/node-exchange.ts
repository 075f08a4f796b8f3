/** How is a request of node answered? An exchange on node's request and response objects, from a server or from `inject`. */

import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { setImmediate } from 'node:timers';
import { type BytesCollected, StreamCollector } from '../shared/stream-collector.ts';
import { Exchange, type ExchangeHolder, exchangeKey, type ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import type { BodyStream } from '../types/request.ts';

/** The property in which middleware traditionally finds the URL before it was rewritten. */
type RewrittenRequest = IncomingMessage & { originalUrl?: string };
/** Objects that an application has created may have no socket. */
type MaybeSocket = (Socket & { encrypted?: boolean }) | null | undefined;

/** An exchange on node's objects, which a subclass may create when they are first needed. */
export abstract class NodeExchange extends Exchange {
  abstract override rawRequest: IncomingMessage;
  abstract override rawResponse: ServerResponse;
  /** The async context of a reply that waits for earlier ones of its connection, because it ends in the context of the last of them. */
  #replyContext: AsyncResource | undefined = undefined;

  override get method(): string {
    return this.rawRequest.method!;
  }

  override get url(): string {
    return this.rawRequest.url!;
  }

  override set url(url: string) {
    this.rawRequest.url = url;
  }

  override get originalUrl(): string {
    return (this.rawRequest as RewrittenRequest).originalUrl ?? this.url;
  }

  override set originalUrl(url: string) {
    (this.rawRequest as RewrittenRequest).originalUrl = url;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    return this.rawRequest.headers;
  }

  override get peerAddress(): string | undefined {
    return this.rawSocket?.remoteAddress;
  }

  override get isEncrypted(): boolean | undefined {
    const socket = this.rawSocket as MaybeSocket;
    return socket ? Boolean(socket.encrypted) : undefined;
  }

  override get httpVersion(): string | undefined {
    return this.rawRequest.httpVersion;
  }

  /** A message has a body if it has a field that says where the body ends (RFC 9112, 6.3). */
  override get hasBody(): boolean | undefined {
    const { 'content-length': length, 'transfer-encoding': encoding } = this.requestHeaders;
    return encoding !== undefined || (length !== undefined && length !== '0');
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    new StreamCollector(this.rawRequest, limitBytes, settle).listen();
  }

  override streamBody(): BodyStream {
    return this.rawRequest;
  }

  override get isClientGone(): boolean {
    return this.rawRequest.aborted || (this.rawSocket as MaybeSocket)?.destroyed === true;
  }

  override get status(): number {
    return this.rawResponse.statusCode;
  }

  override set status(status: number) {
    this.rawResponse.statusCode = status;
  }

  override get isHeadWritten(): boolean {
    return this.rawResponse.headersSent;
  }

  override get isEnded(): boolean {
    return this.rawResponse.writableEnded;
  }

  override get isDestroyed(): boolean {
    return this.rawResponse.destroyed;
  }

  override getHeader(name: string): HeaderValue {
    return this.rawResponse.getHeader(name);
  }

  override getHeaders(): ReplyHeaders {
    return this.rawResponse.getHeaders();
  }

  override hasHeader(name: string): boolean {
    return this.rawResponse.hasHeader(name);
  }

  override removeHeader(name: string): void {
    if (!this.rawResponse.headersSent) this.rawResponse.removeHeader(name);
  }

  override prepareHead(fields: ReplyHeaders): void {
    this.#keepContext();
    for (const name in fields) this.rawResponse.setHeader(name, fields[name] as OutgoingHttpHeader);
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const { statusMessage } = this.rawResponse;
    this.#keepContext();
    try {
      this.rawResponse.writeHead(status, fields as Record<string, OutgoingHttpHeader>);
    } catch (error) {
      // Node has already set the reason phrase of this status, and would send it with the next status.
      this.rawResponse.statusMessage = statusMessage;
      throw error;
    }
  }

  /** The first chunk takes the head with it. A text would make node write the head in UTF-8, which is Latin-1. */
  override write(chunk: string | Uint8Array): boolean {
    const isFirstText = typeof chunk === 'string' && !this.rawResponse.headersSent;
    return this.rawResponse.write(isFirstText ? Buffer.from(chunk) : chunk);
  }

  /** As for `write`. If the head has only ASCII, UTF-8 is the same, and a text needs one write. */
  override end(payload?: string | Uint8Array): void {
    const { rawResponse } = this;
    rawResponse.end(
      typeof payload === 'string' && !isHeadAscii(rawResponse) ? Buffer.from(payload) : payload,
    );
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
    if (this.rawRequest.httpVersion === '1.0') callback?.();
    else this.rawResponse.writeEarlyHints(hints, callback);
  }

  override destroy(error?: Error): void {
    this.rawResponse.destroy(error);
  }

  override onDrained(listener: () => void): void {
    this.rawResponse.on('drain', listener);
  }

  override onceFinished(listener: (error?: Error) => void): void {
    const response = this.rawResponse;
    const settle = (error?: Error): void => {
      response.removeListener('finish', settle);
      response.removeListener('error', settle);
      this.runInReplyContext(listener, error);
    };
    response.on('finish', settle);
    response.on('error', settle);
  }

  /** Called when the reply begins. */
  #keepContext(): void {
    if (this.rawResponse.socket === null) this.#replyContext ??= new AsyncResource('AMBITREPLY');
  }

  /** Runs what observes the end of a reply in the async context in which the reply began. */
  protected runInReplyContext(listener: (error?: Error) => void, error?: Error): void {
    if (this.#replyContext === undefined) listener(error);
    else this.#replyContext.runInAsyncScope(listener, undefined, error);
  }

  override onceClosed(listener: (error?: Error | null) => void): void {
    finished(this.rawResponse, listener);
  }

  override onceSettled(listener: (error?: Error) => void): void {
    const response = this.rawResponse;
    const settle = (error?: Error): void => {
      response.removeListener('finish', settle);
      response.removeListener('error', settle);
      response.removeListener('close', onClose);
      listener(error);
    };
    const onClose = (): void => settle(new Error('The connection closed before the response was complete'));
    response.on('finish', settle);
    response.on('error', settle);
    response.on('close', onClose);
  }

  override onClientGone(listener: () => void): () => void {
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

  override get rawSocket(): Socket {
    return this.rawRequest.socket;
  }
}

/** Of the head that waits for the payload. Its property is not documented. */
function isHeadAscii({ _header: head }: ServerResponse & { _header?: string | null }): boolean {
  return typeof head === 'string' && Buffer.byteLength(head) === head.length;
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

/** An exchange on a pair of objects that exists, of HTTP/1.1, or the similar one that `inject` creates. */
export class PairExchange extends NodeExchange {
  override rawRequest: IncomingMessage;
  override rawResponse: ServerResponse;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super();
    this.rawRequest = rawRequest;
    this.rawResponse = rawResponse;
    (rawResponse as Partial<ExchangeHolder>)[exchangeKey] = this;
  }
}

/** The state of the server that exchanges read. */
export interface ServerState {
  /** Whether it is closing, and connections end with their next response. */
  readonly endsConnections: boolean;
}

/** An exchange on one of our own HTTP/1.1 servers: what is true only for node's objects there. */
export class Http1Exchange extends PairExchange {
  readonly #server: ServerState;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse, server: ServerState) {
    super(rawRequest, rawResponse);
    this.#server = server;
    // With the field `TE`, node sends chunks to these clients as well (RFC 9112, 6.1).
    if (rawRequest.httpVersionMinor === 0) rawResponse.useChunkedEncodingByDefault = false;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    new ArrivedBody(this.rawRequest, limitBytes, settle).readWhenArrived();
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    if (this.#server.endsConnections) this.#announceEnd();
    super.writeHead(status, fields);
  }

  /** Announces that the connection ends with this response, unless another request has arrived after this one. */
  #announceEnd(): void {
    type Parser = { incoming?: unknown };
    // The request that node's parser is reading or has read last. The property is not documented.
    const { parser } = (this.rawResponse.socket ?? {}) as Socket & { parser?: Parser | null };
    if (parser?.incoming === this.rawRequest) this.rawResponse.shouldKeepAlive = false;
  }
}

/** `on` without the behavior that streams add: a `data` listener would start reading in the next tick. */
const { on: addListener } = EventEmitter.prototype;

/** The bodies that are read when all data of this turn of the event loop has arrived. */
let waitingBodies: ArrivedBody[] = [];

export class ArrivedBody extends StreamCollector<IncomingMessage> {
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
