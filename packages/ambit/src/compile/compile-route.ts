/** Compiles one route into its plan. */

import type { AppState } from '../context/app-state.ts';
import { notFoundOf } from '../context/not-found-routes.ts';
import type { RouteRecord } from '../context/route-record.ts';
import type { RouteInfo } from '../contract/context.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../contract/errors.ts';
import type { Plan } from '../contract/exchange.ts';
import { RoutePlace } from './boot-errors.ts';
import { notFoundPlanFor } from './compile-not-found.ts';
import { compileSerializers, compileValidators, coveredTypes } from './compile-schemas.ts';
import { addErrorHandler, addHooks, type ContextPlan, observesEnd } from './context-plan.ts';
import { makePlan } from './make-plan.ts';
import { type NormalizedSchema, normalizeSchema } from './normalize-schema.ts';
import { loggerMaker } from './request-loggers.ts';

type SchemaFields = Pick<
  Plan,
  'compileValidator' | 'compileSerializer' | 'validators' | 'serializers' | 'coveredTypes' | 'info'
>;

/** @throws An error of the catalogue, with its place in `where`, for a schema that cannot be compiled. */
export function compileRoute(record: RouteRecord, context: ContextPlan): Plan {
  const { options } = record;
  const { node, shared } = context;
  const hooks = addHooks(context, options);
  const handlerTimeoutMs = options.handlerTimeout ?? node.app.options.handlerTimeout;
  const schemas = compileSchemas(record, context);
  return makePlan(shared, hooks, {
    info: schemas.info,
    compileValidator: schemas.compileValidator,
    compileSerializer: schemas.compileSerializer,
    validators: schemas.validators,
    serializers: schemas.serializers,
    coveredTypes: schemas.coveredTypes,
    replySerializer: shared.replySerializer,
    isNotFound: false,
    handler: options.handler.bind(node.api),
    bodyLimitBytes: options.bodyLimit,
    attachValidation: options.attachValidation === true,
    formatProblems: (options.schemaErrorFormatter || undefined)?.bind(node.api) ?? shared.formatProblems,
    errorHandlers: addErrorHandler(context, options.errorHandler),
    notFound: notFoundPlanFor(notFoundOf(node), hooks.onSend),
    handlerTimeoutMs,
    observesEnd: observesEnd(node, hooks) || handlerTimeoutMs > 0,
    makeLogger: loggerMaker(node, options),
  });
}

function compileSchemas(record: RouteRecord, { node, shared }: ContextPlan): SchemaFields {
  const { options } = record;
  const { schema: given } = options;
  const place = new RoutePlace(record, node);
  const compileValidator = options.validatorCompiler || shared.compileValidator;
  const compileSerializer = options.serializerCompiler || shared.compileSerializer;
  const schema = given ? place.locating(() => normalizeSchema(given)) : undefined;
  const info = Object.freeze(routeInfo(record, node.app, schema));
  const { bodySchemaCovers, words } = node.app.conventions;
  const common = { compileValidator, compileSerializer, info };
  if (schema === undefined) {
    return { ...common, validators: undefined, serializers: undefined, coveredTypes: undefined };
  }
  const isForeign = Boolean(options.validatorCompiler) || node.schemas.hasForeignValidator;
  return {
    ...common,
    validators: place.building(ValidationBuildFailed, () =>
      compileValidators(schema, options, { compiler: compileValidator, isForeign, words }),
    ),
    serializers: place.building(SerializationBuildFailed, () =>
      compileSerializers(schema.shown.response, options, compileSerializer),
    ),
    coveredTypes: coveredTypes(schema.body, bodySchemaCovers),
  };
}

function routeInfo(
  { options, shownUrl, exposesHead }: RouteRecord,
  app: AppState,
  schema: NormalizedSchema | undefined,
): RouteInfo {
  return {
    method: options.method,
    url: shownUrl,
    bodyLimit: options.bodyLimit ?? app.options.bodyLimit,
    handlerTimeout: options.handlerTimeout ?? app.options.handlerTimeout,
    attachValidation: options.attachValidation === true,
    logLevel: options.logLevel ?? '',
    exposeHeadRoute: exposesHead,
    prefixTrailingSlash: options.prefixTrailingSlash ?? 'both',
    handler: options.handler,
    config: { ...options.config, url: shownUrl, method: options.method },
    schema: schema?.shown,
    version: undefined,
  };
}
