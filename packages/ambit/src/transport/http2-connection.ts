/** A session of node's HTTP/2 server, as a closing server sees it. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { EarlyResponse } from '../shared/early-error.ts';
import { type ExchangeHolder, exchangeKey } from '../types/exchange.ts';
import type { Unfinished } from '../types/options.ts';
import { type Closing, hasPassed, isUnused, type OpenConnection, StateTimer } from './open-connection.ts';

// Copied from `http2.constants`, which take as long to load as the rest of the module.
const noError = 0;
const cancel = 8;
const halfClosedRemote = 6;
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
    } else this.#endGracefully(closing);
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

  /** First asks for no new streams. When the streams on their way must have arrived, ends the session after the last of them. */
  #endGracefully(closing: Closing): void {
    this.announceEnd();
    if (isUnused(closing, this.#openedMs)) this.#session.close();
  }

  /**
   * Ends requests that take too long to arrive. Node has no time limit for bodies over HTTP/2: a client could send a byte now and then
   * forever.
   */
  endLateRequests({ nowMs, limits }: Pick<Closing, 'nowMs' | 'limits'>): void {
    for (const [stream, { openedMs }] of this.#streams) {
      if (hasPassed(limits.requestMs, nowMs - openedMs) && isArriving(stream))
        refuse(stream, this.#timeoutAnswer());
    }
  }
}

function isArriving(stream: ServerHttp2Stream): boolean {
  return !stream.endAfterHeaders && stream.state.state !== halfClosedRemote;
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
