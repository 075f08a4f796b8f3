/** A session of node's HTTP/2 server, as a closing server sees it. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Unfinished } from '../contract/closing.ts';
import { type ExchangeHolder, exchangeKey } from '../contract/exchange-holder.ts';
import type { EarlyAnswer } from '../shared/early-error-body.ts';
import { type Closing, hasPassed, isUnused, type OpenConnection, Since } from './open-connection.ts';

// Of `http2.constants`, which cost as much to load as the rest of the module.
const noError = 0;
const cancel = 8;
const halfClosedRemote = 6;
/** Announces an end without naming the last stream: those that are on their way are still served (RFC 9113, 6.8). */
const everyStream = 2 ** 31 - 1;
/** A client gets this long to end a connection whose session is over. */
const clientMs = 1_000;

interface StreamWatch {
  /** When its head arrived, on the clock of `performance.now()`; `Infinity` where its body need not end. */
  readonly openedMs: number;
  readonly response: Since;
}

export class Http2Connection implements OpenConnection {
  readonly #socket: Socket;
  readonly #session: ServerHttp2Session;
  readonly #timeoutAnswer: () => EarlyAnswer;
  readonly #openedMs = performance.now();
  /** The streams that are open, and what is known of each. */
  readonly #streams = new Map<ServerHttp2Stream, StreamWatch>();
  readonly #since = new Since();
  #isAnnounced = false;

  /** @param timeoutAnswer What a client is told that took too long for its request. */
  constructor(socket: Socket, session: ServerHttp2Session, timeoutAnswer: () => EarlyAnswer) {
    this.#socket = socket;
    this.#timeoutAnswer = timeoutAnswer;
    this.#session = session;
    session.on('stream', (stream, headers) => {
      // A tunnel goes on for as long as both sides want.
      const openedMs = headers[':method'] === 'CONNECT' ? Number.POSITIVE_INFINITY : performance.now();
      this.#streams.set(stream, { openedMs, response: new Since() });
      stream.once('close', () => this.#streams.delete(stream));
    });
  }

  tend(closing: Closing): void {
    const session = this.#session;
    const isIdle = this.#streams.size === 0;
    const elapsedMs = this.#since.in(session.destroyed ? 'over' : isIdle, closing);
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
      const waitsMs = response.in(waitingBytes, closing);
      if (waitingBytes > 0 && hasPassed(closing.limits.idleMs, waitsMs)) stream.close(cancel);
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

  /** No new streams are to come; those that are on their way are served. */
  announceEnd(): void {
    if (this.#isAnnounced || this.#session.destroyed) return;
    this.#isAnnounced = true;
    this.#session.goaway(noError, everyStream);
  }

  /** First no new streams, then, when those that were on their way have come, the end: behind the last of them. */
  #endGracefully(closing: Closing): void {
    this.announceEnd();
    if (isUnused(closing, this.#openedMs)) this.#session.close();
  }

  /** Node has no limit for the body of a request: a client that sends a byte now and then would keep its request for ever. */
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

/** The answer to a request that took too long: what the same client would get over HTTP/1.1. */
function refuse(stream: ServerHttp2Stream, { fields, body }: EarlyAnswer): void {
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
    // Otherwise node ends the body as if it were whole, and the handler runs.
    exchange?.rawRequest.destroy();
    // Not before: node loops for ever if a stream is destroyed that was closed and has still something to write.
    stream.close(noError);
  });
}
