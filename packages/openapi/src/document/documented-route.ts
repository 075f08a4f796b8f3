/** Finds the operations of a document: the routes of a context and below it, in an order that does not depend on registration. */
import { type Context, type DeclaredRoute, listRoutes } from 'ambit';
import type { Json } from '../json.ts';
import { detailsFor } from '../route-details.ts';
import { type InheritedDetails, mergeDetails } from './context-details.ts';
import { type PathParameter, pathTemplates, shapeOf } from './path-template.ts';

/** One method of a route at one path. */
export interface DocumentedRoute {
  readonly route: DeclaredRoute;
  readonly method: string;
  readonly path: string;
  /** The parameters of the path, as the route calls them. */
  readonly parameters: readonly PathParameter[];
  readonly schema: Json;
  readonly inherited: InheritedDetails;
}

/** The methods that path items have fields for, in the order of documents. */
const methodOrder = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'];

export function documentedRoutes(context: Context): DocumentedRoute[] {
  const inheritedBy = new Map<Context, InheritedDetails>();
  const found: (DocumentedRoute & { sortKey: string })[] = [];
  for (const route of listRoutes(context)) {
    if (route.isAutomatic) continue;
    const inherited = inheritedBy.get(route.context) ?? mergeDetails(detailsFor(route.context));
    inheritedBy.set(route.context, inherited);
    const schema = (route.options.schema || {}) as Json;
    if (schema.hide ?? inherited.hide) continue;
    for (const template of pathTemplates(route.url)) {
      for (const method of new Set([route.method].flat()))
        found.push({
          route,
          method,
          ...template,
          schema,
          inherited,
          sortKey: sortKeyOf(template.path, method, route),
        });
    }
  }
  found.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0));
  return withOneNameAPath(found);
}

function sortKeyOf(path: string, method: string, { options }: DeclaredRoute): string {
  const place = methodOrder.indexOf(method);
  const order = String.fromCharCode(place === -1 ? methodOrder.length + 1 : place + 1);
  return [shapeOf(path), path, order, method, constraintsText(options.constraints)].join('\u0000');
}

/** Routes of one URL are told apart by these; a route without comes first. */
export function constraintsText(constraints: unknown): string {
  const names = Object.keys(constraints ?? {});
  if (names.length === 0) return '';
  return JSON.stringify(names.sort().map((name) => [name, String((constraints as Json)[name])]));
}

/** `/notes/{id}` and `/notes/{key}` are one path to OpenAPI: the first name counts. */
function withOneNameAPath(routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  const pathOf = new Map<string, string>();
  return routes.map((route) => {
    const shape = shapeOf(route.path);
    const path = pathOf.get(shape) ?? route.path;
    pathOf.set(shape, path);
    return path === route.path ? route : { ...route, path };
  });
}

/** The names of the parameters in a path, in order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
}
