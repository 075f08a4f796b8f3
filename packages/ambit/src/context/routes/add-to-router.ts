/** Adds routes to the router, and adds all of them again when an `onRoute` hook has changed the method or URL of one. */
import { RouteDuplicated, RouteInvalid } from '../../contract/errors.ts';
import { isDuplicate, type Router } from '../../routing/router.ts';
import { type ErrorPlace, withErrorPlace } from '../../shared/error-place.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import type { RouteRecord } from './route-record.ts';

/**
 * @returns Whether the route was added. An automatic HEAD route is not, if there is a declared one.
 * @throws {RouteDuplicated} {RouteInvalid}
 */
export function addToRouter(router: Router, record: RouteRecord): boolean {
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

/** Empties the router and adds the routes of all contexts again: find-my-way would also rebuild everything to remove one route. */
export function rebuildRouter({ app }: ContextNode): void {
  app.router.clear();
  for (const node of nodeOf(app.root).descendants()) {
    const declared = node.routes.splice(0);
    for (const record of declared) if (addAgain(node, record)) node.routes.push(record);
  }
}

function addAgain(node: ContextNode, record: RouteRecord): boolean {
  const where = (): ErrorPlace => {
    const route = `${[record.options.method].flat().join(',')} ${record.url}`;
    return { plugin: node.path, route, file: record.site.location };
  };
  return withErrorPlace(() => addToRouter(node.app.router, record), where, node.app.translateError);
}
