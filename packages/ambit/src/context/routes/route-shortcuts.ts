/** Owns the shortcuts that declare routes: `app.get(url, details?, handler)`, one for each HTTP method. */

import { bodylessMethods, bodyMethods, parserMethods } from '../../shared/http-facts.ts';
import {
  MethodInvalid,
  RouteHandlerDuplicated,
  RouteHandlerNotFunction,
  RouteOptionsNotObject,
  RouteUrlInvalid,
} from '../../types/errors.ts';
import type { Handler } from '../../types/hooks.ts';
import type { RouteDetails, RouteOptions } from '../../types/route-options.ts';
import { warnMethodRedefined } from '../../types/warnings.ts';
import { withLocation } from '../change-context.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import { addRoute } from './add-route.ts';

export type Shortcut = (this: object, url: unknown, details: unknown, handler?: unknown) => object;

/** Shortcuts are properties like any other method: plugins replace and wrap them. */
export function makeShortcut(method: string): Shortcut {
  return function shortcut(url, details, handler) {
    return declareByShortcut(this, method, url, details, handler);
  };
}

export function declareByShortcut<This extends object>(
  context: This,
  method: string | string[],
  url: unknown,
  details: unknown,
  handler: unknown,
): This {
  const node = nodeOf(context);
  const options = withLocation(node, () => readShortcut(method, url, details, handler));
  addRoute(node, options);
  return context;
}

/** Puts the shortcuts of the usual methods on the prototype of contexts. */
export function installShortcuts(prototype: object): void {
  for (const method of [...bodylessMethods, ...bodyMethods]) {
    Object.defineProperty(prototype, method.toLowerCase(), {
      value: makeShortcut(method),
      writable: true,
      configurable: true,
    });
  }
}

/** @throws {MethodInvalid} when node's parser does not know the method. */
export function supportMethod(
  node: ContextNode,
  method: string,
  hasBody: boolean,
  overrideExisting: boolean,
): void {
  if (typeof method !== 'string' || !parserMethods.has(method)) throw new MethodInvalid();
  const { app } = node;
  // In Fastify, a method that one context adds is one of the whole application.
  const { methods } = app.compatibility.messages === 'fastify' ? nodeOf(app.root) : node;
  if (methods.has(method) && !overrideExisting) warnMethodRedefined(app.compatibility.messages, method);
  methods.add(method, hasBody);
}

/** Turns the arguments of a shortcut into the options of a route. */
function readShortcut(
  method: string | string[],
  url: unknown,
  detailsOrHandler: unknown,
  handler: unknown,
): RouteOptions {
  if (typeof url !== 'string') throw new RouteUrlInvalid(typeof url);
  const name = String(method);
  if (typeof handler !== 'function') {
    const details = typeof detailsOrHandler === 'function' ? { handler: detailsOrHandler } : detailsOrHandler;
    return { ...(details as RouteDetails & { handler: Handler }), method, url, path: url };
  }
  if (Object.prototype.toString.call(detailsOrHandler) !== '[object Object]') {
    throw new RouteOptionsNotObject(name, url);
  }
  const { handler: handlerInDetails } = detailsOrHandler as { handler?: unknown };
  if (typeof handlerInDetails === 'function') throw new RouteHandlerDuplicated(name, url);
  if (handlerInDetails) throw new RouteHandlerNotFunction(name, url);
  return { ...(detailsOrHandler as RouteDetails), method, url, path: url, handler: handler as Handler };
}
