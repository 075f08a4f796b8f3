/** What boot knows of a declared route, and which settings of its context it takes, and when. */
import type { RouteTarget } from '../../routing/router.ts';
import type { CallSite } from '../../shared/call-site.ts';
import type { Context } from '../../types/context.ts';
import type { Origin } from '../../types/inspection.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { Step } from '../boot/loader.ts';
import { type ContextNode, type ContextSettings, childLoggerFactoryOf } from '../context-node.ts';

export interface RouteRecord {
  /** The live options, as `onRoute` hooks left them. */
  readonly options: RegisteredRoute;
  /** Its URL pattern in the router. The URL `/` under a prefix has two patterns, and a record for each. */
  url: string;
  /** The URL pattern that `request.routeOptions.url` shows. */
  publicUrl: string;
  readonly exposesHead: boolean;
  /** The HEAD route that goes with a GET route. */
  readonly isAutomatic: boolean;
  readonly target: RouteTarget;
  readonly site: CallSite;
  /** The step of boot that declared it. */
  readonly step: Step;
  /** The options as they were declared, if `onRoute` hooks may have changed them. */
  readonly declared: RouteOptions | undefined;
  /** The settings that it has taken from its context; `undefined` while what was registered before it has not loaded. */
  settings: RouteContextSettings | undefined;
  /** The functions that `onRoute` hooks have added to the options, each with the hook's line and plugin, if a tool has asked for them. */
  addedBy: Map<unknown, Origin> | undefined;
  /** The schema before boot completed it: what the route declared, or an `onRoute` hook put in its place. */
  declaredSchema: RouteSchema | undefined;
}

/** The settings of a context that a route takes over before the next plugin loads. What the context sets later does not change the route. */
export type RouteContextSettings = {
  readonly [Name in 'errorHandler' | 'replySerializer' | 'formatProblems' | 'errorFormat']:
    | ContextSettings[Name]
    | undefined;
} & { readonly childLoggerFactory: ChildLoggerFactory<Context> };

interface UnsetRoute {
  readonly node: ContextNode;
  readonly record: RouteRecord;
  /** The factory that its context had when the route was declared. */
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
}

const unset: RouteBatches<UnsetRoute> = new WeakMap();

/** Sets the settings of a route, once everything that was registered so far has loaded. */
export function takeSettingsLater(node: ContextNode, record: RouteRecord): void {
  const { boot } = node.app;
  const route = { node, record, childLoggerFactory: childLoggerFactoryOf(node) };
  addToBatch(unset, boot.step, route, (routes) =>
    boot.whenLoadedSoFar(() => {
      for (const { node, record, childLoggerFactory } of routes()) {
        const isOfDeclaration = node.app.compatibility.childLoggerFactoryFrom === 'declaration';
        record.settings = settingsOf(node, isOfDeclaration ? childLoggerFactory : undefined);
      }
    }),
  );
}

/** The settings that a route takes now. Routes with the same settings share the object. */
export function settingsOf(
  node: ContextNode,
  childLoggerFactory: ChildLoggerFactory<Context> = childLoggerFactoryOf(node),
): RouteContextSettings {
  const settings: RouteContextSettings = {
    errorHandler: node.setting('errorHandler'),
    replySerializer: node.setting('replySerializer'),
    formatProblems: node.setting('formatProblems'),
    errorFormat: node.setting('errorFormat'),
    childLoggerFactory,
  };
  const last = node.takenSettings;
  const names = Object.keys(settings) as (keyof RouteContextSettings)[];
  if (last !== undefined && names.every((name) => last[name] === settings[name])) return last;
  node.takenSettings = settings;
  return settings;
}

/** Routes that one step of boot declares without a call of `register` or `after` between them: they are completed together. */
interface Batch<Route> {
  readonly routes: Route[];
  /** How many steps were registered when the batch was created. A route that is declared after a further step needs another batch. */
  end: number;
}

/** The batch of each step to which routes may still be added. */
export type RouteBatches<Route> = WeakMap<Step, Batch<Route>>;

/** @param schedule Called for the first route of a batch. It gets a function that ends the batch, and returns its routes. */
export function addToBatch<Route>(
  batches: RouteBatches<Route>,
  step: Step,
  route: Route,
  schedule: (endBatch: () => readonly Route[]) => void,
): void {
  const last = batches.get(step);
  if (last?.end === step.added) {
    last.routes.push(route);
    return;
  }
  const batch: Batch<Route> = { routes: [route], end: 0 };
  schedule(() => {
    if (batches.get(step) === batch) batches.delete(step);
    return batch.routes;
  });
  batch.end = step.added;
  batches.set(step, batch);
}
