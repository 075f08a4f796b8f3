/** Owns the shortcuts that declare routes: `app.get(url, details?, handler)`, one for each HTTP method. */
import { bodylessMethods, bodyMethods, parserMethods } from '../../shared/http-facts.ts';
import {
  AlreadyStarted,
  MethodInvalid,
  RouteHandlerDuplicated,
  RouteHandlerNotFunction,
  RouteOptionsNotObject,
  RouteUrlInvalid,
} from '../../types/errors.ts';
import type { Handler } from '../../types/hooks.ts';
import type { RouteDetails, RouteOptions } from '../../types/route-options.ts';
import { warnMethodRedefined } from '../../types/warnings.ts';
import type { ContextNode } from '../context-node.ts';
import { decorateContext } from '../decorators.ts';
import {
  type ContextMethods,
  changeContext,
  type Definition,
  define,
  nodeOf,
  withContextPlace,
} from '../definitions.ts';
import { checkObject, passes, typeOf } from '../options/check-options.ts';
import { addRoute } from './add-route.ts';

const usualMethods = [...bodylessMethods, ...bodyMethods];

/** The methods of contexts for routes. */
export const routeMethods: ContextMethods = {
  ...Object.fromEntries(usualMethods.map((method) => [method.toLowerCase(), makeShortcut(method)])),

  route(options: unknown) {
    addRoute(nodeOf(this), options as RouteOptions);
    return this;
  },

  all(url: unknown, details: unknown, handler: unknown) {
    return declareByShortcut(this, methodNames(nodeOf(this)), url, details, handler);
  },

  get supportedMethods() {
    return methodNames(nodeOf(this));
  },

  addHttpMethod(method, options) {
    const { hasBody = false, overrideExisting = false } = options ?? {};
    changeContext(this, 'addHttpMethod', (node) => supportMethod(node, method, hasBody, overrideExisting));
    const shortcut = method.toLowerCase();
    if (!(shortcut in this)) decorateContext(this, shortcut, makeShortcut(method), undefined);
    return this;
  },

  hasRoute(route) {
    const { app } = nodeOf(this);
    if (!passes(app.compatibility, () => checkObject(route, 'hasRoute'))) return false;
    const { method, url, constraints } = route;
    return app.router.has(method?.toUpperCase() ?? '', url || '', constraints);
  },

  findRoute(route) {
    const { app } = nodeOf(this);
    if (!passes(app.compatibility, () => checkObject(route, 'findRoute'))) return null;
    const { method, url, constraints } = route;
    return app.findRoute(method?.toUpperCase() ?? '', url || '', constraints);
  },

  printRoutes(options) {
    return nodeOf(this).app.printRoutes(options ?? {});
  },

  addConstraintStrategy(strategy) {
    changeContext(
      this,
      'addConstraintStrategy',
      (node) => {
        checkObject(strategy, 'addConstraintStrategy');
        const { name } = strategy;
        const isSame = (known: Definition): boolean =>
          known.kind === 'constraintStrategy' && known.name === name;
        // Strategies are those of the whole application: another plugin may have declared the first one.
        const nodes = [...nodeOf(node.app.root).descendants()];
        const owner = nodes.find(({ definitions }) => definitions.some(isSame)) ?? node;
        const add = (): void => node.app.router.addConstraint(strategy);
        define(node, 'constraintStrategy', name, strategy, add, isSame, owner);
      },
      () => new AlreadyStarted('Cannot add constraint strategy!'),
    );
  },

  hasConstraintStrategy(name) {
    return nodeOf(this).app.router.hasConstraint(name);
  },
};

/** All methods, those without a body first. */
function methodNames({ methods }: ContextNode): string[] {
  return [...methods.keys()].sort((a, b) => Number(methods.get(a)) - Number(methods.get(b)));
}

function supportMethod(node: ContextNode, method: string, hasBody: boolean, overrideExisting: boolean): void {
  // Node's parser refuses requests with other methods.
  if (typeof method !== 'string' || !parserMethods.has(method)) throw new MethodInvalid(String(method));
  const { app } = node;
  // In Fastify, a method that one context adds is one of the whole application.
  const owner = app.compatibility.messages === 'fastify' ? nodeOf(app.root) : node;
  if (owner.methods.has(method) && !overrideExisting) warnMethodRedefined(app.compatibility.messages, method);
  owner.addMethod(method, hasBody);
}

/** Shortcuts are properties like any other method: plugins replace and wrap them. */
function makeShortcut(method: string): unknown {
  return function shortcut(this: object, url: unknown, details: unknown, handler?: unknown) {
    return declareByShortcut(this, method, url, details, handler);
  };
}

function declareByShortcut<This extends object>(
  context: This,
  method: string | string[],
  url: unknown,
  details: unknown,
  handler: unknown,
): This {
  const node = nodeOf(context);
  addRoute(
    node,
    withContextPlace(node, () => readShortcut(method, url, details, handler)),
  );
  return context;
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
  if (handlerInDetails) throw new RouteHandlerNotFunction(name, url, 'handler', typeOf(handlerInDetails));
  return { ...(detailsOrHandler as RouteDetails), method, url, path: url, handler: handler as Handler };
}
