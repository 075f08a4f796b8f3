/**
 * Compiles the schemas of one route, and reports names in them that are almost certainly mistakes: misspelled parts, keywords among the
 * names of a short form, and parameters that differ from those of the path. Loaded with the first route that has schemas.
 */
import { createRequire } from 'node:module';
import {
  encodeStep,
  followReference,
  isShortForm,
  keywordsInShortForm,
  plainSchema,
  type SchemaLocation,
} from '@ambit/json-schema';
import type { ContextNode } from '../context/context-node.ts';
import { checkSpelling, type KnownNames, reportMistake } from '../context/options/check-options.ts';
import type { RouteRecord } from '../context/routes/add-route.ts';
import { type ContentSchemas, eachSchema, SuspectSchemas } from '../schemas/content-schemas.ts';
import {
  acceptedTypes,
  compileValidators,
  normalizeRequest,
  toPublicSchema,
} from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import type { ContentCompiler } from '../schemas/schema-engines.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { formType, parseMediaType } from '../shared/media-type.ts';
import { parameterNames } from '../shared/typed-calls.ts';
import { isPlainObject } from '../shared/values.ts';
import type {
  SerializerFunction,
  SerializerRequest,
  SharedSchemas,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import {
  OptionInvalid,
  ParamsMismatched,
  SerializationBuildFailed,
  ValidationBuildFailed,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { Plan } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnMisspelled, warnShortBody } from '../types/warnings.ts';
import type { ContextPlan } from './context-plan.ts';
import { rejectFile, withRouteErrorPlace, wrapBuildError } from './route-errors.ts';
import type { SchemaMistakes, SearchedSchemas } from './schema-mistakes.ts';

const require = createRequire(import.meta.url);

const anyForm = parseMediaType(`${formType}; boundary=x`);
const loadForms = lazyModule<typeof import('./compile-multipart.ts')>(() =>
  require('./compile-multipart.ts'),
);
const loadMistakes = lazyModule<typeof import('./schema-mistakes.ts')>(() => require('./schema-mistakes.ts'));

type CompiledParts = Pick<Plan, 'validators' | 'serializers' | 'items' | 'acceptedTypes' | 'findParser'>;

/** @throws An error of the catalogue, with its location in `where`, for a schema that cannot be compiled. */
export function compileParts(
  record: RouteRecord,
  { node, shared }: ContextPlan,
  declaredSchema: RouteSchema,
): CompiledParts {
  const { options, isAutomatic } = record;
  const withPlace = <T>(run: () => T): T => withRouteErrorPlace(record, node, run);
  const { compatibility } = node.app;
  const { bodySchemaAppliesTo, messages, checksDeclarations } = compatibility;
  const request = withPlace(() => {
    if (!isAutomatic) checkSpelling(declaredSchema, partNames, nameOwner(options), compatibility);
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
  const validators = wrapBuildError(record, node, ValidationBuildFailed, () =>
    compileValidators(request, options, {
      ...compilers,
      suspects,
      formType: readsForms ? formType : undefined,
      messages,
    }),
  );
  const { response, serializers, items } = wrapBuildError(record, node, SerializationBuildFailed, () => {
    const declared = declaredSchema.response;
    // Fastify ignores what has no statuses.
    const isIgnored =
      !checksDeclarations && (typeof declared !== 'object' || Object.keys(declared ?? {}).length === 0);
    const response = normalizeResponse(isIgnored ? undefined : declared);
    return { response, ...compileSerializers(response, options, { ...compilers, suspects }) };
  });
  const mistakes = makeMistakeSearch(record, node, { ...compilers, suspects, readsForms });
  const misplacedFile = mistakes?.findMisplacedFile(request, response);
  if (misplacedFile !== undefined) rejectFile(record, node, misplacedFile);
  if (!isAutomatic && !compilers.hasCustomValidator && request.params !== undefined) {
    withPlace(() => checkParams(request.params, options, node));
  }
  record.declaredSchema = declaredSchema;
  options.schema = toPublicSchema(declaredSchema, request, response);
  mistakes?.checkRequest(request);
  if (!isAutomatic && !compilers.hasCustomSerializer)
    withPlace(() => checkForms(response, options, compatibility));
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

/** Keys that OpenAPI plugins read. */
const annotations: ReadonlySet<string> = new Set([
  ...['tags', 'summary', 'description', 'operationId', 'security', 'deprecated', 'hide', 'externalDocs'],
  ...['consumes', 'produces'],
]);

const partNames: KnownNames = {
  known: ['body', 'querystring', 'query', 'params', 'headers', 'response'],
  isAllowed: (name) => annotations.has(name) || /^x-/i.test(name),
};

/** Returns `undefined` for an automatic HEAD route, whose schemas are those of the GET route, and for probes, whose schemas are our own. */
function makeMistakeSearch(
  record: RouteRecord,
  node: ContextNode,
  searched: SearchedSchemas,
): SchemaMistakes | undefined {
  if (record.isAutomatic || node.servesProbes || searched.suspects.isEmpty) return undefined;
  return new (loadMistakes().SchemaMistakes)(record, node, searched);
}

interface RouteCompilers {
  readonly compileValidator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  readonly compileSerializer: ContentCompiler<SerializerRequest, SerializerFunction>;
  /** Whether the compiler is not the default one. Then schemas may not be JSON Schema, and are passed on unchanged. */
  readonly hasCustomValidator: boolean;
  readonly hasCustomSerializer: boolean;
}

/** Selects the compilers of a route: its own, those of its context, or the default ones. */
function compilersOf(
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

/** Throws for a schema that is neither full nor a short form, because every property would be sent. */
function checkForms(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  compatibility: Compatibility,
): void {
  const check = (schema: unknown, part: string): void => {
    const keywords = keywordsInShortForm(schema).map((keyword) => `'${keyword}'`);
    if (keywords.length === 0) return;
    const problem = `${part} is not the short form, because it has the keyword ${keywords.join(', ')}, and as a full schema it does not declare its other names`;
    reportMistake(compatibility, new OptionInvalid(nameOwner(route), problem));
  };
  for (const [status, entry] of response) eachSchema(entry, `response ${status}`, check);
}

/**
 * Rejects a `params` schema with which no request can work: it requires a parameter which the path does not have, or is closed without a
 * parameter of the path. Warns of one that only describes such a parameter. One with a default is allowed.
 */
function checkParams(params: unknown, route: RegisteredRoute, { app, schemas }: ContextNode): void {
  const { method, url } = route;
  const names = parameterNames(url);
  const fatal = findMissing(params, names, schemas.visible) ?? findForbidden(params, route);
  const mismatch = fatal ?? findDescribed(params, names);
  if (mismatch === undefined) return;
  const { problem, schemaPath } = mismatch;
  const declared = names.map((name) => `'${name}'`).join(', ') || 'none';
  const error = ParamsMismatched.at(
    { where: { part: 'params', schemaPath } },
    method,
    url,
    problem,
    declared,
  );
  if (fatal !== undefined && app.compatibility.checksDeclarations) throw error;
  if (!app.server.isProduction) warnMisspelled(error.message);
}

interface ParamsMismatch {
  readonly problem: string;
  readonly schemaPath: string;
}

/** Finds a parameter that is required, in the schema itself, in a schema that it refers to, or in an `allOf`. */
function findMissing(
  params: unknown,
  names: readonly string[],
  shared: SharedSchemas,
): ParamsMismatch | undefined {
  const visited = new Set<unknown>();
  const search = (schema: unknown, location: SchemaLocation): ParamsMismatch | undefined => {
    if (!isPlainObject(schema) || visited.has(schema)) return undefined;
    visited.add(schema);
    const { required, properties, allOf, $ref } = schema;
    const isMissing = (name: unknown): boolean =>
      typeof name === 'string' && !names.includes(name) && !hasDefault(Object(properties)[name]);
    const missing = Array.isArray(required) ? required.find(isMissing) : undefined;
    if (missing !== undefined)
      return {
        problem: `requires '${missing}', which the path does not have`,
        schemaPath: `${location.pointer}/required`,
      };
    const target = followReference($ref, location, shared);
    const found = target && search(target.schema, target.location);
    if (found !== undefined || !Array.isArray(allOf)) return found;
    for (const [index, part] of allOf.entries()) {
      const inner = search(part, { ...location, pointer: `${location.pointer}/allOf/${index}` });
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return search(params, { document: params, pointer: '#' });
}

/**
 * Finds a parameter that `additionalProperties: false` removes or refuses. Parameters of a prefix are allowed, because a plugin need not know
 * under which prefix it is registered.
 */
function findForbidden(params: unknown, { routePath }: RegisteredRoute): ParamsMismatch | undefined {
  const { additionalProperties, properties, patternProperties } = Object(params) as Record<string, unknown>;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const forbidden = parameterNames(routePath).find((name) => !Object.hasOwn(Object(properties), name));
  if (forbidden === undefined) return undefined;
  return { problem: `forbids '${forbidden}'`, schemaPath: '#/additionalProperties' };
}

/** Finds a parameter that is only described. A `$ref` is not followed: schemas that routes share may have names of other routes. */
function findDescribed(params: unknown, names: readonly string[]): ParamsMismatch | undefined {
  const { properties } = Object(params) as { properties?: unknown };
  const described = Object.entries(Object(properties)).find(
    ([name, schema]) => !names.includes(name) && !hasDefault(schema),
  )?.[0];
  if (described === undefined) return undefined;
  const problem = `describes '${described}', which the path does not have`;
  return { problem, schemaPath: `#/properties/${encodeStep(described)}` };
}

function hasDefault(schema: unknown): boolean {
  return 'default' in Object(schema);
}

function nameOwner({ method, url }: RegisteredRoute): string {
  return `the schema of ${method} ${url}`;
}
