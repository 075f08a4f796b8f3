/** The type of the option `config` of a route. */
import type { FastifyRouteConfig } from './route.cjs';
import type { ContextConfigDefault } from './utils.cjs';

/** Augment this interface to declare properties of `config` that plugins read. */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be augmented.
export interface FastifyContextConfig {}

/** @deprecated Read `request.routeOptions.config`. */
export interface FastifyRequestContext<ContextConfig = ContextConfigDefault> {
  /** The option `config` of the route. */
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig;
}

/** @deprecated Read `reply.routeOptions.config`. */
export interface FastifyReplyContext<ContextConfig = ContextConfigDefault> {
  /** The option `config` of the route. */
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig;
}
