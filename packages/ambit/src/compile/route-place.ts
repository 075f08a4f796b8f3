/** Owns where an error of a route arose: its plugin, the route and the line that declared it. */
import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import { type ErrorPlace, locateError } from '../shared/error-place.ts';

export function routePlace({ options, site }: RouteRecord, node: ContextNode): ErrorPlace {
  return { plugin: node.path, route: `${options.method} ${options.url}`, file: site.place };
}

/** Runs a step of the route's compilation; its errors get the location. */
export function withRoutePlace<T>(record: RouteRecord, node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw locateError(error, () => routePlace(record, node));
  }
}
