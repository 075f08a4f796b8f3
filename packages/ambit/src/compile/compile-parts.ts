/** Compiles the schemas of one route, and checks them. Loaded with the first route that has schemas. */
import { isShortForm, plainSchema } from '@ambit/json-schema';
import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import { toPublicSchema } from '../schemas/public-schema.ts';
import { acceptedTypes, compileValidators, normalizeRequest } from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import { SuspectSchemas } from '../schemas/suspect-schemas.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../types/errors.ts';
import type { Plan } from '../types/plan.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnShortBody } from '../types/warnings.ts';
import type { ContextPlan } from './context-plan.ts';
import { formSchema, formType } from './form-schema.ts';
import { compilersOf } from './route-compilers.ts';
import { RouteErrorContext } from './route-error-context.ts';
import type { SchemaMistakes, SearchedSchemas } from './schema-mistakes.ts';
import { checkForms, checkParams, checkPartNames } from './schema-names.ts';

const loadForms = lazyModule<typeof import('./compile-multipart.ts')>(() =>
  require('./compile-multipart.ts'),
);
const loadErrorSchemas = lazyModule<typeof import('./check-error-schemas.ts')>(() =>
  require('./check-error-schemas.ts'),
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
    loadErrorSchemas().checkErrorSchemas(serializers, options, node, {
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
