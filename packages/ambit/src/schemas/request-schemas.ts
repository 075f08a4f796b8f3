/** The schemas that a route declares for its request: in normal form, compiled into validators (specification 3.3, 5.1), and as plugins read them. */
import { expandShortForm, plainSchema } from '@ambit/json-schema';
import { textOf } from '../shared/thrown-values.ts';
import type { HttpPart, ValidatorFunction, ValidatorRequest } from '../types/compilers.ts';
import { SchemaDuplicated, ValidatorNotFunction } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { PartValidators } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnSchemaMissing } from '../types/warnings.ts';
import { type ContentSchemas, compilePart, type PartBuild, readContentSchemas } from './content-schemas.ts';

/** The schemas of the parts of a request in their full form; `undefined` for a part without a schema. */
export interface RequestSchemas {
  readonly params: unknown;
  readonly querystring: unknown;
  readonly headers: unknown;
  readonly body: ContentSchemas | undefined;
}

/** The order in which the parts of a request are validated. */
const partsInOrder: readonly HttpPart[] = ['params', 'body', 'querystring', 'headers'];

/**
 * Resolves the alias `query`, expands short forms and reads `content` maps.
 *
 * @throws {SchemaDuplicated} if a route declares both `query` and `querystring`.
 * @throws {SchemaContentMissing} {MediaRangeInvalid}
 */
export function normalizeRequest(schema: RouteSchema): RequestSchemas {
  const { params, query, querystring = query, headers, body } = schema;
  if (query !== undefined && schema.querystring !== undefined && !isNormalized(schema)) {
    throw new SchemaDuplicated('querystring');
  }
  const normalize = (part: unknown): unknown => expandShortForm(plainSchema(part));
  return {
    params: normalize(params),
    querystring: normalize(querystring),
    headers: normalize(headers),
    body: body === undefined ? undefined : readBodySchemas(body),
  };
}

/** Returns `undefined` for an empty `content` map. */
function readBodySchemas(body: unknown): ContentSchemas | undefined {
  const schemas = readContentSchemas(body, 'body');
  return 'byType' in schemas && schemas.byType.size === 0 ? undefined : schemas;
}

/** Schemas to which `querystring` was added here, beside their `query`. */
const completed = new WeakSet<object>();

/**
 * Whether `query` and `querystring` are the same schema because it was normalized before: routes share schemas, and a HEAD route has the
 * schema of its GET.
 */
function isNormalized(schema: RouteSchema): boolean {
  const { query, querystring } = schema;
  // Another application may have normalized it: then both names have the same object.
  return completed.has(schema) || (query === querystring && typeof query === 'object');
}

/** What the validators of a route are compiled with. */
interface ValidatorBuild extends PartBuild<ValidatorRequest, ValidatorFunction> {
  /** The media type of bodies that the framework reads as forms; `undefined` if it reads none. */
  readonly formType: string | undefined;
  readonly messages: Compatibility['messages'];
}

export function compileValidators(
  schemas: RequestSchemas,
  route: RegisteredRoute,
  build: ValidatorBuild,
): PartValidators | undefined {
  warnUndefinedParts(route, build.messages);
  const compile = (part: HttpPart, schema: unknown, contentType?: string): ValidatorFunction => {
    const { method, url } = route as { method: string; url: string };
    const request: ValidatorRequest = { schema, method, url, httpPart: part };
    if (contentType !== undefined) request.contentType = contentType;
    if (contentType !== undefined && contentType === build.formType) request.hasFiles = true;
    if (part === 'headers') request.hasFieldNames = true;
    return compilePart(request, part, build, (validator) =>
      typeof validator === 'function' ? validator : rejectEveryRequest(part, validator),
    );
  };
  const parts = partsInOrder.filter((part) => schemas[part] !== undefined);
  if (parts.length === 0) return undefined;
  const { body, params, querystring, headers } = schemas;
  return {
    parts,
    params: params === undefined ? undefined : compile('params', params),
    body: body !== undefined && 'forAllTypes' in body ? compile('body', body.forAllTypes) : undefined,
    bodyByType:
      body !== undefined && 'byType' in body
        ? new Map([...body.byType].map(([type, schema]) => [type, compile('body', schema, type)]))
        : undefined,
    querystring: querystring === undefined ? undefined : compile('querystring', querystring),
    headers: headers === undefined ? undefined : compile('headers', headers),
  };
}

/**
 * Replaces a validator that is not a function. If a compiler returns nothing, boot fails; Fastify would accept every request. Any other
 * value fails each request, as in Fastify, so that an application that only generates its documentation still boots.
 */
function rejectEveryRequest(part: HttpPart, validator: unknown): ValidatorFunction {
  const received = textOf(validator);
  if (!validator) throw new ValidatorNotFunction(part, received);
  return () => {
    throw new ValidatorNotFunction(part, received);
  };
}

/** The media types that a body schema without `content` applies to, by the specification. */
const jsonTypes: readonly string[] = ['application/json', 'application/*+json'];

/** The media types that a route with this body schema accepts; `undefined` if it accepts every type that has a parser. */
export function acceptedTypes(
  body: ContentSchemas | undefined,
  appliesTo: Compatibility['bodySchemaAppliesTo'],
): readonly string[] | undefined {
  if (body === undefined || appliesTo === 'any') return undefined;
  return 'byType' in body ? [...body.byType.keys()] : jsonTypes;
}

/** Warns of parts that are declared but `undefined`: usually, a variable is misspelled or not exported. */
function warnUndefinedParts(route: RegisteredRoute, messages: Compatibility['messages']): void {
  const schema = route.schema as RouteSchema;
  for (const part of partsInOrder) {
    if (Object.hasOwn(schema, part) && schema[part] === undefined) {
      warnSchemaMissing(messages, part, String(route.method), route.url);
    }
  }
}

/**
 * The schema that plugins read in a route's live options: a copy, unless nothing changed. The declared object also gets what Fastify writes
 * into it (`querystring` beside `query`, and schemas instead of their builders), because plugins may have a reference to it.
 */
export function toPublicSchema(
  schema: RouteSchema,
  { params, querystring, headers, body }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
): RouteSchema {
  completeInPlace(schema);
  const declared = schema as Readonly<Record<string, unknown>>;
  const changes: Record<string, unknown> & Pick<RouteSchema, 'response'> = {};
  const publish = (name: string, value: unknown): void => {
    if (value !== declared[name]) changes[name] = value;
  };
  publish('params', params);
  publish('querystring', querystring);
  publish('headers', headers);
  if (declared.query !== undefined) publish('query', querystring);
  if (body !== undefined) publish('body', body.publicSchema);
  response.forEach(({ publicSchema }, status) => {
    if (publicSchema !== schema.response![status])
      changes.response = { ...(changes.response ?? schema.response), [status]: publicSchema };
  });
  const result = Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
  if (declared.query !== undefined) completed.add(schema).add(result);
  return result;
}

function completeInPlace(schema: RouteSchema): void {
  const { query, querystring = query } = schema;
  const declared = schema as Readonly<Record<string, unknown>>;
  const additions: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) {
    const plain = plainSchema(declared[name]);
    if (plain !== declared[name]) additions[name] = plain;
  }
  // The same object under both names, so that another application knows that they are one schema.
  if (query !== undefined) additions.querystring = additions.query ?? plainSchema(querystring);
  try {
    Object.assign(schema, additions);
  } catch {
    // The declared schema is frozen, so only the copy is complete.
  }
}
