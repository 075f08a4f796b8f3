/** Compiles one route into its plan. */

import type { AppState } from '../context/app-state.ts';
import { refuseGenerator } from '../context/check-options.ts';
import { notFoundOf } from '../context/not-found-handlers.ts';
import type { RouteRecord } from '../context/route-record.ts';
import type { SerializerCompiler, ValidatorCompiler } from '../contract/compiler.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../contract/errors.ts';
import type { StreamSettings } from '../contract/item-format.ts';
import type { Plan } from '../contract/plan.ts';
import type { RegisteredRoute, RouteInfo } from '../contract/route-info.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { RouteAdmission } from '../runtime/overload/route-admission.ts';
import { toPublicSchema } from '../schemas/public-schema.ts';
import { acceptedTypes, compileValidators, normalizeRequest } from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import { isAsyncGeneratorFunction } from '../shared/thenable.ts';
import { formSchema, formType, withFormParser } from './compile-multipart.ts';
import { notFoundPlanFor } from './compile-not-found.ts';
import { type ContextPlan, tracksCompletion } from './context-plan.ts';
import { makePlan } from './make-plan.ts';
import { loggerMaker } from './request-loggers.ts';
import { RouteErrorContext } from './route-error-context.ts';
import { SuspectSchemas } from './suspect-schema.ts';

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

/** The fields of a plan that come from the schemas alone. */
type CompiledParts = Pick<
  SchemaFields,
  'validators' | 'serializers' | 'items' | 'acceptedTypes' | 'findParser'
>;

/** @throws An error of the catalogue, with its place in `where`, for a schema that cannot be compiled. */
export function compileRoute(record: RouteRecord, context: ContextPlan): Plan {
  const { options } = record;
  const { node, shared } = context;
  const appSteps = context.steps.withRoute(options);
  const handlerTimeoutMs = options.handlerTimeout ?? node.app.options.handlerTimeout;
  const admission = admissionOf(context, options);
  const schemas = compileSchemas(record, context);
  // Not where it is declared: `onRoute` hooks may put another handler in its place.
  new RouteErrorContext(record, node).withLocation(() => {
    if (schemas.items === undefined || !isAsyncGeneratorFunction(options.handler))
      refuseGenerator(options.handler, 'the handler');
    refuseGenerator(options.errorHandler, 'the error handler');
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
    validators: schemas.validators,
    serializers: schemas.serializers,
    items: schemas.items,
    streamSettings: schemas.items && { ...defaultStreamSettings, ...options.stream },
    acceptedTypes: schemas.acceptedTypes,
    findParser: schemas.findParser,
    replySerializer: shared.replySerializer,
    isNotFound: false,
    handler: options.handler.bind(node.api),
    bodyLimitBytes: options.bodyLimit,
    attachValidation: options.attachValidation === true,
    formatProblems: (options.schemaErrorFormatter || undefined)?.bind(node.api) ?? shared.formatProblems,
    notFound: notFoundPlanFor(notFoundOf(node), appSteps),
    handlerTimeoutMs,
    admission,
    tracksCompletion: tracksCompletion(node, appSteps) || handlerTimeoutMs > 0 || admission !== undefined,
    makeLogger: loggerMaker(node, options),
  });
}

function admissionOf({ gate }: ContextPlan, { overload }: RegisteredRoute): RouteAdmission | undefined {
  if (gate === undefined || overload === false) return undefined;
  return new RouteAdmission(gate, overload?.priority ?? 'normal');
}

function compileSchemas(record: RouteRecord, { node, shared }: ContextPlan): SchemaFields {
  const { options } = record;
  const compileValidator = options.validatorCompiler || shared.compileValidator;
  const compileSerializer = options.serializerCompiler || shared.compileSerializer;
  const compiled = options.schema
    ? compileParts(record, { node, shared }, options.schema, compileValidator, compileSerializer)
    : {
        validators: undefined,
        serializers: undefined,
        items: undefined,
        acceptedTypes: undefined,
        findParser: shared.findParser,
      };
  // Last: what plugins see of the schema is settled by now.
  const info = Object.freeze(routeInfo(record, node.app));
  return { ...compiled, compileValidator, compileSerializer, info };
}

function compileParts(
  record: RouteRecord,
  { node, shared }: Pick<ContextPlan, 'node' | 'shared'>,
  given: RouteSchema,
  compileValidator: ValidatorCompiler,
  compileSerializer: SerializerCompiler,
): CompiledParts {
  const { options } = record;
  const place = new RouteErrorContext(record, node);
  const isForeign = Boolean(options.validatorCompiler) || node.schemas.hasForeignValidator;
  const suspects = record.isAutomatic ? undefined : new SuspectSchemas(record, node);
  const request = place.withLocation(() => {
    suspects?.checkNames(given);
    return normalizeRequest(given);
  });
  const { bodySchemaAppliesTo, messages } = node.app.compatibility;
  const form = formSchema(request.body, node);
  const validators = place.wrapBuildError(ValidationBuildFailed, () =>
    compileValidators(request, options, {
      compiler: compileValidator,
      isForeign,
      formType: form === undefined ? undefined : formType,
      words: messages,
    }),
  );
  const { response, serializers, items } = place.wrapBuildError(SerializationBuildFailed, () => {
    const response = normalizeResponse(given.response);
    return { response, ...compileSerializers(response, options, compileSerializer) };
  });
  const misplaced = suspects?.findMisplacedFile(request, response, form !== undefined);
  if (misplaced !== undefined) place.refuseFile(misplaced);
  record.declaredSchema = given;
  options.schema = toPublicSchema(given, request, response);
  suspects?.checkRequest(request);
  place.withLocation(() => suspects?.checkResponse(response));
  return {
    validators,
    serializers,
    items,
    acceptedTypes: acceptedTypes(request.body, bodySchemaAppliesTo),
    findParser:
      form === undefined ? shared.findParser : withFormParser(shared.findParser, record, node, form),
  };
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
