/** The location of an error in a route: its plugin, the route, and the line that declared it. */
import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import { type ErrorPlace, locateError } from '../shared/error-place.ts';

export function routeErrorPlace({ options, site }: RouteRecord, node: ContextNode): ErrorPlace {
  return { plugin: node.path, route: `${options.method} ${options.url}`, file: site.location };
}

/** Runs a step of the route's compilation, and adds the location to its errors. */
export function withRouteErrorPlace<T>(record: RouteRecord, node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw locateError(error, () => routeErrorPlace(record, node));
  }
}
