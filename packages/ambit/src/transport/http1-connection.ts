/** A connection of node's HTTP/1.1 server, as a closing server sees it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Unfinished } from '../contract/closing.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type ExchangeHolder, exchangeKey } from '../contract/exchange-holder.ts';
import {
  type Closing,
  type ExchangesInEngine,
  hasPassed,
  isUnused,
  type OpenConnection,
  Since,
  type StateInEngine,
} from './open-connection.ts';

/** Where node keeps what a connection is at; it is not documented. */
type HttpSocket = Socket & {
  /** The response that has the socket. */
  readonly _httpMessage?:
    | (ServerResponse & { readonly req: IncomingMessage } & Partial<ExchangeHolder>)
    | null;
  /** Gone once the connection was upgraded; never there where node does not serve it. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/**
 * `other`: a WebSocket, or a connection that other code handles. In node's own state, an idle connection and one with
 * half a head look the same.
 */
type State = 'silent' | 'head' | 'body' | 'response' | 'idle' | 'other';

/** A handler of client errors gets this long to end the connection. */
const handlerMs = 1_000;

export class Http1Connection implements OpenConnection {
  readonly #socket: HttpSocket;
  readonly #stateInEngine: StateInEngine;
  readonly #exchangesInEngine: ExchangesInEngine;
  readonly #openedMs = performance.now();
  readonly #since = new Since();
  #expiredMs: number | undefined = undefined;

  constructor(socket: Socket, stateInEngine: StateInEngine, exchangesInEngine: ExchangesInEngine) {
    this.#socket = socket;
    this.#stateInEngine = stateInEngine;
    this.#exchangesInEngine = exchangesInEngine;
  }

  /** The response to the last request that has arrived tells it. */
  announceEnd(): void {
    const exchange = this.#exchangesInEngine(this.#socket).at(-1) ?? this.#lastOfNode;
    if (exchange !== undefined && !exchange.isHeadWritten) exchange.closeAfterResponse();
  }

  /** The last request of a connection that node serves, if its response is the next one. */
  get #lastOfNode(): Exchange | undefined {
    const { _httpMessage: response, parser } = this.#socket;
    return response != null && parser?.incoming === response.req ? response[exchangeKey] : undefined;
  }

  unfinished(): Unfinished[] {
    const inEngine = this.#exchangesInEngine(this.#socket);
    const openedMs = this.#openedMs;
    if (inEngine.length > 0) return inEngine.map((exchange) => ({ exchange, openedMs }));
    const exchange = this.#socket._httpMessage?.[exchangeKey];
    const isUnfinished = exchange !== undefined || ['response', 'body', 'other'].includes(this.#state());
    return isUnfinished ? [{ exchange, openedMs }] : [];
  }

  destroy(): void {
    this.#socket.destroy();
  }

  tend(closing: Closing): void {
    const state = this.#state();
    const elapsedMs = this.#since.in(state, closing);
    if (state === 'other') return;
    if (closing.ends === 'all' || this.#isIgnored(closing)) this.#socket.destroy();
    else if (state === 'silent') this.#tendSilent(elapsedMs, closing);
    else if (state === 'response') this.#tendResponse(closing);
    else if (state === 'idle') this.#tendIdle(elapsedMs, closing);
    else this.#tendRequest(state, elapsedMs, closing);
  }

  #state(): State {
    const inEngine = this.#stateInEngine(this.#socket);
    if (inEngine !== undefined) return inEngine === 'answer' ? 'response' : inEngine;
    const { _httpMessage: response, parser, bytesRead } = this.#socket;
    if (bytesRead === 0) return 'silent';
    if (response != null) return response.req.complete ? 'response' : 'body';
    return parser == null ? 'other' : 'head';
  }

  /** Browsers open connections ahead of need: one that never asks for anything would hold up the end. */
  #tendSilent(elapsedMs: number, closing: Closing): void {
    const mayEnd = closing.ends === 'idle' && isUnused(closing, this.#openedMs);
    if (mayEnd || hasPassed(closing.limits.headMs, elapsedMs)) this.#socket.destroy();
  }

  #tendIdle(elapsedMs: number, { ends, limits }: Closing): void {
    if (ends === 'idle' || hasPassed(limits.idleMs, elapsedMs)) this.#socket.destroy();
  }

  #tendRequest(state: 'head' | 'body', elapsedMs: number, closing: Closing): void {
    const { headMs, requestMs } = closing.limits;
    if (this.#expiredMs !== undefined || !hasPassed(state === 'head' ? headMs : requestMs, elapsedMs)) return;
    this.#expiredMs = closing.nowMs;
    // An idle connection looks the same as a head where idle ones are not ended: there is no request to answer then.
    if (state === 'head' && closing.ends === 'none') this.#socket.destroy();
    else this.#expire();
  }

  /** What node does with a request that takes too long, and no longer does in a server that closes: its own listener emits `clientError`. */
  #expire(): void {
    const socket = this.#socket;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (socket.listenerCount('error') === 0) socket.destroy();
    else socket.emit('error', error);
  }

  /** The handler of client errors was told, and has left the connection open. */
  #isIgnored({ nowMs }: Closing): boolean {
    return this.#expiredMs !== undefined && nowMs - this.#expiredMs >= handlerMs;
  }

  /** The application may take its time. A client may not that takes nothing of its response: node looks, and ends the connection. */
  #tendResponse({ limits }: Closing): void {
    const socket = this.#socket;
    if (socket.writableLength > 0 && limits.idleMs > 0 && !socket.timeout) socket.setTimeout(limits.idleMs);
  }
}
