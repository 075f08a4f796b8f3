/** Lists the routes of a context and everything below it, for plugins that describe an application: documentation, clients, tools. */

import { defaultDialect } from '@ambit/json-schema';
import type { ErrorPlace } from '../../shared/error-place.ts';
import type { SchemaDialect } from '../../types/compilers.ts';
import type { Context } from '../../types/context.ts';
import type { DeclaredRoute, RegisteredRoute } from '../../types/route-info.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import type { RouteRecord } from '../routes/route-record.ts';
import { settingsOf } from '../routes/take-settings.ts';
import { placeOf } from './list-plugins.ts';

/** See `inspect.ts`. */
export function listRoutes(context: Context): DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  for (const node of nodeOf(context).descendants()) {
    const listed = new Set<RegisteredRoute>();
    for (const record of node.routes) {
      // A prefix with and without its slash is one route at two URLs.
      if (listed.has(record.options)) continue;
      listed.add(record.options);
      routes.push(new ListedRoute(record, node));
    }
  }
  return routes;
}

/** The record of a route that `listRoutes` returned. */
export function recordOf(route: DeclaredRoute): RouteRecord {
  return (route as ListedRoute).record;
}

class ListedRoute implements DeclaredRoute {
  readonly url: string;
  readonly method: string | string[];
  readonly options: RegisteredRoute;
  readonly context: Context;
  readonly isAutomatic: boolean;
  readonly #record: RouteRecord;
  readonly #node: ContextNode;

  constructor(record: RouteRecord, node: ContextNode) {
    this.url = record.publicUrl;
    this.method = record.options.method;
    this.options = record.options;
    this.context = node.api;
    this.isAutomatic = record.isAutomatic;
    this.#record = record;
    this.#node = node;
  }

  get record(): RouteRecord {
    return this.#record;
  }

  get dialect(): SchemaDialect {
    return this.#node.app.options.ajv.dialect ?? defaultDialect;
  }

  get hasErrorHandler(): boolean {
    const { errorHandler } = this.#record.settings ?? settingsOf(this.#node);
    return (this.options.errorHandler ?? errorHandler) !== undefined;
  }

  // Made on demand: the file is read from a stack trace.
  get where(): ErrorPlace {
    const route = `${[this.method].flat().join(',')} ${this.url}`;
    return { plugin: this.#node.path, route, file: placeOf(this.#record.site) };
  }
}
