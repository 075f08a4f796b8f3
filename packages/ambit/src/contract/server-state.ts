/** State of the whole application that requests read while the server runs. */
import type { ErrorTranslator } from './compatibility.ts';
import type { Exchange } from './exchange.ts';
import type { RequestWatcher } from './inspected-steps.ts';

/** Watches requests that wait for a handler to reply, or for a hook to call `done`. */
export interface UnansweredMonitor {
  /**
   * @param responseEpoch The epoch of the exchange when the handler or the hook began.
   * @param isPending Whether a promise was returned. It may never settle.
   */
  add(x: Exchange, responseEpoch: number, isPending?: boolean): void;
}

/** The state of the running server. */
export interface ServerState {
  /** `drain` or `close` was called: clients should send no new requests. Requests may still be served. */
  isStopping: boolean;
  /** Each connection ends with its next response. */
  isClosing: boolean;
  /** Requests are still served while connections end, also while the application then closes. */
  isDraining: boolean;
  /** Reports requests that hang; `undefined` in production. */
  readonly unanswered: UnansweredMonitor | undefined;
  /** Reports requests whose error handler does not reply, in production, too: nobody else would see them. */
  readonly unansweredErrors: UnansweredMonitor;
  /** Whether the connection of a request stays open while others end with their next response; `undefined` if all of them end. */
  mayStayOpen: ((x: Exchange) => boolean) | undefined;
  /** Whether `NODE_ENV` is `production`: clients then get no messages of server errors. */
  readonly isProduction: boolean;
  /** Whether default error replies in JSON are those of Fastify: with every message, and with thrown values that are no errors. */
  readonly sendsErrorsAsFastify: boolean;
  readonly hasLogger: boolean;
  /** Whether an error that a client did not get to read was reported on stderr, because there is no logger. */
  hasWarnedOfHiddenError: boolean;
  /** Gives errors of the catalogue the name and the message that they have in this application's flavor. */
  readonly translateError: ErrorTranslator;
  /** The streams of items that are being sent; `undefined` before the first one. */
  streams: { close(): void } | undefined;
  readonly return503OnClosing: boolean;
  /** Derives `ip`, `host` and `protocol` behind trusted proxies; `undefined` when none is trusted. */
  readonly isTrustedProxy: ((address: string, hop: number) => boolean) | undefined;
  /** Tools that watch each step of each request. Boot reads the list when it compiles plans. */
  readonly watchers: RequestWatcher[];
  readonly hasVersionConstraint: () => boolean;
  /** Returns the path of a URL as the router compares it. */
  readonly canonicalPath: (url: string) => string;
}
