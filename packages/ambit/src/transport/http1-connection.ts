/** A connection of HTTP/1.1, as a closing server sees it, and how it ends while its client has ended its side or is still sending. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Exchange, type ExchangeHolder, exchangeKey } from '../types/exchange.ts';
import type { Unfinished } from '../types/options.ts';
import {
  type Closing,
  type EngineExchangesOf,
  type EngineStateOf,
  hasPassed,
  isUnused,
  type OpenConnection,
  StateTimer,
} from './open-connection.ts';

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
 * `other`: a WebSocket, or a connection that other code handles. In node's own state, an idle connection and one with
 * half a head look the same.
 */
type State = 'silent' | 'head' | 'body' | 'response' | 'idle' | 'other';

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

export class Http1Connection implements OpenConnection {
  readonly #socket: HttpSocket;
  readonly #engineStateOf: EngineStateOf;
  readonly #engineExchangesOf: EngineExchangesOf;
  readonly #openedMs = performance.now();
  readonly #stateTimer = new StateTimer();
  #expiredMs: number | undefined = undefined;

  constructor(socket: Socket, engineStateOf: EngineStateOf, engineExchangesOf: EngineExchangesOf) {
    this.#socket = socket;
    this.#engineStateOf = engineStateOf;
    this.#engineExchangesOf = engineExchangesOf;
  }

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
    const idleMs = this.#isResponding ? halfClosedMs.withinResponse : halfClosedMs.beforeResponse;
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

  /** Whether a part of the next response was written. */
  get #isResponding(): boolean {
    const exchange = this.#engineExchangesOf(this.#socket)[0] ?? this.#socket._httpMessage?.[exchangeKey];
    return exchange?.isHeadWritten === true;
  }

  /** The response to the last request that has arrived announces the end. */
  announceEnd(): void {
    const exchange = this.#engineExchangesOf(this.#socket).at(-1) ?? this.#lastOfNode;
    if (exchange !== undefined && !exchange.isHeadWritten) exchange.closeAfterResponse();
  }

  /** The last request of a connection that node serves, if its response is the next one. */
  get #lastOfNode(): Exchange | undefined {
    const { _httpMessage: response, parser } = this.#socket;
    return response != null && parser?.incoming === response.req ? response[exchangeKey] : undefined;
  }

  unfinished(): Unfinished[] {
    const engineExchanges = this.#engineExchangesOf(this.#socket);
    const openedMs = this.#openedMs;
    if (engineExchanges.length > 0) return engineExchanges.map((exchange) => ({ exchange, openedMs }));
    const exchange = this.#socket._httpMessage?.[exchangeKey];
    const isUnfinished = exchange !== undefined || ['response', 'body', 'other'].includes(this.#state());
    return isUnfinished ? [{ exchange, openedMs }] : [];
  }

  destroy(): void {
    this.#socket.destroy();
  }

  checkWhileClosing(closing: Closing): void {
    const state = this.#state();
    const elapsedMs = this.#stateTimer.timeIn(state, closing);
    if (state === 'other') return;
    if (closing.ends === 'all' || this.#isIgnored(closing)) this.#socket.destroy();
    else if (state === 'silent') this.#checkSilent(elapsedMs, closing);
    else if (state === 'response') this.#checkResponse(closing);
    else if (state === 'idle') this.#checkIdle(elapsedMs, closing);
    else this.#checkRequest(state, elapsedMs, closing);
  }

  #state(): State {
    const engineState = this.#engineStateOf(this.#socket);
    if (engineState !== undefined) return engineState === 'answer' ? 'response' : engineState;
    const { _httpMessage: response, parser, bytesRead } = this.#socket;
    if (bytesRead === 0) return 'silent';
    if (response != null) return response.req.complete ? 'response' : 'body';
    return parser == null ? 'other' : 'head';
  }

  /** Ends a connection without a request: browsers open connections in advance, and an unused one would delay the end. */
  #checkSilent(elapsedMs: number, closing: Closing): void {
    const mayEnd = closing.ends === 'idle' && isUnused(closing, this.#openedMs);
    if (mayEnd || hasPassed(closing.limits.headMs, elapsedMs)) this.#socket.destroy();
  }

  #checkIdle(elapsedMs: number, { ends, limits }: Closing): void {
    if (ends === 'idle' || hasPassed(limits.idleMs, elapsedMs)) this.#socket.destroy();
  }

  #checkRequest(state: 'head' | 'body', elapsedMs: number, closing: Closing): void {
    const { headMs, requestMs } = closing.limits;
    if (this.#expiredMs !== undefined || !hasPassed(state === 'head' ? headMs : requestMs, elapsedMs)) return;
    this.#expiredMs = closing.nowMs;
    // If idle connections are not ended, this one may be idle, because that looks the same as half a head: there is no request to answer.
    if (state === 'head' && closing.ends === 'none') this.#socket.destroy();
    else this.#expire();
  }

  /** Fails a request that takes too long. Node no longer does so in a closing server. Its own `error` listener emits `clientError`. */
  #expire(): void {
    const socket = this.#socket;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (socket.listenerCount('error') === 0) socket.destroy();
    else socket.emit('error', error);
  }

  /** Whether the handler of client errors was called, and has left the connection open. */
  #isIgnored({ nowMs }: Closing): boolean {
    return this.#expiredMs !== undefined && nowMs - this.#expiredMs >= handlerMs;
  }

  /**
   * The application may take any time for a response. But if the client does not read its response, node ends the connection after a
   * time.
   */
  #checkResponse({ limits }: Closing): void {
    const socket = this.#socket;
    if (socket.writableLength > 0 && limits.unreadMs > 0 && !socket.timeout)
      socket.setTimeout(limits.unreadMs);
  }
}

/** The longest time to read and drop what the client is sending. */
const lingerMs = 2_000;

const drop = (): void => {};

/**
 * Makes a connection whose last request is not complete end in two steps: first our side, then the client's, when the client has ended it.
 * If both ended at once, the connection would be reset, and the client's system would drop a response that was not read yet (RFC 9112,
 * 9.6). Node and our engine call `destroySoon` after the last response of a connection.
 */
export function lingerAfterEarlyAnswer(socket: HttpSocket, engineStateOf: EngineStateOf): void {
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    const isReceiving = socket.parser?.incoming?.complete === false || engineStateOf(socket) === 'body';
    if (isReceiving) linger(socket);
    else destroySoon.call(socket);
  };
}

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
