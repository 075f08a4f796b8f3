/** Puts declared routes into the router, once, or all of them anew where an `onRoute` hook has moved some. */
import { RouteDuplicated, RouteInvalid } from '../contract/errors.ts';
import { isDuplicate, type Router } from '../routing/router.ts';
import { locateError } from '../shared/define-error.ts';
import { type ContextNode, nodeOf } from './context-node.ts';
import type { RouteRecord } from './route-record.ts';

/**
 * @returns Whether it is there: a HEAD route that was added by itself gives way to one that was declared.
 * @throws {RouteDuplicated} {RouteInvalid}
 */
export function placeRoute(router: Router, record: RouteRecord): boolean {
  const { options, url, target, isAutomatic } = record;
  const methods = [options.method].flat();
  try {
    router.add(options.method, url, options.constraints ?? {}, target);
    return true;
  } catch (error) {
    if (!isDuplicate(error, methods)) throw RouteInvalid.at({ cause: error }, (error as Error).message);
    if (isAutomatic) return false;
    throw RouteDuplicated.at({ cause: error }, methods.join(','), url);
  }
}

/** Places the routes of all contexts anew, in one go: the router rebuilds everything for each route that is taken out. */
export function replaceRoutes({ app }: ContextNode): void {
  app.router.clear();
  for (const node of nodeOf(app.root).descendants()) {
    const declared = node.routes.splice(0);
    for (const record of declared) if (placeLocated(node, record)) node.routes.push(record);
  }
}

function placeLocated(node: ContextNode, record: RouteRecord): boolean {
  try {
    return placeRoute(node.app.router, record);
  } catch (error) {
    const route = `${[record.options.method].flat().join(',')} ${record.url}`;
    throw locateError(error, () => ({ plugin: node.path, route, file: record.site.place }));
  }
}
