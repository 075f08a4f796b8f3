/** Compiles the schemas of one route, and checks them. Loaded with the first route that has schemas. */
import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../contract/errors.ts';
import type { Plan } from '../contract/plan.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { toPublicSchema } from '../schemas/public-schema.ts';
import { acceptedTypes, compileValidators, normalizeRequest } from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import { SuspectSchemas } from '../schemas/suspect-schemas.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { ContextPlan } from './context-plan.ts';
import { formSchema, formType } from './form-schema.ts';
import { compilersOf } from './route-compilers.ts';
import { RouteErrorContext } from './route-error-context.ts';
import { SchemaMistakes, type SearchedSchemas } from './schema-mistakes.ts';
import { checkForms, checkPartNames } from './schema-names.ts';

const loadForms = lazyModule<typeof import('./compile-multipart.ts')>(() =>
  require('./compile-multipart.ts'),
);

/** The fields of a plan that come from the schemas alone. */
type CompiledParts = Pick<Plan, 'validators' | 'serializers' | 'items' | 'acceptedTypes' | 'findParser'>;

/** @throws An error of the catalogue, with its place in `where`, for a schema that cannot be compiled. */
export function compileParts(
  record: RouteRecord,
  { node, shared }: Pick<ContextPlan, 'node' | 'shared'>,
  given: RouteSchema,
): CompiledParts {
  const { options, isAutomatic } = record;
  const place = new RouteErrorContext(record, node);
  const { bodySchemaAppliesTo, messages, misspelledNames } = node.app.compatibility;
  const request = place.withLocation(() => {
    if (!isAutomatic) checkPartNames(given, options, misspelledNames);
    return normalizeRequest(given);
  });
  const compilers = compilersOf(options, node);
  const suspects = new SuspectSchemas();
  const form = formSchema(request.body, node);
  const readsForms = form !== undefined;
  const validators = place.wrapBuildError(ValidationBuildFailed, () =>
    compileValidators(request, options, {
      ...compilers,
      suspects,
      formType: readsForms ? formType : undefined,
      words: messages,
    }),
  );
  const { response, serializers, items } = place.wrapBuildError(SerializationBuildFailed, () => {
    const response = normalizeResponse(given.response);
    return { response, ...compileSerializers(response, options, { ...compilers, suspects }) };
  });
  const mistakes = searchIn(record, node, { ...compilers, suspects, readsForms });
  const misplaced = mistakes?.findMisplacedFile(request, response);
  if (misplaced !== undefined) place.refuseFile(misplaced);
  record.declaredSchema = given;
  options.schema = toPublicSchema(given, request, response);
  mistakes?.checkRequest(request);
  if (!isAutomatic && !compilers.isForeignResponse)
    place.withLocation(() => checkForms(response, options, misspelledNames));
  mistakes?.checkResponse(response);
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

/** An automatic HEAD route has the schemas of its GET. */
function searchIn(
  record: RouteRecord,
  node: ContextNode,
  searched: SearchedSchemas,
): SchemaMistakes | undefined {
  if (record.isAutomatic || searched.suspects.isEmpty) return undefined;
  return new SchemaMistakes(record, node, searched);
}
