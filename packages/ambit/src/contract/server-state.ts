/** State of the whole application that requests read while the server runs. */
import type { ErrorTranslator } from './compatibility.ts';
import type { Exchange } from './exchange.ts';
import type { RequestWatcher } from './inspected-steps.ts';

/** Is told of requests that wait for a handler to reply, or for a hook to call `done`. */
export interface UnansweredMonitor {
  /** @param responseEpoch That of the exchange when the handler or the hook began. */
  add(x: Exchange, responseEpoch: number): void;
}

/** What a running server can be asked while it serves. */
export interface ServerState {
  /** `drain` or `close` was called: no new work should be sent here. Requests may still be served. */
  isStopping: boolean;
  /** Connections end with the response that is written next. */
  isClosing: boolean;
  /** Requests are still served while connections end, also while the application then closes. */
  isDraining: boolean;
  /** Notices requests that hang; `undefined` in production. */
  readonly unanswered: UnansweredMonitor | undefined;
  /** Whether the connection of a request stays open, while others end with their next response; `undefined` if all end. */
  mayStayOpen: ((x: Exchange) => boolean) | undefined;
  /** Gives errors of the catalogue the name and the text that they have in this application's flavor. */
  readonly translateError: ErrorTranslator;
  /** The streams of items that are being sent; `undefined` before the first one. */
  streams: { close(): void } | undefined;
  readonly return503OnClosing: boolean;
  /** Derives `ip`, `host` and `protocol` behind trusted proxies; `undefined` when none is trusted. */
  readonly isTrustedProxy: ((address: string, hop: number) => boolean) | undefined;
  /** Tools that are told of each step of each request; boot reads them when it compiles plans. */
  readonly watchers: RequestWatcher[];
  readonly hasVersionConstraint: () => boolean;
  /** The path that the router compares for a URL. */
  readonly canonicalPath: (url: string) => string;
}
