/** Compiles the schemas of one route, and checks them. Loaded with the first route that has schemas. */
import { isShortForm, plainSchema } from '@ambit/json-schema';
import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { ContentSchemas } from '../schemas/content-schemas.ts';
import { toPublicSchema } from '../schemas/public-schema.ts';
import { acceptedTypes, compileValidators, normalizeRequest } from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import type { ContentCompiler } from '../schemas/schema-engine.ts';
import { SuspectSchemas } from '../schemas/suspect-schemas.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { formType, parseMediaType } from '../shared/media-type.ts';
import type {
  SerializerFunction,
  SerializerRequest,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../types/errors.ts';
import type { Plan } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnShortBody } from '../types/warnings.ts';
import type { ContextPlan } from './context-plan.ts';
import { RouteErrorContext } from './route-errors.ts';
import type { SchemaMistakes, SearchedSchemas } from './schema-mistakes.ts';
import { checkForms, checkParams, checkPartNames } from './schema-names.ts';

const anyForm = parseMediaType(`${formType}; boundary=x`);
const loadForms = lazyModule<typeof import('./compile-multipart.ts')>(() =>
  require('./compile-multipart.ts'),
);
const loadMistakes = lazyModule<typeof import('./schema-mistakes.ts')>(() => require('./schema-mistakes.ts'));

/** The fields of a plan that only depend on the schemas. */
type CompiledParts = Pick<Plan, 'validators' | 'serializers' | 'items' | 'acceptedTypes' | 'findParser'>;

/** @throws An error of the catalogue, with its location in `where`, for a schema that cannot be compiled. */
export function compileParts(
  record: RouteRecord,
  { node, shared }: Pick<ContextPlan, 'node' | 'shared'>,
  declaredSchema: RouteSchema,
): CompiledParts {
  const { options, isAutomatic } = record;
  const errorContext = new RouteErrorContext(record, node);
  const { compatibility } = node.app;
  const { bodySchemaAppliesTo, messages, checksDeclarations } = compatibility;
  const request = errorContext.withLocation(() => {
    if (!isAutomatic) checkPartNames(declaredSchema, options, compatibility);
    return normalizeRequest(declaredSchema);
  });
  const { isProduction } = node.app.server;
  const hasOneBody = request.body !== undefined && 'forAllTypes' in request.body;
  if (!isAutomatic && !isProduction && hasOneBody && isShortForm(plainSchema(declaredSchema.body)))
    warnShortBody(`${[options.method].flat()} ${options.url}`);
  const compilers = compilersOf(options, node);
  const suspects = new SuspectSchemas();
  const form = formSchema(request.body, node);
  const readsForms = form !== undefined;
  const validators = errorContext.wrapBuildError(ValidationBuildFailed, () =>
    compileValidators(request, options, {
      ...compilers,
      suspects,
      formType: readsForms ? formType : undefined,
      messages,
    }),
  );
  const { response, serializers, items } = errorContext.wrapBuildError(SerializationBuildFailed, () => {
    const declared = declaredSchema.response;
    // Fastify ignores what has no statuses.
    const isIgnored =
      !checksDeclarations && (typeof declared !== 'object' || Object.keys(declared ?? {}).length === 0);
    const response = normalizeResponse(isIgnored ? undefined : declared);
    return { response, ...compileSerializers(response, options, { ...compilers, suspects }) };
  });
  const mistakes = makeMistakeSearch(record, node, { ...compilers, suspects, readsForms });
  const misplacedFile = mistakes?.findMisplacedFile(request, response);
  if (misplacedFile !== undefined) errorContext.rejectFile(misplacedFile);
  if (!isAutomatic && !compilers.hasCustomValidator && request.params !== undefined) {
    const shared = node.schemas.visible;
    const settings = { checksDeclarations, isProduction, shared };
    errorContext.withLocation(() => checkParams(request.params, options, settings));
  }
  record.declaredSchema = declaredSchema;
  options.schema = toPublicSchema(declaredSchema, request, response);
  mistakes?.checkRequest(request);
  if (!isAutomatic && !compilers.hasCustomSerializer)
    errorContext.withLocation(() => checkForms(response, options, compatibility));
  mistakes?.checkResponse(response);
  const isChecked = !isAutomatic && !compilers.hasCustomSerializer && !isProduction;
  if (serializers !== undefined && isChecked) {
    loadMistakes().checkErrorSchemas(serializers, options, node, {
      isValidated: validators !== undefined,
      readsBody: [options.method].flat().some((method) => shared.bodyMethods.has(method)),
    });
  }
  return {
    validators,
    serializers,
    items,
    acceptedTypes: acceptedTypes(request.body, bodySchemaAppliesTo),
    findParser: readsForms
      ? loadForms().withFormParser(shared.findParser, record, node, form)
      : shared.findParser,
  };
}

/** Returns `undefined` for an automatic HEAD route, whose schemas are those of the GET route, and for probes, whose schemas are our own. */
function makeMistakeSearch(
  record: RouteRecord,
  node: ContextNode,
  searched: SearchedSchemas,
): SchemaMistakes | undefined {
  if (record.isAutomatic || node.servesProbes || searched.suspects.isEmpty) return undefined;
  return new (loadMistakes().SchemaMistakes)(record, node, searched);
}

/** Selects the compilers of a route: its own, those of its context, or the default ones. */
export interface RouteCompilers {
  readonly compileValidator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  readonly compileSerializer: ContentCompiler<SerializerRequest, SerializerFunction>;
  /** Whether the compiler is not the default one. Then schemas may not be JSON Schema, and are passed on unchanged. */
  readonly hasCustomValidator: boolean;
  readonly hasCustomSerializer: boolean;
}

export function compilersOf(
  { validatorCompiler, serializerCompiler }: RegisteredRoute,
  { schemas }: ContextNode,
): RouteCompilers {
  return {
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: validatorCompiler || ((...args) => schemas.resolveValidator()(...args)),
    compileSerializer: serializerCompiler || ((...args) => schemas.resolveSerializer()(...args)),
    hasCustomValidator: Boolean(validatorCompiler) || schemas.hasCustomValidator,
    hasCustomSerializer: Boolean(serializerCompiler) || schemas.hasCustomSerializer,
  };
}

/**
 * Returns the schema of the forms that the framework reads for a route; `undefined` if it reads none. A parser of the application takes
 * precedence, as for any media type.
 */
function formSchema(body: ContentSchemas | undefined, { parsers }: ContextNode): unknown {
  if (body === undefined || !('byType' in body) || !body.byType.has(formType)) return undefined;
  return parsers.match(anyForm) === undefined ? body.byType.get(formType) : undefined;
}
