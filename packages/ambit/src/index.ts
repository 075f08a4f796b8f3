/** The public API of `ambit`. */
// The types for which Fastify's plugins are written, if `fastify` is not installed. The build creates the file from the facade's
// declarations.
/// <reference path="../types/fastify.d.cts" preserve="true" />
import { createRequire } from 'node:module';
import { nodeOf } from './context/definitions.ts';
import { loadJsonSchema } from './schemas/schema-registry.ts';
import { lazyModule } from './shared/lazy-module.ts';
import type { Context } from './types/context.ts';
import type { CloseOnSignalsOptions } from './types/options.ts';
import type { Reply } from './types/reply.ts';
import type { Request } from './types/request.ts';
import type { RouteSchema } from './types/route-schema.ts';

const require = createRequire(import.meta.url);

const loadSignals = lazyModule<typeof import('./context/closing/close-on-signals.ts')>(() =>
  require('./context/closing/close-on-signals.ts'),
);
const loadDescriptions = lazyModule<typeof import('./schemas/standard-schemas.ts')>(() =>
  require('./schemas/standard-schemas.ts'),
);

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
  return nodeOf(app).app.closing().drain(graceMs);
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
  const { expandShortForm, plainSchema } = loadJsonSchema();
  return expandShortForm(plainSchema(schema));
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

export type { StandardIssue, StandardResult, StandardSchema } from '@ambit/json-schema';
export type {
  InferFields,
  InferInput,
  InferReceived,
  InferReply,
  Jsonified,
} from '@ambit/json-schema/infer';
export type { CodeFrame, ErrorReport, ReadableLog, ReadableLogOptions } from '@ambit/readable';
export { ambit } from './app.ts';
export { type HoistOptions, hoist, plugin } from './context/boot/plugins.ts';
// Interfaces that applications augment (`declare module 'ambit'`) must be exported by `export type *`, because the compiler only merges
// those.
export { recordDeclarationSites } from './context/definitions.ts';
export {
  listAfterListeners,
  listCompiledSchemas,
  listContexts,
  listPlugins,
  listRoutes,
  listSteps,
  overloadState,
  watchRequests,
  watchSerialization,
} from './context/inspection/inspect.ts';
export type { ErrorPlace } from './shared/call-site.ts';
export type { CodedError } from './shared/define-error.ts';
export { nearestName } from './shared/nearest-name.ts';
export { readableLog, reportError } from './shared/readable.ts';
export type {
  EntriesOf,
  Prefixed,
  RouteEntry,
  RoutesOf,
  RouteTable,
  RouteThunk,
} from './types/calls.ts';
export type * from './types/compilers.ts';
export type * from './types/context.ts';
export type { RouteShortcut, WithRoute } from './types/context-routes.ts';
export type { Accessor, MethodOf } from './types/context-settings.ts';
export type * from './types/context-types.ts';
export * as errors from './types/errors.ts';
export type {
  HealthOptions,
  OverloadOptions,
  OverloadState,
  Priority,
  ReadinessCheckFunction,
  ReadinessCheckOptions,
  RouteOverloadOptions,
} from './types/feature-options.ts';
export type { Compatibility, Flavor, Interceptors } from './types/flavor.ts';
export type { HandlerResult, Replied } from './types/handler-result.ts';
export type * from './types/hooks.ts';
export type * from './types/inject.ts';
export type * from './types/inspection.ts';
export { LogController, type LogControllerOptions } from './types/log-controller.ts';
export type * from './types/logger.ts';
export type * from './types/multipart.ts';
export type {
  AmbitOptions,
  CloseOnSignalsOptions,
  CloseOptions,
  ListenOptions,
  RouterOptions,
} from './types/options.ts';
export type {
  HoistedPlugin,
  MarkedPlugin,
  Plugin,
  PluginFunction,
  PluginMetadata,
  PluginResultTypes,
  Provides,
  RegisterOptions,
} from './types/plugins.ts';
export {
  defineProblem,
  type ErrorFormat,
  type ProblemClass,
  type ProblemDefinition,
  type ProblemDetails,
  type ProblemError,
  type ProblemItem,
  type ProblemMembers,
} from './types/problems.ts';
export type * from './types/reply.ts';
export type * from './types/request.ts';
export type * from './types/route-info.ts';
export type * from './types/route-options.ts';
export type * from './types/route-schema.ts';
export type {
  AllowedResponses,
  Empty,
  InferOutput,
  InferredRoute,
  PartOf,
  RouteSchemaShape,
  RouteSource,
  RouteTypes,
} from './types/route-types.ts';
