/** What a closing server asks of a connection, whatever wire it is; each wire has a class of its own. */
import type { Socket } from 'node:net';
import type { ConnectionState } from '@ambit/http-engine';
import type { Unfinished } from '../contract/closing.ts';
import type { Exchange } from '../contract/exchange.ts';

export interface OpenConnection {
  /** Called every few milliseconds: ends the connection where it carries no request, or where its time is up. */
  tend(closing: Closing): void;
  /** Tells the client that the connection ends, where its wire has a message for that. */
  announceEnd(): void;
  /** What would be lost if the connection ended now. */
  unfinished(): Unfinished[];
  /** Ends the connection, whatever it carries. */
  destroy(): void;
}

/** What a connection is at that our engine serves; `undefined` for any other. */
export type StateInEngine = (socket: Socket) => ConnectionState | undefined;
/** The requests of a connection that our engine serves. */
export type ExchangesInEngine = (socket: Socket) => Exchange[];

/** Times are in milliseconds of `performance.now()`. */
export interface Closing {
  readonly startedMs: number;
  readonly nowMs: number;
  /** Which connections need not end by themselves: all, those that carry no request, or none (`forceCloseConnections`). */
  readonly ends: 'all' | 'idle' | 'none';
  readonly limits: ConnectionLimits;
}

/** The longest waits for a client, in milliseconds; 0 is no limit. */
export interface ConnectionLimits {
  /** For the head of a request, a TLS handshake included. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** For the next request, and for a client that takes nothing of its response. */
  readonly idleMs: number;
}

/** What a client that has just connected needs to send its first request: the longest round trip that is usual. */
const firstRequestMs = 1_000;
/** What each client is left to be read from, however long it has been silent. */
const leastMs = 100;

/** Whether a connection on which nothing has arrived yet has had the time that its first request needs. */
export function isUnused({ startedMs, nowMs }: Closing, openedMs: number): boolean {
  return nowMs >= Math.max(openedMs + firstRequestMs, startedMs + leastMs);
}

/** How long something is in one state, from when a closing server has first seen it there. */
export class Since {
  #state: unknown = undefined;
  #sinceMs = 0;

  /** @returns Milliseconds in this state. */
  in(state: unknown, { nowMs }: Closing): number {
    if (state !== this.#state) {
      this.#state = state;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }
}

export function hasPassed(limitMs: number, elapsedMs: number): boolean {
  return limitMs > 0 && elapsedMs >= limitMs;
}
