/** Compiles the schemas of one route, and checks them. Loaded with the first route that has schemas. */
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { SerializerCompiler, ValidatorCompiler } from '../contract/compiler.ts';
import { SerializationBuildFailed, ValidationBuildFailed } from '../contract/errors.ts';
import type { Plan } from '../contract/plan.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { toPublicSchema } from '../schemas/public-schema.ts';
import { acceptedTypes, compileValidators, normalizeRequest } from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { ContextPlan } from './context-plan.ts';
import { formSchema, formType } from './form-schema.ts';
import { RouteErrorContext } from './route-error-context.ts';
import { SuspectSchemas } from './schema-mistakes.ts';

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
      form === undefined
        ? shared.findParser
        : loadForms().withFormParser(shared.findParser, record, node, form),
  };
}
