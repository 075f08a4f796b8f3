/** Compiles the schemas of a route into its validators and serializers; every schema error surfaces here, at boot. */

import type { Compatibility } from '../contract/compatibility.ts';
import type {
  HttpPart,
  SerializerCompiler,
  SerializerFunction,
  ValidatorCompiler,
  ValidatorFunction,
} from '../contract/compiler.ts';
import { OptionInvalid, SerializerNotFunction, ValidatorNotFunction } from '../contract/errors.ts';
import type { PartValidators, ResponseSerializers } from '../contract/plan.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import {
  warnHeaderNameReference,
  warnHeaderSchemaReference,
  warnSchemaMissing,
} from '../contract/warnings.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { textOf } from '../shared/text-of.ts';
import { findExternalReference, findReferenceInNames, lowerCaseHeaderNames } from './json-schema.ts';
import type { ContentSchemas, RequestSchemas } from './normalize-schema.ts';
import { compilingPart } from './part-failure.ts';
import { type SerializerEntry, StatusSerializers } from './serialization/response-serializers.ts';
import { isStandardSchema } from './standard-schema.ts';

/** The media types that a body schema without `content` covers under the specification's reading. */
const jsonTypes: readonly string[] = ['application/json', 'application/*+json'];

/** The order in which the parts of a request are validated. */
const partsInOrder: readonly HttpPart[] = ['params', 'body', 'querystring', 'headers'];

/** How the validators of a route are made. */
export interface ValidatorBuild {
  readonly compiler: ValidatorCompiler;
  /** Whether the compiler is not the default one: it is given schemas as they are. */
  readonly isForeign: boolean;
  readonly words: Compatibility['messages'];
}

export function compileValidators(
  schema: RequestSchemas,
  route: RegisteredRoute,
  { compiler, isForeign, words }: ValidatorBuild,
): PartValidators | undefined {
  warnUndefinedParts(route, words);
  const compile = (part: HttpPart, partSchema: unknown, contentType?: string): ValidatorFunction => {
    const request = { schema: partSchema, method: route.method as string, url: route.url, httpPart: part };
    return compilingPart(named(part, contentType), partSchema, () => {
      checkPresence(partSchema, part);
      const validator = compiler(contentType === undefined ? request : { ...request, contentType });
      return typeof validator === 'function' ? validator : refuseAll(part, validator);
    });
  };
  const parts = partsInOrder.filter((part) => schema[part] !== undefined);
  if (parts.length === 0) return undefined;
  const { body, params, querystring, headers } = schema;
  return {
    parts,
    params: params === undefined ? undefined : compile('params', params),
    body: body !== undefined && 'whole' in body ? compile('body', body.whole) : undefined,
    bodyByType:
      body !== undefined && 'byType' in body
        ? mapValues(body.byType, (typed, type) => compile('body', typed, type))
        : undefined,
    querystring: querystring === undefined ? undefined : compile('querystring', querystring),
    headers:
      headers === undefined
        ? undefined
        : compile('headers', isForeign ? headers : headerSchema(headers, route, words)),
  };
}

/**
 * What stands for a validator that is no function. Nothing at all fails the boot: where Fastify lets every request in. Anything else fails the
 * requests, as in Fastify, so that an application boots that is only documented.
 */
function refuseAll(part: HttpPart, validator: unknown): ValidatorFunction {
  const received = textOf(validator);
  if (!validator) throw new ValidatorNotFunction(part, received);
  return () => {
    throw new ValidatorNotFunction(part, received);
  };
}

/** The media types that get past a body schema, or `undefined` when all that parse do. */
export function acceptedTypes(
  body: ContentSchemas | undefined,
  covers: Compatibility['bodySchemaAppliesTo'],
): readonly string[] | undefined {
  if (body === undefined || covers === 'any') return undefined;
  return 'byType' in body ? [...body.byType.keys()] : jsonTypes;
}

export function compileSerializers(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  compiler: SerializerCompiler,
): ResponseSerializers | undefined {
  if (response.size === 0) return undefined;
  const compile = (schema: unknown, httpStatus: string, contentType?: string): SerializerFunction => {
    const request = { schema, method: route.method as string, url: route.url, httpStatus };
    const part = `response ${httpStatus}`;
    return compilingPart(named(part, contentType), schema, () => {
      checkPresence(schema, part);
      const serializer = compiler(contentType === undefined ? request : { ...request, contentType });
      if (typeof serializer !== 'function') throw new SerializerNotFunction(httpStatus, String(serializer));
      return serializer;
    });
  };
  const entries = new Map<string, SerializerEntry>();
  for (const [given, entry] of response) {
    const status = given.toLowerCase();
    const serializers =
      'whole' in entry
        ? compile(entry.whole, status)
        : mapValues(entry.byType, (schema, type) => compile(schema, status, type));
    entries.set(status, serializers);
  }
  return new StatusSerializers(entries);
}

function named(part: string, contentType: string | undefined): string {
  return contentType === undefined ? part : `${part} (${contentType})`;
}

function mapValues<From, To>(
  map: ReadonlyMap<string, From>,
  to: (value: From, key: string) => To,
): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, to(value, key)]));
}

/** What else is no schema, the engines say themselves. */
function checkPresence(schema: unknown, part: string): void {
  if (schema === null || schema === undefined)
    throw new OptionInvalid('schema', `${part} must be a schema, instead got ${schema}`);
}

/** A part that is there but `undefined` is more often a typing error than a wish. */
function warnUndefinedParts(route: RegisteredRoute, words: Compatibility['messages']): void {
  const schema = route.schema as RouteSchema;
  for (const part of partsInOrder) {
    if (Object.hasOwn(schema, part) && schema[part] === undefined) {
      warnSchemaMissing(words, part, String(route.method), route.url);
    }
  }
}

/** Node delivers header names in lower case; the schema's names are lowered to match, as far as we can see them. */
function headerSchema(headers: unknown, route: RegisteredRoute, words: Compatibility['messages']): unknown {
  if (!isPlainObject(headers) || isStandardSchema(headers)) return headers;
  const method = String(route.method);
  const external = findExternalReference(headers);
  if (external !== undefined) warnHeaderSchemaReference(words, method, route.url, external);
  const inNames = findReferenceInNames(headers);
  if (inNames !== undefined) warnHeaderNameReference(words, method, route.url, inNames);
  return lowerCaseHeaderNames(headers);
}
