/** A session of node's HTTP/2 server, as a closing server sees it. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Unfinished } from '../contract/closing.ts';
import { type ExchangeHolder, exchangeKey } from '../contract/exchange.ts';
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
  readonly request: Since;
  readonly response: Since;
}

export class Http2Connection implements OpenConnection {
  readonly #socket: Socket;
  readonly #session: ServerHttp2Session;
  readonly #timeoutAnswer: () => EarlyAnswer;
  readonly #openedMs = performance.now();
  readonly #streams = new Set<ServerHttp2Stream>();
  readonly #watches = new WeakMap<ServerHttp2Stream, StreamWatch>();
  readonly #since = new Since();
  #isAnnounced = false;

  /** @param timeoutAnswer What a client is told that took too long for its request. */
  constructor(socket: Socket, session: ServerHttp2Session, timeoutAnswer: () => EarlyAnswer) {
    this.#socket = socket;
    this.#timeoutAnswer = timeoutAnswer;
    this.#session = session;
    session.on('stream', (stream) => {
      this.#streams.add(stream);
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
    for (const stream of this.#streams) this.#tendStream(stream, closing);
  }

  unfinished(): Unfinished[] {
    return [...this.#streams].map((stream) => ({
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

  #tendStream(stream: ServerHttp2Stream, closing: Closing): void {
    const { request, response } = this.#watch(stream);
    const { requestMs, idleMs } = closing.limits;
    const isArriving = stream.state.state !== halfClosedRemote && !stream.endAfterHeaders;
    if (isArriving && hasPassed(requestMs, request.in('arriving', closing)))
      refuse(stream, this.#timeoutAnswer());
    const waitingBytes = stream.writableLength;
    const waitsMs = response.in(waitingBytes, closing);
    if (waitingBytes > 0 && hasPassed(idleMs, waitsMs)) stream.close(cancel);
  }

  #watch(stream: ServerHttp2Stream): StreamWatch {
    let watch = this.#watches.get(stream);
    if (watch === undefined) {
      watch = { request: new Since(), response: new Since() };
      this.#watches.set(stream, watch);
    }
    return watch;
  }
}

/** The answer to a request that took too long: what the same client would get over HTTP/1.1. */
function refuse(stream: ServerHttp2Stream, { fields, body }: EarlyAnswer): void {
  if (stream.closed || stream.destroyed) return;
  if (stream.headersSent) {
    stream.close(cancel);
    return;
  }
  stream.respond({ ':status': 408, 'content-type': fields['content-type'] });
  stream.end(body);
  stream.close(noError);
}
