/** What transports know about direct routes: routes for GET whose requests nothing can see, so that they need no exchange. */
import type { Exchange } from './exchange.ts';

/** A handler has run, and there is no exchange yet. */
export interface DirectRun {
  /** The content of the response, whose status is 200; `undefined` if the request needs an exchange after all. */
  readonly text: string | undefined;
  /** The media type of the text. */
  readonly type: string;
}

export interface DirectRoutes {
  /** The paths of the direct routes, which have no patterns. There are none before boot. */
  readonly paths: Iterable<string>;
  /** Runs the handler of a path. @returns `undefined` if it did not run, because something sees all requests now. */
  run(path: string): DirectRun | undefined;
  /** Continues after a run without a text: the handler waits, has failed or has returned something else. */
  resume(x: Exchange, run: DirectRun): void;
}
