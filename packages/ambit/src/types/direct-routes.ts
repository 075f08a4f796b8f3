/** Routes for GET whose requests nothing can see: their handlers run before there is an exchange, and most responses need none. */
import type { Exchange } from './exchange.ts';

/** A handler was called, and there is no exchange yet. */
export interface DirectRun {
  /** The content of the response, whose status is 200; `undefined` if it is not known yet, or if the request needs an exchange. */
  readonly text: string | undefined;
  /** The media type of the text. */
  readonly type: string;
  /** The promise that the handler returned, if it must be waited for. Call `fulfill` with its value, or `resume`. */
  readonly promise: Promise<unknown> | undefined;
}

export interface DirectRoute {
  /** Calls the handler. @returns `undefined` if it was not called, because something sees all requests now. */
  run(): DirectRun | undefined;
  /** Sets the text for the value of the promise, if the response needs no exchange. */
  fulfill(run: DirectRun, value: unknown): void;
  /** Sends the result of a run without a text through an exchange: the handler waits, has failed or has returned something else. */
  resume(x: Exchange, run: DirectRun): void;
}

export interface PathRoute {
  /** Set if nothing can see the requests of the route. */
  readonly direct: DirectRoute | undefined;
  /** Runs an exchange whose URL is the path of the route, without a query string. */
  dispatch(x: Exchange): void;
}

/** By path. The paths have no patterns, and each has one spelling. */
export type PathRoutes = ReadonlyMap<string, PathRoute>;
