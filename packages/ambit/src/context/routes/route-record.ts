/** A declared route, kept with its context until boot compiles it into a plan. */

import type { RequestHook } from '../../contract/hooks.ts';
import type { RegisteredRoute } from '../../contract/route-info.ts';
import type { RouteOptions } from '../../contract/route-options.ts';
import type { RouteSchema } from '../../contract/route-schema.ts';
import type { RouteTarget } from '../../routing/router.ts';
import type { CallSite } from '../../shared/call-site.ts';
import type { BootStep } from '../boot/boot-step.ts';
import type { AddedByHooks } from './call-route-hooks.ts';

export interface RouteRecord {
  /** The live options, as `onRoute` hooks left them. */
  readonly options: RegisteredRoute;
  /** The URL pattern that it stands under in the router: of the two that `/` has under a prefix, its own. */
  url: string;
  /** The URL pattern that `request.routeOptions.url` shows. */
  publicUrl: string;
  readonly exposesHead: boolean;
  /** The HEAD route that goes with a GET route. */
  readonly isAutomatic: boolean;
  readonly target: RouteTarget;
  readonly site: CallSite;
  /** The step of boot that declared it. */
  readonly step: BootStep;
  /** The options as they were declared, where `onRoute` hooks may have changed them. */
  readonly declared: RouteOptions | undefined;
  /** What `onRoute` hooks have added to the options, and which of them. */
  addedBy: AddedByHooks | undefined;
  /** The schema before boot completed it: what the route declared, or an `onRoute` hook put in its place. */
  declaredSchema: RouteSchema | undefined;
}

export interface NotFoundDetails {
  preValidation?: RequestHook | RequestHook[];
  preHandler?: RequestHook | RequestHook[];
  [detail: string]: unknown;
}
