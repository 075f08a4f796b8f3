/** Owns the live options of a route: they are completed with settings of its context, and `onRoute` hooks may change them. */

import { isPlainObject } from '../../shared/plain-object.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { ContextNode } from '../context-node.ts';

/** Completes the options in place, because `onRoute` hooks keep the object, and what they change in it later must apply. */
export function completeOptions(node: ContextNode, options: RouteOptions, path: string): RegisteredRoute {
  const { prefix } = node;
  const url = prefix + path;
  const live = Object.assign(options, { url, path: url, routePath: path, prefix }) as RegisteredRoute;
  live.logLevel ||= node.setting('logLevel') ?? '';
  const inherited = node.setting('logSerializers');
  if (inherited !== undefined || live.logSerializers !== undefined) {
    live.logSerializers = { ...inherited, ...live.logSerializers };
  }
  live.attachValidation ??= false;
  if (!isPlainObject(live.constraints)) live.constraints = {};
  return live;
}

/** A key of the properties by which the router distinguishes routes. */
export function routerKeyOf({ method, url, constraints }: RegisteredRoute): string {
  return JSON.stringify([
    method,
    url,
    Object.entries(constraints ?? {}).map(([name, value]) => [name, String(value)]),
  ]);
}
