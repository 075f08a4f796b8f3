/** Compiles one route into its plan. */

import type { AppState } from '../context/app-state.ts';
import { notFoundOf } from '../context/closest-not-found-handler.ts';
import type { ContextNode } from '../context/context-node.ts';
import { rejectGenerator } from '../context/options/check-options.ts';
import { ownOption } from '../context/routes/check-route-options.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { RouteAdmission } from '../runtime/overload/route-admission.ts';
import { makeUndeclaredWarning, refuseUndeclared } from '../runtime/undeclared-responses.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { isAsyncGeneratorFunction } from '../shared/thenable.ts';
import type { Plan, StreamSettings } from '../types/plan.ts';
import type { RegisteredRoute, RouteInfo } from '../types/route-info.ts';
import { notFoundPlanFor } from './compile-not-found.ts';
import { type ContextPlan, tracksCompletion } from './context-plan.ts';
import { makePlan } from './make-plan.ts';
import { loggerMaker } from './request-loggers.ts';
import { withRouteErrorPlace } from './route-error-place.ts';

const loadSchemas = lazyModule<typeof import('./compile-parts.ts')>(() => require('./compile-parts.ts'));
const loadAdmission = lazyModule<typeof import('../runtime/overload/route-admission.ts')>(() =>
  require('../runtime/overload/route-admission.ts'),
);

const defaultStreamSettings: StreamSettings = { heartbeatMs: 15_000, closeMs: 5_000 };

type SchemaFields = Pick<
  Plan,
  | 'compileValidator'
  | 'compileSerializer'
  | 'validators'
  | 'serializers'
  | 'items'
  | 'acceptedTypes'
  | 'findParser'
  | 'info'
>;

/** @throws An error of the catalogue, with its location in `where`, for a schema that cannot be compiled. */
export function compileRoute(record: RouteRecord, context: ContextPlan): Plan {
  const { options } = record;
  const { node, shared } = context;
  const appSteps = context.steps.withRoute(options);
  const handlerTimeoutMs = options.handlerTimeout ?? node.app.options.handlerTimeout;
  const admission = admissionOf(context, options);
  const schemas = compileSchemas(record, context);
  // This is checked here and not in the declaration, because `onRoute` hooks may replace the handler.
  withRouteErrorPlace(record, node, () => {
    if (schemas.items === undefined || !isAsyncGeneratorFunction(options.handler))
      rejectGenerator(node.app.compatibility, options.handler, 'the handler');
    rejectGenerator(node.app.compatibility, options.errorHandler, 'the error handler');
  });
  const { bodyMethods } = shared;
  return makePlan(shared, {
    steps: context.steps.compile(appSteps, {
      readBody: [options.method].flat().some((method) => bodyMethods.has(method)),
      validate: schemas.validators !== undefined,
      admit: admission !== undefined,
    }),
    info: schemas.info,
    compileValidator: schemas.compileValidator,
    compileSerializer: schemas.compileSerializer,
    onUndeclared: schemas.serializers && undeclaredListener(node),
    validators: schemas.validators,
    serializers: schemas.serializers,
    items: schemas.items,
    streamSettings: schemas.items && { ...defaultStreamSettings, ...ownOption(options, 'stream') },
    acceptedTypes: schemas.acceptedTypes,
    findParser: schemas.findParser,
    replySerializer: shared.replySerializer,
    isNotFound: false,
    handler: options.handler,
    bodyLimitBytes: options.bodyLimit,
    attachValidation: options.attachValidation === true,
    formatProblems: (options.schemaErrorFormatter || undefined)?.bind(node.api) ?? shared.formatProblems,
    notFound: notFoundPlanFor(notFoundOf(node), appSteps),
    handlerTimeoutMs,
    admission,
    tracksCompletion: tracksCompletion(node, appSteps) || handlerTimeoutMs > 0 || admission !== undefined,
    makeLogger: loggerMaker(node, {
      logLevel: options.logLevel,
      logSerializers: options.logSerializers,
      childLoggerFactory: options.childLoggerFactory || context.settings.childLoggerFactory,
    }),
  });
}

function undeclaredListener(node: ContextNode): Plan['onUndeclared'] {
  if (node.setting('responses') === 'declared') return refuseUndeclared;
  const { isProduction, sendsErrorsAsFastify } = node.app.server;
  return isProduction || sendsErrorsAsFastify ? undefined : makeUndeclaredWarning();
}

function admissionOf(
  { admissionController }: ContextPlan,
  options: RegisteredRoute,
): RouteAdmission | undefined {
  if (admissionController === undefined || options.overload === false) return undefined;
  return new (loadAdmission().RouteAdmission)(
    admissionController,
    (ownOption(options, 'overload') || undefined)?.priority ?? 'normal',
  );
}

function compileSchemas(record: RouteRecord, { node, shared }: ContextPlan): SchemaFields {
  const { options } = record;
  const compileValidator = options.validatorCompiler || shared.compileValidator;
  const compileSerializer = options.serializerCompiler || shared.compileSerializer;
  const compiled = options.schema
    ? loadSchemas().compileParts(record, { node, shared }, options.schema)
    : {
        validators: undefined,
        serializers: undefined,
        items: undefined,
        acceptedTypes: undefined,
        findParser: shared.findParser,
      };
  // After the schemas are compiled, because that sets the schema that plugins see.
  const info = Object.freeze(routeInfo(record, node.app));
  return { ...compiled, compileValidator, compileSerializer, info };
}

function routeInfo({ options, publicUrl, exposesHead }: RouteRecord, app: AppState): RouteInfo {
  return {
    method: options.method,
    url: publicUrl,
    bodyLimit: options.bodyLimit ?? app.options.bodyLimit,
    handlerTimeout: options.handlerTimeout ?? app.options.handlerTimeout,
    attachValidation: options.attachValidation === true,
    logLevel: options.logLevel ?? '',
    exposeHeadRoute: exposesHead,
    prefixTrailingSlash: options.prefixTrailingSlash ?? 'both',
    handler: options.handler,
    config: { ...options.config, url: publicUrl, method: options.method },
    schema: options.schema || undefined,
    version: undefined,
  };
}
