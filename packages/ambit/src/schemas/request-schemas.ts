/** Compiles the schemas that a route declares for its request into validators (specification 3.3, 5.1). */

import { expandShortForm, plainSchema } from '@ambit/json-schema';
import { textOf } from '../shared/thrown-values.ts';
import type { HttpPart, ValidatorFunction, ValidatorRequest } from '../types/compilers.ts';
import { OptionInvalid, SchemaDuplicated, ValidatorNotFunction } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { PartValidators } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnSchemaMissing } from '../types/warnings.ts';
import { type ContentSchemas, namePart, readContentSchemas } from './content-schemas.ts';
import { isNormalized } from './public-schema.ts';
import { withPart } from './schema-build-error.ts';
import type { ContentCompiler } from './schema-engine.ts';
import type { SuspectSchemas } from './suspect-schemas.ts';

/** The schemas of the parts of a request in their full form; `undefined` for a part without a schema. */
export interface RequestSchemas {
  readonly params: unknown;
  readonly querystring: unknown;
  readonly headers: unknown;
  readonly body: ContentSchemas | undefined;
}

/** The media types that a body schema without `content` applies to, by the specification. */
const jsonTypes: readonly string[] = ['application/json', 'application/*+json'];

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

/** What the validators of a route are compiled with. */
export interface ValidatorBuild {
  readonly compileValidator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  /** Whether the application or the route sets the compiler: it then gets schemas as they are. */
  readonly hasCustomValidator: boolean;
  /** Records the schemas that the default compiler compiles, for the search for mistakes. */
  readonly suspects: SuspectSchemas;
  /** The media type of bodies that the framework reads as forms; `undefined` if it reads none. */
  readonly formType: string | undefined;
  readonly messages: Compatibility['messages'];
}

export function compileValidators(
  schemas: RequestSchemas,
  route: RegisteredRoute,
  { compileValidator, hasCustomValidator, suspects, formType, messages }: ValidatorBuild,
): PartValidators | undefined {
  warnUndefinedParts(route, messages);
  const compile = (part: HttpPart, schema: unknown, contentType?: string): ValidatorFunction => {
    const { method, url } = route as { method: string; url: string };
    const request: ValidatorRequest = { schema, method, url, httpPart: part };
    if (contentType !== undefined) request.contentType = contentType;
    if (contentType !== undefined && contentType === formType) request.hasFiles = true;
    if (part === 'headers') request.hasFieldNames = true;
    return withPart(namePart(part, contentType), schema, () => {
      requireSchema(schema, part);
      const validator = hasCustomValidator
        ? compileValidator(request)
        : compileValidator(request, suspects.read(schema));
      return typeof validator === 'function' ? validator : rejectEveryRequest(part, validator);
    });
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

/** The media types that a route with this body schema accepts; `undefined` if it accepts every type that has a parser. */
export function acceptedTypes(
  body: ContentSchemas | undefined,
  appliesTo: Compatibility['bodySchemaAppliesTo'],
): readonly string[] | undefined {
  if (body === undefined || appliesTo === 'any') return undefined;
  return 'byType' in body ? [...body.byType.keys()] : jsonTypes;
}

/**
 * Checks that there is a schema. Engines report every other invalid value themselves.
 *
 * @throws {OptionInvalid}
 */
export function requireSchema(schema: unknown, part: string): void {
  if (schema === null || schema === undefined)
    throw new OptionInvalid('schema', `${part} must be a schema, instead got ${schema}`);
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
