/** The routes for GET that a server may find by their path, so that their requests need no router. */
import type { DirectRoute } from './direct-routes.ts';
import type { Exchange } from './exchange.ts';

export interface PathRoute {
  /** Set if nothing can see the requests of the route. */
  readonly direct: DirectRoute | undefined;
  /** Runs an exchange whose URL is the path of the route, without a query string. */
  dispatch(x: Exchange): void;
}

/** By path. The paths have no patterns, and each has one spelling. */
export type PathRoutes = ReadonlyMap<string, PathRoute>;
