/**
 * What does a closing server do with an open connection? One of HTTP/1.1: in which state is it, and how does it end, also while its client has
 * ended its side or is still sending? `http2.ts` has sessions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Engine } from '@ambit/http-engine';
import { type Exchange, type ExchangeHolder, exchangeKey } from '../types/exchange.ts';
import type { Unfinished } from '../types/options.ts';

export interface OpenConnection {
  /** Called every few milliseconds while the server closes: ends the connection if it has no request, or if its time is over. */
  checkWhileClosing(closing: Closing): void;
  /** Tells the client that the connection ends, if the protocol has a message for that. */
  announceEnd(): void;
  /** Returns the requests that would be lost if the connection ended now. */
  unfinished(): Unfinished[];
  /** Ends the connection at once, in any state. */
  destroy(): void;
  /** Of sessions of HTTP/2 only: ends the requests that take too long to arrive, which node does on other connections. */
  endLateRequests?(now: Pick<Closing, 'nowMs' | 'limits'>): void;
}

/** Times are in milliseconds of `performance.now()`. */
export interface Closing {
  readonly startedMs: number;
  readonly nowMs: number;
  /** Which connections the server ends itself: all, those without a request, or none (`forceCloseConnections`). */
  readonly ends: 'all' | 'idle' | 'none';
  readonly limits: ConnectionLimits;
}

/** The longest waits for a client, in milliseconds; 0 is no limit. */
export interface ConnectionLimits {
  /** For the head of a request, and for a TLS handshake. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** For the next request. */
  readonly idleMs: number;
  /** For a client that does not read its response. */
  readonly unreadMs: number;
}

/** The time that a new client needs to send its first request: the longest usual round trip. */
const firstRequestMs = 1_000;
/** The time for which every silent client is still read after closing has begun. */
const minReadMs = 100;

/** Whether a connection on which nothing has arrived has been open long enough for its first request. */
export function isUnused({ startedMs, nowMs }: Closing, openedMs: number): boolean {
  return nowMs >= Math.max(openedMs + firstRequestMs, startedMs + minReadMs);
}

/** Measures how long something is in one state, since a closing server first saw it in that state. */
export class StateTimer {
  #state: unknown = undefined;
  #sinceMs = 0;

  /** @returns How long it has been in this state, in milliseconds. */
  timeIn(state: unknown, { nowMs }: Closing): number {
    if (state !== this.#state) {
      this.#state = state;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }
}

/** The longest time that closing waits for a client that reads nothing of its response. */
const maxUnreadMs = 10_000;

/** @returns How long closing waits for a client that reads nothing of its response: as long as for an idle one, but not longer than 10 s. */
export function unreadLimit(idleMs: number): number {
  return Math.min(idleMs, maxUnreadMs);
}

export function hasPassed(limitMs: number, elapsedMs: number): boolean {
  return limitMs > 0 && elapsedMs >= limitMs;
}

// ---- a connection of HTTP/1.1, or one whose protocol is not known yet

/** Properties of node that show the state of a connection. They are not documented. */
type HttpSocket = Socket & {
  /** The response that has the socket. */
  readonly _httpMessage?:
    | (ServerResponse & { readonly req: IncomingMessage } & Partial<ExchangeHolder>)
    | null;
  /** `null` after the connection was upgraded; missing if node does not serve the connection. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/**
 * `handshake`: that of TLS has not ended. `other`: a WebSocket, or a connection that other code handles. In node's own state, an idle
 * connection and one with half a head look the same.
 */
type State = 'handshake' | 'silent' | 'head' | 'body' | 'response' | 'idle' | 'other';

/** The time that a handler of client errors gets to end the connection. */
const handlerMs = 1_000;
/**
 * How long nothing may be written after the client's end. A client that has ended only its side may still read (RFC 9112, 9.6). A client that
 * has left looks the same, until something is written: then its system resets the connection. Fastify's suite expects that requests learn of
 * it within 100 ms before a response, and within 50 ms in one.
 */
const halfClosedMs = { beforeResponse: 80, withinResponse: 40 } as const;
/** How many turns of the event loop a process that was held up gets after that time, so that it writes what was due earlier. */
const turnsToCatchUp = 20;

/** The server of a connection. Its engine is attached when it listens. */
interface ConnectionOwner {
  readonly engine: Engine | undefined;
}

export class Http1Connection implements OpenConnection {
  readonly #socket: HttpSocket;
  readonly #owner: ConnectionOwner;
  readonly #isHandshake: boolean;
  readonly #openedMs = performance.now();
  readonly #stateTimer = new StateTimer();
  #expiredMs: number | undefined = undefined;

  /** @param isHandshake Whether the socket is that under a TLS socket, which gets a connection of its own after the handshake. */
  constructor(socket: Socket, owner: ConnectionOwner, isHandshake: boolean) {
    this.#socket = socket;
    this.#owner = owner;
    this.#isHandshake = isHandshake;
  }

  /** The requests without a complete response on a connection that our engine serves; none on any other. */
  get #engineExchanges(): Exchange[] {
    return (this.#owner.engine?.exchangesOf(this.#socket) ?? []).map(({ owner }) => owner as Exchange);
  }

  #state(): State {
    if (this.#isHandshake) return 'handshake';
    const engineState = this.#owner.engine?.stateOf(this.#socket);
    if (engineState !== undefined) return engineState === 'answer' ? 'response' : engineState;
    const { _httpMessage: response, parser, bytesRead } = this.#socket;
    if (bytesRead === 0) return 'silent';
    if (response != null) return response.req.complete ? 'response' : 'body';
    return parser == null ? 'other' : 'head';
  }

  unfinished(): Unfinished[] {
    const openedMs = this.#openedMs;
    const engineExchanges = this.#engineExchanges;
    if (engineExchanges.length > 0) return engineExchanges.map((exchange) => ({ exchange, openedMs }));
    const exchange = this.#socket._httpMessage?.[exchangeKey];
    const isUnfinished = exchange !== undefined || ['response', 'body', 'other'].includes(this.#state());
    return isUnfinished ? [{ exchange, openedMs }] : [];
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The response to the last request that has arrived announces the end. */
  announceEnd(): void {
    const { _httpMessage: response, parser } = this.#socket;
    // On a connection that node serves, only if its response is the next one.
    const lastOfNode =
      response != null && parser?.incoming === response.req ? response[exchangeKey] : undefined;
    const exchange = this.#engineExchanges.at(-1) ?? lastOfNode;
    if (exchange !== undefined && !exchange.isHeadWritten) exchange.closeAfterResponse();
  }

  checkWhileClosing(closing: Closing): void {
    const socket = this.#socket;
    const { ends, limits, nowMs } = closing;
    const state = this.#state();
    const elapsedMs = this.#stateTimer.timeIn(state, closing);
    if (state === 'other') return;
    // The handler of client errors was called, and has left the connection open.
    const isIgnored = this.#expiredMs !== undefined && nowMs - this.#expiredMs >= handlerMs;
    if (ends === 'all' || isIgnored) socket.destroy();
    else if (state === 'silent' || state === 'handshake') {
      // Browsers open connections in advance, and an unused one would delay the end.
      const mayEnd = ends === 'idle' && socket.bytesRead === 0 && isUnused(closing, this.#openedMs);
      if (mayEnd || hasPassed(limits.headMs, elapsedMs)) socket.destroy();
    } else if (state === 'idle') {
      if (ends === 'idle' || hasPassed(limits.idleMs, elapsedMs)) socket.destroy();
    } else if (state === 'response') {
      // The application may take any time. But if the client does not read its response, node ends the connection after a time.
      if (socket.writableLength > 0 && limits.unreadMs > 0 && !socket.timeout)
        socket.setTimeout(limits.unreadMs);
    } else if (
      this.#expiredMs === undefined &&
      hasPassed(state === 'head' ? limits.headMs : limits.requestMs, elapsedMs)
    ) {
      this.#expiredMs = nowMs;
      // If idle connections are not ended, this one may be idle, because that looks the same as half a head: there is no request to answer.
      if (state === 'head' && ends === 'none') socket.destroy();
      else this.#expire();
    }
  }

  /** Fails a request that takes too long. Node no longer does so in a closing server. Its own `error` listener emits `clientError`. */
  #expire(): void {
    const socket = this.#socket;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (socket.listenerCount('error') === 0) socket.destroy();
    else socket.emit('error', error);
  }

  // ---- how the two sides end

  /**
   * Keeps the connection open when the client ends its side while requests are running, as long as something is written. Node's own server
   * drops these requests, and their bodies.
   */
  answerHalfClosed(): void {
    const socket = this.#socket;
    const { allowHalfOpen } = socket;
    // Over TLS, the socket would otherwise end with the client's side.
    socket.allowHalfOpen = true;
    socket.once('end', () => {
      const state = this.#state();
      if (state === 'response' || state === 'body') this.#endWhenIdle();
      // A socket that other code handles ends as it did.
      else if (state === 'other' && !allowHalfOpen) socket.end();
    });
  }

  #endWhenIdle(): void {
    const socket = this.#socket;
    const { bytesWritten } = socket;
    const exchange = this.#engineExchanges[0] ?? socket._httpMessage?.[exchangeKey];
    const { beforeResponse, withinResponse } = halfClosedMs;
    const idleMs = exchange?.isHeadWritten === true ? withinResponse : beforeResponse;
    const timer = setTimeout(() => endOrWait(turnsToCatchUp), idleMs);
    const stop = (): void => clearTimeout(timer);
    socket.once('close', stop);
    const endOrWait = (turns: number): void => {
      const isIdle = socket.writableLength === 0 && socket.bytesWritten === bytesWritten;
      if (isIdle && turns > 0) return void setImmediate(endOrWait, turns - 1);
      socket.off('close', stop);
      if (isIdle) socket.end();
      else this.#endWhenIdle();
    };
  }

  /**
   * Makes a connection whose last request is not complete end in two steps: first our side, then the client's, when the client has ended it.
   * If both ended at once, the connection would be reset, and the client's system would drop a response that was not read yet (RFC 9112,
   * 9.6). Node and our engine call `destroySoon` after the last response of a connection.
   */
  lingerAfterEarlyAnswer(): void {
    const socket = this.#socket;
    const { destroySoon } = socket;
    socket.destroySoon = () => {
      const isReceiving =
        socket.parser?.incoming?.complete === false || this.#owner.engine?.stateOf(socket) === 'body';
      if (isReceiving) linger(socket);
      else destroySoon.call(socket);
    };
  }
}

/** The longest time to read and drop what the client is sending. */
const lingerMs = 2_000;

const drop = (): void => {};

function linger(socket: Socket): void {
  // A `data` listener takes the socket from node's parser, so that further bytes are not read as a request.
  socket.on('data', drop);
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', drop).resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}
