/** How an application closes in order: what users ask for, and what is reported of requests that had to be cut off. */
import type { Exchange } from './exchange.ts';

/** The options of `close`. */
export interface CloseOptions {
  /**
   * Longest time in milliseconds for what is running: 0 to 2,147,483,647, default 10,000. It begins when `delayMs` is over. What is left then is
   * destroyed.
   */
  graceMs?: number;
  /**
   * How long everything is still served in milliseconds, so that load balancers notice that the application stops: 0 to 2,147,483,647, default 0.
   * In the second half of this time, the response to a request on a kept connection says that the connection ends.
   */
  delayMs?: number;
}

/** The options of `closeOnSignals`. */
export interface CloseOnSignalsOptions extends CloseOptions {
  /** The signals that close the application. Default: `SIGTERM` and `SIGINT`. */
  signals?: readonly NodeJS.Signals[];
}

/** Something that a closing application still serves. */
export interface Unfinished {
  /** The request; `undefined` for a connection that was upgraded, and for one whose client has not taken its last response. */
  readonly exchange: Exchange | undefined;
  /** When its connection was opened, on the clock of `performance.now()`; 0 where there is none. */
  readonly openedMs: number;
}
