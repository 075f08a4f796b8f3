/** The options with which an application closes in order, and the requests that are unfinished then. */
import type { Exchange } from './exchange.ts';

/** The options of `close`. */
export interface CloseOptions {
  /**
   * How long running requests may take to end, in milliseconds: 0 to 2,147,483,647, default 10,000. The time begins when `delayMs` is over.
   * Requests and connections that are left at its end are destroyed.
   */
  graceMs?: number;
  /**
   * How long everything is still served, in milliseconds, so that load balancers notice that the application stops: 0 to 2,147,483,647,
   * default 0. In the second half of this time, responses on keep-alive connections announce that the connection ends.
   */
  delayMs?: number;
}

/** The options of `closeOnSignals`. */
export interface CloseOnSignalsOptions extends CloseOptions {
  /** The signals that close the application. Default: `SIGTERM` and `SIGINT`. */
  signals?: readonly NodeJS.Signals[];
}

/** A request or a connection that a closing application still serves. */
export interface Unfinished {
  /** The request; `undefined` for a connection that was upgraded, and for one whose client has not taken its last response. */
  readonly exchange: Exchange | undefined;
  /** When its connection was opened, on the clock of `performance.now()`; 0 if there is none. */
  readonly openedMs: number;
}
