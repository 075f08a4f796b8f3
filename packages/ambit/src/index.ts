/** The public API of `ambit`. */
// The types for which Fastify's plugins are written, if `fastify` is not installed. The build creates the file from the facade's
// declarations.
/// <reference path="../types/fastify.d.cts" preserve="true" />
import { createApp } from './app.ts';
import { nodeOf } from './context/context-node.ts';
import type { CloseOnSignalsOptions } from './contract/closing.ts';
import type { Context } from './contract/context.ts';
import type { Flavor } from './contract/facade.ts';
import type { AmbitOptions } from './contract/options.ts';
import type { Reply } from './contract/reply.ts';
import type { Request } from './contract/request.ts';
import type { RouteSchema } from './contract/route-schema.ts';
import { plainSchema } from './schemas/fluent-schema.ts';
import { lazyModule, require } from './shared/lazy-module.ts';

const loadSignals = lazyModule<typeof import('./context/closing/close-on-signals.ts')>(() =>
  require('./context/closing/close-on-signals.ts'),
);
const loadShortForm = lazyModule<typeof import('./schemas/short-form.ts')>(() =>
  require('./schemas/short-form.ts'),
);
const loadDescriptions = lazyModule<typeof import('./schemas/describe-schemas.ts')>(() =>
  require('./schemas/describe-schemas.ts'),
);

/**
 * Creates an application.
 *
 * @param options Every option has a default.
 * @param flavor For facades: the name, version and compatibility of the application.
 * @returns The root context.
 * @throws {AMBIT_ERR_UNKNOWN_OPTION} for an option that does not exist, with the nearest name that does.
 * @throws {FST_ERR_INIT_OPTS_INVALID} for an option whose value is wrong; some options have codes of their own.
 */
export function ambit(options?: AmbitOptions, flavor?: Flavor): Context {
  return createApp(options, flavor) as Context;
}

/**
 * Creates a reply to a request that the application has not received itself, for example in a middleware.
 *
 * @param app The application.
 * @param rawRequest Node's request object.
 * @param rawResponse Node's response object.
 * @returns A reply like those of the root's routes, without hooks. The root's error handlers answer errors.
 */
export function replyTo(app: Context, rawRequest: Request['raw'], rawResponse: Reply['raw']): Reply {
  return nodeOf(app).app.replyTo(rawRequest, rawResponse);
}

/**
 * Compiles the schemas of an application, in a build. It boots the application, and does not close it. In production, pass the module as
 * the option `compiled`.
 *
 * @param app The application.
 * @returns The text of an ES module that imports nothing: the validators and serializers of the default compilers.
 * @throws The first error of boot.
 */
export async function compileSchemas(app: Context): Promise<string> {
  return nodeOf(app).app.compileSchemas();
}

/**
 * Stops accepting connections, and continues to serve those that are open: the next response of each announces that its connection ends.
 * Call it before `close`. Without it, `close()` rejects requests of open connections with 503. After it, requests that still arrive are
 * served. With HTTP/2, only new connections are rejected.
 *
 * @param app The application.
 * @param graceMs Longest wait in milliseconds for connections without a request. Default 1,000.
 * @returns A promise that resolves when no connection is left, or after `graceMs`.
 */
export function drain(app: Context, graceMs = 1_000): Promise<void> {
  return nodeOf(app).app.drain(graceMs);
}

/**
 * Tells whether an application has begun to stop. It may still serve requests. From then on, the health check for load balancers must fail,
 * so that they send new requests elsewhere.
 *
 * @param app The application.
 * @returns `true` once `drain` or `close` was called.
 */
export function isStopping(app: Context): boolean {
  return nodeOf(app).app.server.isStopping;
}

/**
 * Closes an application when the process gets a signal, and then ends the process: with exit code 0, or with 1 if requests were cut off or
 * a hook failed. `SIGINT` (Ctrl-C) closes without the delay. A second signal ends the process at once. An uncaught exception is logged and
 * closes the application without the delay, with exit code 1; a second one ends the process at once. A worker of `node:cluster` passes
 * connections that it has not accepted yet back to the main process.
 *
 * @param app The application.
 * @param options The times of `close`, and the signals.
 * @returns A function that removes all listeners.
 * @throws {AMBIT_ERR_CLOSE_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
 */
export function closeOnSignals(app: Context, options: CloseOnSignalsOptions = {}): () => void {
  return loadSignals().closeOnSignals(app, options);
}

/**
 * Returns a schema as the framework reads it: the JSON Schema in a builder of fluent-json-schema, and the short form in full.
 *
 * @param schema A schema of a route.
 * @returns The full schema. Any other schema is returned as it is.
 */
export function expandSchema(schema: unknown): unknown {
  return loadShortForm().expandShortForm(plainSchema(schema));
}

/**
 * Replaces each Standard Schema in a route's schemas by its JSON Schema (draft 7): of the input for the parts of a request, of the output
 * for responses.
 *
 * @param schema The option `schema` of a route.
 * @returns A copy. A Standard Schema that has no JSON Schema becomes `{}`, which accepts any value.
 */
export function describeSchemas(schema: RouteSchema): RouteSchema {
  return loadDescriptions().describeSchemas(schema);
}

export { type HoistOptions, hoist } from './context/boot/hoist.ts';
export { plugin } from './context/boot/plugin.ts';
export {
  listAfterListeners,
  listCompiledSchemas,
  listContexts,
  listPlugins,
  listRoutes,
  listSteps,
} from './context/inspection/inspect.ts';
export { watchRequests, watchSerialization } from './context/inspection/watch.ts';
export { overloadState } from './context/overload-state.ts';
// Interfaces that applications augment (`declare module 'ambit'`) must be exported by `export type *`, because the compiler only merges
// those.
export { recordDeclarationSites } from './context/recorded-definitions.ts';
export type { CloseOnSignalsOptions, CloseOptions } from './contract/closing.ts';
export type { Compatibility } from './contract/compatibility.ts';
export type * from './contract/compiler.ts';
export type * from './contract/compiler-options.ts';
export type { RouteShortcut, WithRoute } from './contract/context/route-methods.ts';
export type * from './contract/context.ts';
export type * from './contract/context-types.ts';
export type { Accessor, MethodOf } from './contract/decorators.ts';
export {
  defineProblem,
  type ProblemClass,
  type ProblemDefinition,
  type ProblemError,
  type ProblemMembers,
} from './contract/define-problem.ts';
export * as errors from './contract/errors.ts';
export type { Flavor, Interceptors } from './contract/facade.ts';
export type { HandlerResult, Replied } from './contract/handler-result.ts';
export type * from './contract/handlers.ts';
export type * from './contract/health.ts';
export type * from './contract/hooks.ts';
export type {
  InferFields,
  InferInput,
  InferOutput,
  InferReceived,
  InferReply,
} from './contract/infer-schema/infer-schema.ts';
export type { Jsonified } from './contract/infer-schema/jsonified.ts';
export type * from './contract/inject.ts';
export type * from './contract/inject-options.ts';
export type * from './contract/inspected-schemas.ts';
export type * from './contract/inspected-steps.ts';
export type * from './contract/inspection.ts';
export type { RoutesOf } from './contract/known-routes.ts';
export { LogController, type LogControllerOptions } from './contract/log-controller.ts';
export type * from './contract/logger.ts';
export type * from './contract/logger-options.ts';
export type * from './contract/multipart.ts';
export type { AmbitOptions, RouterOptions } from './contract/options.ts';
export type {
  OverloadOptions,
  OverloadState,
  Priority,
  RouteOverloadOptions,
} from './contract/overload.ts';
export type * from './contract/parsers.ts';
export type { MarkedPlugin, PluginMetadata } from './contract/plugin-metadata.ts';
export type { ErrorFormat, ProblemDetails, ProblemItem } from './contract/problem.ts';
export type {
  HoistedPlugin,
  Plugin,
  PluginFunction,
  PluginResultTypes,
  Provides,
  RegisterOptions,
} from './contract/registration.ts';
export type * from './contract/reply.ts';
export type * from './contract/request.ts';
export type { AllowedResponses } from './contract/response-types.ts';
export type * from './contract/route-constraints.ts';
export type * from './contract/route-info.ts';
export type * from './contract/route-options.ts';
export type * from './contract/route-schema.ts';
export type * from './contract/route-table.ts';
export type {
  Empty,
  InferredRoute,
  PartOf,
  RouteSchemaShape,
  RouteSource,
  RouteTypes,
} from './contract/route-types.ts';
export type { ListenOptions } from './contract/server.ts';
export type * from './contract/tracing.ts';
export type * from './contract/typed-inject.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './schemas/standard-schema.ts';
export type { CodedError } from './shared/coded-error.ts';
export type { ErrorPlace } from './shared/error-place.ts';
export { nearestName } from './shared/nearest-name.ts';
