/** Finds the operations of a document: the routes of a context and its children, in an order that does not depend on registration. */
import { type Context, type DeclaredRoute, listRoutes } from 'ambit';
import type { Json } from '../json.ts';
import { type InheritedDetails, inheritedDetails } from '../route-details.ts';
import { type PathParameter, type PathTemplate, pathTemplates } from './path-template.ts';

/** One method of a route at one path. */
export interface DocumentedRoute {
  readonly route: DeclaredRoute;
  readonly method: string;
  readonly path: string;
  /** The names of the path parameters in the URL of the route. */
  readonly parameters: readonly PathParameter[];
  /** The names of the path parameters in the path of the document. */
  readonly names: readonly string[];
  readonly schema: Json;
  readonly inherited: InheritedDetails;
}

/** The options with which a route accepts WebSockets, beside plain requests (`wsHandler`) or only (`websocket`). */
export interface UpgradeOptions {
  readonly websocket?: unknown;
  readonly wsHandler?: unknown;
}

/** The methods for which path items have a field, in the order of the document. */
export const methodOrder: readonly string[] = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
  'QUERY',
];

export function documentedRoutes(context: Context): DocumentedRoute[] {
  const inheritedBy = new Map<Context, InheritedDetails>();
  const templatesBy = new Map<string, readonly PathTemplate[]>();
  const routes: SortableRoute[] = [];
  for (const route of listRoutes(context)) {
    if (route.isAutomatic) continue;
    const inherited = inheritedBy.get(route.context) ?? inheritedDetails(route.context);
    inheritedBy.set(route.context, inherited);
    const schema = (route.options.schema || {}) as Json;
    // `@fastify/websocket` hides such routes, too, but only those that are declared after it has loaded.
    if (schema.hide ?? ((route.options as UpgradeOptions).websocket === true || inherited.hide)) continue;
    const methods = typeof route.method === 'string' ? [route.method] : new Set(route.method);
    const templates = templatesBy.get(route.url) ?? pathTemplates(route.url);
    templatesBy.set(route.url, templates);
    for (const { path, shape, parameters, names } of templates) {
      for (const method of methods) {
        const sortKey = sortKeyOf(shape, path, method, route);
        routes.push({ route, method, path, parameters, names, schema, inherited, shape, sortKey });
      }
    }
  }
  routes.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0));
  return unifyParameterNames(routes);
}

interface SortableRoute extends DocumentedRoute {
  readonly shape: string;
  readonly sortKey: string;
}

function sortKeyOf(shape: string, path: string, method: string, { options }: DeclaredRoute): string {
  const index = methodOrder.indexOf(method);
  const order = String.fromCharCode(index === -1 ? methodOrder.length + 1 : index + 1);
  return `${shape}\0${path}\0${order}\0${method}\0${constraintsText(options.constraints)}`;
}

/** Constraints distinguish routes with the same URL; a route without constraints comes first. */
export function constraintsText(constraints: unknown): string {
  if (constraints === undefined) return '';
  const names = Object.keys(constraints ?? {});
  if (names.length === 0) return '';
  return JSON.stringify(names.sort().map((name) => [name, String((constraints as Json)[name])]));
}

/** For OpenAPI, `/notes/{id}` and `/notes/{key}` are the same path. The name of the first route is used. */
function unifyParameterNames(routes: readonly SortableRoute[]): DocumentedRoute[] {
  const firstOf = new Map<string, SortableRoute>();
  return routes.map((route) => {
    const first = firstOf.get(route.shape);
    if (first === undefined) firstOf.set(route.shape, route);
    if (first === undefined || first.path === route.path) return route;
    return { ...route, path: first.path, names: first.names };
  });
}
