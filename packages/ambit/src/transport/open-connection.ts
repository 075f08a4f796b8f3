/** What a closing server needs from an open connection. Each protocol has a class of its own for it. */
import type { Socket } from 'node:net';
import type { ConnectionState } from '@ambit/http-engine';
import type { Exchange } from '../types/exchange.ts';
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

/** Returns the state of a connection that our engine serves; `undefined` for any other. */
export type EngineStateOf = (socket: Socket) => ConnectionState | undefined;
/** Returns the requests of a connection that our engine serves; none for any other. */
export type EngineExchangesOf = (socket: Socket) => Exchange[];

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
  #stateTimerMs = 0;

  /** @returns How long it has been in this state, in milliseconds. */
  timeIn(state: unknown, { nowMs }: Closing): number {
    if (state !== this.#state) {
      this.#state = state;
      this.#stateTimerMs = nowMs;
    }
    return nowMs - this.#stateTimerMs;
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
