/**
 * Compiles the schemas of one route, adds places to their errors, and reports names in them that are almost certainly mistakes: misspelled
 * parts, keywords among the names of a short form, and parameters that differ from those of the path. Loaded with the first route that has
 * schemas.
 */
import { createRequire } from 'node:module';
import {
  encodeStep,
  hasUnknownKeyword,
  isShortForm,
  isStandardSchema,
  keywordsInShortForm,
  partsOf,
  plainSchema,
  toJsonSchema,
} from '@ambit/json-schema';
import { explainFailure, misspelledKeyword } from '@ambit/json-validator';
import type { ContextNode } from '../context/context-node.ts';
import { declaredElsewhere, findDeclaration } from '../context/definitions.ts';
import { checkSpelling, reportMistake } from '../context/options/check-options.ts';
import { makeJsonReader } from '../context/parsers.ts';
import { type RouteRecord, routePlace, withRoutePlace } from '../context/routes/add-route.ts';
import { ambitOption } from '../context/routes/route-options.ts';
import { type ContentSchemas, eachSchema, type SuspectSchemas } from '../schemas/content-schemas.ts';
import {
  acceptedTypes,
  compileValidators,
  normalizeRequest,
  toPublicSchema,
} from '../schemas/request-schemas.ts';
import { compileSerializers, normalizeResponse } from '../schemas/response-schemas.ts';
import { PartFailure } from '../schemas/schema-engines.ts';
import { addPlace, type DeclarationPlace } from '../shared/call-site.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { formType, parseMediaType } from '../shared/media-type.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { describeError } from '../shared/readable.ts';
import { parameterNames } from '../shared/typed-calls.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  MediaRangeInvalid,
  OptionInvalid,
  ParamsMismatched,
  SchemaContentMissing,
  SerializationBuildFailed,
  ValidationBuildFailed,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { Plan } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnMisspelled, warnShortBody } from '../types/warnings.ts';
import type { ContextPlan } from './context-plan.ts';

const require = createRequire(import.meta.url);

const anyForm = parseMediaType(`${formType}; boundary=x`);
const loadFormParser = lazyModule<typeof import('../runtime/form-parser.ts')>(() =>
  require('../runtime/form-parser.ts'),
);
const loadForms = lazyModule<typeof import('../schemas/form-schemas.ts')>(() =>
  require('../schemas/form-schemas.ts'),
);
const loadMistakes = lazyModule<typeof import('./schema-mistakes.ts')>(() => require('./schema-mistakes.ts'));

export type CompiledParts = Pick<
  Plan,
  'validators' | 'serializers' | 'items' | 'acceptedTypes' | 'formParser'
>;

/**
 * The schemas of an automatic HEAD route are those of its GET route, and were searched for mistakes there.
 *
 * @throws An error of the catalogue, with its location in `where`, for a schema that cannot be compiled.
 */
export function compileParts(
  record: RouteRecord,
  { shared }: ContextPlan,
  declaredSchema: RouteSchema,
): CompiledParts {
  const { node, options, isAutomatic } = record;
  const withPlace = <T>(run: () => T): T => withRoutePlace(record, run);
  const { compatibility, server } = node.app;
  const { bodySchemaAppliesTo, messages, checksDeclarations } = compatibility;
  const request = withPlace(() => {
    if (!isAutomatic)
      checkSpelling(declaredSchema, partNames, nameOwner(options), compatibility, isAnnotation);
    return normalizeRequest(declaredSchema);
  });
  const hasOneBody = request.body !== undefined && 'forAllTypes' in request.body;
  if (!isAutomatic && !server.isProduction && hasOneBody && isShortForm(plainSchema(declaredSchema.body)))
    warnShortBody(`${[options.method].flat()} ${options.url}`);
  const { schemas } = node;
  // Then schemas may not be JSON Schema, and are passed on unchanged.
  const hasCustomValidator = Boolean(options.validatorCompiler) || schemas.hasCustomCompiler('validator');
  const hasCustomSerializer = Boolean(options.serializerCompiler) || schemas.hasCustomCompiler('serializer');
  const suspects: SuspectSchemas = new Map();
  const form = formSchema(request.body, node);
  const readsForms = form !== undefined;
  const validators = wrapBuildError(record, ValidationBuildFailed, () =>
    compileValidators(request, options, {
      // Resolved when called, so that an engine is loaded only if there is something to compile.
      compile: options.validatorCompiler || ((...args) => schemas.resolve('validator')(...args)),
      isCustom: hasCustomValidator,
      suspects,
      formType: readsForms ? formType : undefined,
      messages,
    }),
  );
  const { response, serializers, items } = wrapBuildError(record, SerializationBuildFailed, () => {
    const declared = declaredSchema.response;
    // Fastify ignores what has no statuses.
    const isIgnored =
      !checksDeclarations && (typeof declared !== 'object' || Object.keys(declared ?? {}).length === 0);
    const response = normalizeResponse(isIgnored ? undefined : declared);
    const compiled = compileSerializers(response, options, {
      compile: options.serializerCompiler || ((...args) => schemas.resolve('serializer')(...args)),
      isCustom: hasCustomSerializer,
      suspects,
    });
    if (checksDeclarations && !isAutomatic && !hasCustomSerializer)
      rejectMisspelled(response, schemas.visible);
    return { response, ...compiled };
  });
  const searched = { request, response, suspects, readsForms, hasCustomValidator, hasCustomSerializer };
  const isSuspect = !isAutomatic && !node.servesProbes && suspects.size > 0;
  if (isSuspect) loadMistakes().rejectMisplacedFile(record, searched);
  if (!isAutomatic && !hasCustomValidator && request.params !== undefined)
    withPlace(() => checkParams(request.params, options, node));
  record.declaredSchema = declaredSchema;
  options.schema = toPublicSchema(declaredSchema, request, response);
  if (!isAutomatic && !hasCustomSerializer) withPlace(() => checkForms(response, options, compatibility));
  if (isSuspect) loadMistakes().reportUndeclared(record, searched);
  const coversErrors = [...response.keys()].some((status) => /^[45d]/i.test(status));
  if (serializers && coversErrors && !isAutomatic && !hasCustomSerializer && !server.isProduction) {
    const readsBody = [options.method].flat().some((method) => shared.methods.get(method));
    const statuses = readsBody ? [400, 413, 415, 500] : validators === undefined ? [500] : [400, 500];
    loadMistakes().checkErrorSchemas(serializers, options, node, statuses);
  }
  return {
    validators,
    serializers,
    items,
    acceptedTypes: acceptedTypes(request.body, bodySchemaAppliesTo),
    formParser: readsForms ? makeFormParser(record, form) : undefined,
  };
}

/** Refuses keywords that are nearly those of JSON Schema: a serializer ignores them, and would drop what they describe. */
function rejectMisspelled(response: ReadonlyMap<string, ContentSchemas>, shared: SharedSchemas): void {
  const reject = (schema: unknown, part: string): void => {
    for (const each of [schema, ...Object.values(shared)]) {
      if (!hasUnknownKeyword(Object(each))) continue;
      const keyword = misspelledKeyword(each, nearestName);
      if (keyword !== undefined)
        throw new PartFailure(part, schema, new Error(`unknown keyword: "${keyword}"`));
    }
  };
  for (const [status, entry] of response) eachSchema(entry, `response ${status}`, reject);
}

/** Errors of the framework itself, which are not wrapped, because no engine failed. */
const keptErrors = [CodeGenerationForbidden, CompiledStale, MediaRangeInvalid, SchemaContentMissing];

/** Runs an engine. An error that it throws becomes the `cause` of a catalogue error that names the part and the path in its schema. */
function wrapBuildError<T>(record: RouteRecord, Failed: typeof ValidationBuildFailed, build: () => T): T {
  try {
    return build();
  } catch (thrown) {
    const failure = thrown instanceof PartFailure ? thrown : undefined;
    const { part, cause } = failure ?? { part: undefined, cause: thrown };
    const place = routePlace(record);
    if (keptErrors.some((KeptError) => cause instanceof KeptError)) throw addPlace(cause, () => place);
    const { node } = record;
    const { method, url } = record.options;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const explanation = failure && explainFailure(failure, node.schemas.visible, nearestName);
    const { schemaPath, problem, sharedId } = explanation ?? {};
    const [, missing = ''] = /(?:resolve reference |find reference ")([^\s#:"]+)/.exec(reason) ?? [];
    const elsewhere = declaredElsewhere(missing, node, schemaIds);
    const { hint } = Object(cause) as { readonly hint?: string };
    const advice = [elsewhere, explanation?.advice, hint].filter(Boolean).join('; ') || undefined;
    const addedShared = sharedId && placeOfShared(sharedId, node);
    // Routes that use a shared schema are not to blame for it, and neither are those that only see it.
    const blamed = addedShared || { ...place, ...(part && { part }) };
    const path = schemaPath && !reason.includes(`at ${schemaPath})`) && `at ${schemaPath}`;
    const location = [!addedShared && part && `in ${part}`, path].filter(Boolean).join(', ');
    const details = [location, advice].filter(Boolean).join('; ');
    const where = { ...blamed, ...(schemaPath && { schemaPath }) };
    const said = details && ` (${details})`;
    const blamedId = addedShared ? sharedId : undefined;
    const error = Failed.at({ cause, where, hint: advice }, String(method), url, reason, said, blamedId);
    const schema = blamedId === undefined ? `schema of ${place.route}` : `shared schema '${blamedId}'`;
    const title = `the ${schema}${part && !addedShared ? ` (${part})` : ''} is invalid`;
    const sentences = [problem ?? (advice === undefined ? reason : undefined), advice];
    throw describeError(error, { title, advice: sentences.filter((each) => each !== undefined) });
  }
}

function schemaIds({ definitions }: ContextNode): string[] {
  return definitions.flatMap(({ kind, value }) =>
    kind === 'schema' ? [Object(plainSchema(value)).$id] : [],
  );
}

/** Where a shared schema was added; `undefined` if the application keeps its schemas itself. */
function placeOfShared(id: string, node: ContextNode): DeclarationPlace | undefined {
  const isShared = (value: unknown): boolean => Object(plainSchema(value)).$id === id;
  return findDeclaration(node, ({ kind, value }) => kind === 'schema' && isShared(value));
}

/** Keys that OpenAPI plugins read. */
const annotations: ReadonlySet<string> = new Set([
  ...['tags', 'summary', 'description', 'operationId', 'security', 'deprecated', 'hide', 'externalDocs'],
  ...['consumes', 'produces'],
]);

const partNames: readonly string[] = ['body', 'querystring', 'query', 'params', 'headers', 'response'];
const isAnnotation = (name: string): boolean => annotations.has(name) || /^x-/i.test(name);

/**
 * Returns the schema of the forms that the framework reads for a route; `undefined` if it reads none. A parser of the application takes
 * precedence, as for any media type.
 */
function formSchema(body: ContentSchemas | undefined, { parsers }: ContextNode): unknown {
  if (body === undefined || !('byType' in body) || !body.byType.has(formType)) return undefined;
  return parsers.match(anyForm) === undefined ? body.byType.get(formType) : undefined;
}

function makeFormParser({ node, options }: RouteRecord, schema: unknown): Plan['formParser'] {
  const { app } = node;
  const { onProtoPoisoning: onProto, onConstructorPoisoning: onConstructor } = app.options;
  const described = isStandardSchema(schema) ? toJsonSchema(schema, 'input') : schema;
  const ownLimits = Object.entries(ambitOption(options, 'multipart') ?? {}).filter(
    ([, limit]) => limit !== undefined,
  );
  const parser = new (loadFormParser().FormParser)({
    limitBytes: options.bodyLimit ?? app.options.bodyLimit,
    limits: { ...app.options.userOptions.multipart, ...Object.fromEntries(ownLimits) },
    shape: loadForms().readFormShape(described, node.schemas.visible),
    poisoning: { onProto, onConstructor },
    readJson: makeJsonReader(onProto, onConstructor),
  });
  // Runs when the servers have closed.
  app.boot.onClose(node.api, () => parser.removeAll());
  return parser;
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

/** Rejects a `params` schema with which no request can work, and warns of one that describes a parameter which the path does not have. */
function checkParams(params: unknown, route: RegisteredRoute, { app, schemas }: ContextNode): void {
  const mismatch = findParamsMismatch(params, route, schemas.visible);
  if (mismatch === undefined) return;
  const { problem, schemaPath, isFatal } = mismatch;
  const { method, url } = route;
  const declared = parameterNames(url).map((name) => `'${name}'`);
  const where = { part: 'params', schemaPath };
  const error = ParamsMismatched.at({ where }, method, url, problem, declared.join(', ') || 'none');
  if (isFatal && app.compatibility.checksDeclarations) throw error;
  if (!app.server.isProduction) warnMisspelled(error.message);
}

interface ParamsMismatch {
  readonly problem: string;
  readonly schemaPath: string;
  readonly isFatal: boolean;
}

function findParamsMismatch(
  params: unknown,
  { url, routePath }: RegisteredRoute,
  shared: SharedSchemas,
): ParamsMismatch | undefined {
  const names = parameterNames(url);
  // A parameter with a default need not be in the path.
  const isForeign = (name: unknown, properties: unknown): boolean =>
    typeof name === 'string' && !names.includes(name) && !('default' in Object(Object(properties)[name]));
  for (const { schema, location } of partsOf(params, { document: params, pointer: '#' }, shared).reverse()) {
    const { required, properties } = schema;
    const name = Array.isArray(required) && required.find((each) => isForeign(each, properties));
    if (!name) continue;
    const problem = `requires '${name}', which the path does not have`;
    return { problem, schemaPath: `${location.pointer}/required`, isFatal: true };
  }
  const { additionalProperties, properties, patternProperties } = Object(params) as Record<string, unknown>;
  if (additionalProperties === false && patternProperties === undefined) {
    // It is removed or refused. Those of a prefix are allowed: a plugin need not know under which prefix it is registered.
    const name = parameterNames(routePath).find((each) => !Object.hasOwn(Object(properties), each));
    if (name !== undefined)
      return { problem: `forbids '${name}'`, schemaPath: '#/additionalProperties', isFatal: true };
  }
  // A `$ref` is not followed: schemas that routes share may have names of other routes.
  const name = Object.keys(Object(properties)).find((each) => isForeign(each, properties));
  if (name === undefined) return undefined;
  const problem = `describes '${name}', which the path does not have`;
  return { problem, schemaPath: `#/properties/${encodeStep(name)}`, isFatal: false };
}

function nameOwner({ method, url }: RegisteredRoute): string {
  return `the schema of ${method} ${url}`;
}
