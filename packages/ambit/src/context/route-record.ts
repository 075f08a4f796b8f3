/** A declared route, kept with its context until boot compiles it into a plan. */

import type { RequestHook } from '../contract/hooks.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import type { RouteTarget } from '../routing/router.ts';
import type { CallSite } from '../shared/call-site.ts';

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
}

export interface NotFoundDetails {
  preValidation?: RequestHook | RequestHook[];
  preHandler?: RequestHook | RequestHook[];
  [detail: string]: unknown;
}
