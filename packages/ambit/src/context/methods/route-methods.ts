/** The methods of contexts for routes; the shortcuts (`get`, `post`, …) are in `route-shortcuts.ts`. */
import { AlreadyStarted } from '../../types/errors.ts';
import type { Handler } from '../../types/hooks.ts';
import type { FoundRoute, PrintRoutesOptions, RouteQuery } from '../../types/route-info.ts';
import type { ConstraintStrategy, RouteOptions } from '../../types/route-options.ts';
import { changeContext } from '../change-context.ts';
import { setNotFoundHandler } from '../closest-not-found-handler.ts';
import { nodeOf } from '../context-node.ts';
import { decorateContext } from '../decorators.ts';
import { checkObject, passes } from '../options/check-options.ts';
import { type Definition, declareOnce, define } from '../recorded-definitions.ts';
import { addRoute } from '../routes/add-route.ts';
import { declareByShortcut, makeShortcut, supportMethod } from '../routes/route-shortcuts.ts';
import type { ContextMethods } from './context-methods.ts';

export const routeMethods: ContextMethods = {
  route(options: RouteOptions): object {
    addRoute(nodeOf(this), options);
    return this;
  },

  all(url: unknown, details: unknown, handler?: unknown): object {
    return declareByShortcut(this, nodeOf(this).methods.names, url, details, handler);
  },

  get supportedMethods(): string[] {
    return nodeOf(this).methods.names;
  },

  addHttpMethod(method: string, options?: { hasBody?: boolean; overrideExisting?: boolean } | null): object {
    const { hasBody = false, overrideExisting = false } = options ?? {};
    changeContext(this, 'addHttpMethod', (node) => supportMethod(node, method, hasBody, overrideExisting));
    const shortcut = method.toLowerCase();
    if (!(shortcut in this)) decorateContext(this, shortcut, makeShortcut(method), undefined);
    return this;
  },

  hasRoute(route: RouteQuery): boolean {
    const { app } = nodeOf(this);
    if (!passes(app.compatibility, () => checkObject(route, 'hasRoute'))) return false;
    const { method, url, constraints } = route;
    return app.router.has(method?.toUpperCase() ?? '', url || '', constraints);
  },

  findRoute(route: RouteQuery): FoundRoute | null {
    const { app } = nodeOf(this);
    if (!passes(app.compatibility, () => checkObject(route, 'findRoute'))) return null;
    const { method, url, constraints } = route;
    return app.findRoute(method?.toUpperCase() ?? '', url || '', constraints);
  },

  printRoutes(options?: PrintRoutesOptions | null): string {
    return nodeOf(this).app.printRoutes(options ?? {});
  },

  addConstraintStrategy(strategy: ConstraintStrategy): void {
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
        declareOnce(owner, isSame, () => node.app.router.addConstraint(strategy));
        define(node, 'constraintStrategy', name, strategy);
      },
      () => new AlreadyStarted('Cannot add constraint strategy!'),
    );
  },

  hasConstraintStrategy(name: string): boolean {
    return nodeOf(this).app.router.hasConstraint(name);
  },

  setNotFoundHandler(detailsOrHandler?: unknown, handler?: Handler): object {
    return changeContext(this, 'setNotFoundHandler', (node) =>
      setNotFoundHandler(node, detailsOrHandler, handler),
    );
  },
};
