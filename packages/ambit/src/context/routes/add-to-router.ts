/** Adds routes to the router, and adds all of them again when an `onRoute` hook has changed the method or URL of one. */

import { isDuplicate } from '../../routing/router.ts';
import {
  addFirst,
  type DeclarationPlace,
  type ErrorPlace,
  withErrorPlace,
} from '../../shared/error-place.ts';
import { RouteDuplicated, RouteInvalid } from '../../types/errors.ts';
import type { AppState } from '../app-state.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import type { RouteRecord } from './route-record.ts';

/**
 * @returns Whether the route was added. An automatic HEAD route is not, if there is a declared one.
 * @throws {RouteDuplicated} {RouteInvalid}
 */
export function addToRouter({ app }: ContextNode, record: RouteRecord): boolean {
  const { router } = app;
  const { options, url, target, isAutomatic } = record;
  const methods = [options.method].flat();
  try {
    router.add(options.method, url, options.constraints ?? {}, target);
    return true;
  } catch (error) {
    if (!isDuplicate(error, methods)) throw RouteInvalid.at({ cause: error }, (error as Error).message);
    if (isAutomatic) return false;
    const duplicated = RouteDuplicated.at({ cause: error }, methods.join(','), url);
    addFirst(duplicated, firstDeclaration(app, record, methods));
    throw duplicated;
  }
}

/** Finds the route that has the URL already. It may have been declared by another context, or for more methods. */
function firstDeclaration(
  { root, router }: AppState,
  { url, options }: RouteRecord,
  methods: readonly string[],
): DeclarationPlace | undefined {
  const stores = methods.map((method) => router.findDeclared(method, url, options.constraints)?.store);
  for (const node of nodeOf(root).descendants()) {
    const first = node.routes.find(({ target }) => stores.includes(target));
    if (first !== undefined) return { plugin: node.path, file: first.site.location };
  }
  return undefined;
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
  return withErrorPlace(() => addToRouter(node, record), where, node.app.translateError);
}
