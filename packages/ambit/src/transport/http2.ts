/** Node's HTTP/2: what is different from HTTP/1.1 in an exchange, and a session, as a closing server sees it. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { EarlyResponse } from '../shared/early-error.ts';
import { checkFields, connectionFields } from '../shared/http-facts.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { type ExchangeHolder, exchangeKey, type ReplyHeaders } from '../types/exchange.ts';
import type { Unfinished } from '../types/options.ts';
import type { BodyStream } from '../types/request.ts';
import { NodeExchange } from './node-exchange.ts';
import { type Closing, hasPassed, isUnused, type OpenConnection, StateTimer } from './open-connection.ts';

// Copied from `http2.constants`, which take as long to load as the rest of the module.
const noError = 0;
const internalError = 2;
const cancel = 8;
const halfClosedRemote = 6;
/** Long payloads are written in pieces of this length, because one long write would block other streams. */
const pieceBytes = 64 * 1024;

export class Http2Exchange extends NodeExchange {
  #failsWhenReset = false;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super(rawRequest, rawResponse);
    // Objects that a plugin has created may have no stream.
    const { stream } = rawResponse as unknown as Http2ServerResponse;
    if (stream) (stream as Partial<ExchangeHolder>)[exchangeKey] = this;
  }

  override get authority(): string | undefined {
    return this.requestHeaders[':authority'] as string | undefined;
  }

  /** Over HTTP/2, node emits `finish` when the stream has closed, even if the response is not complete. */
  override onceSettled(listener: (error?: Error) => void): void {
    super.onceSettled((error) => {
      const { stream } = this.rawResponse as unknown as Http2ServerResponse;
      const isComplete = !stream.aborted && stream.rstCode === 0;
      listener(error ?? (isComplete ? undefined : new Error('The stream was reset')));
    });
  }

  /** `undefined` if it is unknown: frames mark the end of a body, so it needs no length. */
  override get hasBody(): boolean | undefined {
    return super.hasBody || undefined;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    this.#failWhenReset();
    super.readBody(limitBytes, settle);
  }

  override streamBody(): BodyStream {
    this.#failWhenReset();
    return super.streamBody();
  }

  /**
   * If the client resets the stream, code that reads the body gets an error, as over HTTP/1.1. Node would end the body as if it were
   * complete.
   */
  #failWhenReset(): void {
    if (this.#failsWhenReset) return;
    this.#failsWhenReset = true;
    const { rawRequest } = this;
    rawRequest.once('aborted', () => {
      if (rawRequest.readableEnded) return;
      // The error of node's HTTP/1.1 server. Without a listener, it would be thrown.
      const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
      rawRequest.destroy(rawRequest.listenerCount('error') > 0 ? error : undefined);
    });
  }

  override prepareHead(fields: ReplyHeaders): void {
    this.#completeHead(fields);
    super.prepareHead(fields);
  }

  /** Does not read the reason phrase: HTTP/2 has none (RFC 9113, 8.3.2), and node warns about code that reads it. */
  override writeHead(status: number, fields: ReplyHeaders): void {
    this.#completeHead(fields);
    this.rawResponse.writeHead(status, fields as Record<string, OutgoingHttpHeader>);
  }

  /**
   * Checks the fields, because node would reset the stream for an invalid name, and send an invalid value (RFC 9113, 8.2.1). Removes those of a
   * connection, also from `reply.raw`, because a response must not have them (RFC 9113, 8.2.2), and node would refuse the head.
   */
  #completeHead(fields: ReplyHeaders): void {
    checkFields(fields);
    for (const name in fields) if (connectionFields.has(name)) delete fields[name];
    const { rawResponse } = this;
    for (const name of rawResponse.getHeaderNames())
      if (connectionFields.has(name)) rawResponse.removeHeader(name);
  }

  override end(payload?: string | Uint8Array): void {
    if (payload === undefined || payload.length <= pieceBytes) this.rawResponse.end(payload);
    else this.#endInPieces(typeof payload === 'string' ? Buffer.from(payload) : payload, 0);
  }

  #endInPieces(bytes: Uint8Array, from: number): void {
    let at = from;
    while (!this.isDestroyed && !this.isEnded) {
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.length;
      if (at === bytes.length) this.rawResponse.end(piece);
      else if (!this.write(piece)) {
        this.rawResponse.once('drain', () => this.#endInPieces(bytes, at));
        return;
      }
    }
  }

  /** Closes the stream with an error code, because the client would otherwise accept half a response as complete. */
  override destroy(error?: Error): void {
    if (!this.isEnded) (this.rawResponse as unknown as Http2ServerResponse).stream.close(internalError);
    super.destroy(error);
  }

  /** Does nothing: a stream ends by itself, and the connection continues. */
  override closeAfterResponse(): void {}

  /** Trailers are a frame of their own, so there is no `transfer-encoding` (RFC 9113, 8.2.2). */
  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    fields.trailer = names.join(' ');
  }
}

/** The last stream of a GOAWAY frame that does not name one: streams on their way are still served (RFC 9113, 6.8). */
const everyStream = 2 ** 31 - 1;
/** The time that a client gets to end a connection whose session has ended. */
const clientMs = 1_000;

interface StreamWatch {
  /** When its head arrived, on the clock of `performance.now()`; `Infinity` if its body need not end. */
  readonly openedMs: number;
  readonly response: StateTimer;
}

export class Http2Connection implements OpenConnection {
  readonly #socket: Socket;
  readonly #session: ServerHttp2Session;
  readonly #timeoutAnswer: () => EarlyResponse;
  readonly #openedMs = performance.now();
  /** The open streams, each with its times. */
  readonly #streams = new Map<ServerHttp2Stream, StreamWatch>();
  readonly #stateTimer = new StateTimer();
  #isAnnounced = false;

  /** @param timeoutAnswer Returns the response to a client that took too long to send its request. */
  constructor(socket: Socket, session: ServerHttp2Session, timeoutAnswer: () => EarlyResponse) {
    this.#socket = socket;
    this.#timeoutAnswer = timeoutAnswer;
    this.#session = session;
    session.on('stream', (stream, headers) => {
      // A tunnel lasts as long as both sides want.
      const openedMs = headers[':method'] === 'CONNECT' ? Number.POSITIVE_INFINITY : performance.now();
      this.#streams.set(stream, { openedMs, response: new StateTimer() });
      stream.once('close', () => this.#streams.delete(stream));
      // Before Node 26, a stream that its client resets without an error code is not destroyed while it has unread data, or data to
      // write. It would keep the session open. Not at once, because node ends the stream after the event.
      stream.once('aborted', () => queueMicrotask(() => stream.destroy()));
    });
  }

  checkWhileClosing(closing: Closing): void {
    const session = this.#session;
    const isIdle = this.#streams.size === 0;
    const elapsedMs = this.#stateTimer.timeIn(session.destroyed ? 'over' : isIdle, closing);
    if (session.destroyed) {
      if (elapsedMs >= clientMs) this.#socket.destroy();
      return;
    }
    if (closing.ends === 'all') session.close();
    else if (closing.ends === 'none') {
      if (isIdle && hasPassed(closing.limits.idleMs, elapsedMs)) session.close();
    } else {
      this.announceEnd();
      // The streams on their way must have arrived, so the session ends after the last of them.
      if (isUnused(closing, this.#openedMs)) session.close();
    }
    this.endLateRequests(closing);
    for (const [stream, { response }] of this.#streams) {
      const waitingBytes = stream.writableLength;
      const waitsMs = response.timeIn(waitingBytes, closing);
      if (waitingBytes > 0 && hasPassed(closing.limits.unreadMs, waitsMs)) stream.close(cancel);
    }
  }

  unfinished(): Unfinished[] {
    return [...this.#streams.keys()].map((stream) => ({
      exchange: (stream as Partial<ExchangeHolder>)[exchangeKey],
      openedMs: this.#openedMs,
    }));
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  /** Asks the client to open no new streams. Streams on their way are served. */
  announceEnd(): void {
    if (this.#isAnnounced || this.#session.destroyed) return;
    this.#isAnnounced = true;
    this.#session.goaway(noError, everyStream);
  }

  /**
   * Ends requests that take too long to arrive. Node has no time limit for bodies over HTTP/2: a client could send a byte now and then
   * forever.
   */
  endLateRequests({ nowMs, limits }: Pick<Closing, 'nowMs' | 'limits'>): void {
    for (const [stream, { openedMs }] of this.#streams) {
      if (!hasPassed(limits.requestMs, nowMs - openedMs)) continue;
      const hasArrived = stream.endAfterHeaders || stream.state.state === halfClosedRemote;
      if (!hasArrived) refuse(stream, this.#timeoutAnswer());
    }
  }
}

/** Sends the response to a request that took too long, the same as over HTTP/1.1. */
function refuse(stream: ServerHttp2Stream, { fields, body }: EarlyResponse): void {
  if (stream.closed || stream.destroyed) return;
  if (stream.headersSent) {
    stream.close(cancel);
    return;
  }
  const exchange = (stream as Partial<ExchangeHolder>)[exchangeKey];
  if (exchange !== undefined) exchange.status = 408;
  stream.respond({ ':status': 408, 'content-type': fields['content-type'] });
  stream.end(body);
  stream.once('finish', () => {
    // Otherwise node ends the body as if it were complete, and the handler runs.
    exchange?.rawRequest.destroy();
    // Not earlier: node loops forever if a closed stream that still has data to write is destroyed.
    stream.close(noError);
  });
}
