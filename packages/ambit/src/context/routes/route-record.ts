/** A declared route, kept with its context until boot compiles it into a plan. */

import type { RouteTarget } from '../../routing/router.ts';
import type { CallSite } from '../../shared/call-site.ts';
import type { Context } from '../../types/context.ts';
import type { RequestHook } from '../../types/hooks.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { Step } from '../boot/loader.ts';
import type { ContextSettings } from '../context-node.ts';
import type { AddedByHooks } from './call-route-hooks.ts';

/** The settings of a context that a route takes over before the next plugin loads. What the context sets later does not change the route. */
export type RouteContextSettings = {
  readonly [Name in 'errorHandler' | 'replySerializer' | 'formatProblems' | 'errorFormat']:
    | ContextSettings[Name]
    | undefined;
} & { readonly childLoggerFactory: ChildLoggerFactory<Context> };

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
  /** The functions that `onRoute` hooks have added to the options, each with its hook. */
  addedBy: AddedByHooks | undefined;
  /** The schema before boot completed it: what the route declared, or an `onRoute` hook put in its place. */
  declaredSchema: RouteSchema | undefined;
}

export interface NotFoundDetails {
  preValidation?: RequestHook | RequestHook[];
  preHandler?: RequestHook | RequestHook[];
  [detail: string]: unknown;
}
