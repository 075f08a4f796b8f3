/** Brings the schemas of a route into one form: aliases resolved, short forms expanded, `content` maps checked (specification 3.3, 6.1). */

import {
  OptionInvalid,
  ResponseStatusInvalid,
  SchemaContentMissing,
  SchemaDuplicated,
} from '../contract/errors.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { expandShortForm } from './json-schema.ts';
import { plainSchema } from './registry.ts';

/** One schema, or one a media type; and what plugins are to see in the place of what was given. */
export type ContentSchemas = (
  | { readonly whole: unknown }
  | { readonly byType: ReadonlyMap<string, unknown> }
) & { readonly publicSchema: unknown };

/** The schemas of the parts of a request; `undefined` where there is none. */
export interface RequestSchemas {
  readonly params: unknown;
  readonly querystring: unknown;
  readonly headers: unknown;
  readonly body: ContentSchemas | undefined;
}

const responseKey = /^(?:[1-5](?:\d\d|xx)|default)$/;

/** @throws An error of the catalogue that names what is missing, doubled or misplaced. */
export function normalizeRequest(schema: RouteSchema): RequestSchemas {
  const { params, query, querystring = query, headers, body } = schema;
  if (query !== undefined && schema.querystring !== undefined && !isNormalized(schema)) {
    throw new SchemaDuplicated('querystring');
  }
  const part = (value: unknown): unknown => expandShortForm(plainSchema(value));
  return {
    params: part(params),
    querystring: part(querystring),
    headers: part(headers),
    body: body === undefined ? undefined : bodySchemas(body),
  };
}

/** Schemas that have `querystring` from us, beside `query`. */
const completed = new WeakSet<object>();

/** Routes share schemas, and HEAD has that of its GET: what was normalized before has both names for the same schema. */
function isNormalized(schema: RouteSchema): boolean {
  const { query, querystring } = schema;
  // Another application may have normalized it: there one object stands under both names.
  return completed.has(schema) || (query === querystring && typeof query === 'object');
}

/** An empty `content` map is no schema at all. */
function bodySchemas(body: unknown): ContentSchemas | undefined {
  const schemas = contentSchemas(plainSchema(body));
  return 'byType' in schemas && schemas.byType.size === 0 ? undefined : schemas;
}

/**
 * The schemas of a response, by the key as it was given: a status, `2xx`, `default`.
 *
 * @throws An error of the catalogue for a key that is none of these, or a media type without a schema.
 */
export function normalizeResponse(response: RouteSchema['response']): ReadonlyMap<string, ContentSchemas> {
  const schemas = new Map<string, ContentSchemas>();
  for (const [status, entry] of Object.entries(entriesOf(response))) {
    if (!responseKey.test(status.toLowerCase())) throw new ResponseStatusInvalid();
    schemas.set(status, contentSchemas(plainSchema(entry)));
  }
  return schemas;
}

/**
 * The schema as plugins are to read it in a route's live options: a copy, unless nothing is to be changed. What Fastify writes into the
 * object that was given, that object gets as well, for plugins that took it out of the options: `querystring` beside `query`, and built
 * schemas in the place of their builders.
 */
export function showSchemas(
  schema: RouteSchema,
  { body, ...parts }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
): RouteSchema {
  buildInPlace(schema);
  const given = schema as Readonly<Record<string, unknown>>;
  const shown: Record<string, unknown> = { ...parts };
  if (given.query !== undefined) shown.query = parts.querystring;
  if (body !== undefined) shown.body = body.publicSchema;
  const changed = [...response].filter(([status, entry]) => entry.publicSchema !== schema.response![status]);
  if (changed.length > 0) {
    const entries = changed.map(([status, entry]) => [status, entry.publicSchema] as const);
    shown.response = { ...schema.response, ...Object.fromEntries(entries) };
  }
  const changes = Object.entries(shown).filter(([name, value]) => value !== given[name]);
  const result = changes.length === 0 ? schema : { ...schema, ...Object.fromEntries(changes) };
  if (given.query !== undefined) completed.add(schema).add(result);
  return result;
}

function buildInPlace(schema: RouteSchema): void {
  const { query, querystring = query } = schema;
  const built: Record<string, unknown> = {};
  for (const [name, part] of Object.entries({ ...schema, ...(query !== undefined && { querystring }) })) {
    const plain = plainSchema(part);
    if (plain !== (schema as Record<string, unknown>)[name]) built[name] = plain;
  }
  // One object under both names, by which another application knows that they are the same.
  if (query !== undefined) Object.assign(built, built.query !== undefined && { querystring: built.query });
  try {
    Object.assign(schema, built);
  } catch {
    // It is frozen: the copy is enough.
  }
}

/** `condition && response` may come to `false`; anything else that is no object was meant to be one. */
function entriesOf(response: unknown): object {
  if (response === undefined || response === false) return {};
  if (typeof response === 'object' && response !== null && !Array.isArray(response)) return response;
  const received = response === null ? 'null' : Array.isArray(response) ? 'array' : typeof response;
  throw new OptionInvalid(
    'schema',
    `response must be an object of schemas by status, instead got ${received}`,
  );
}

/** `{ content: { 'media/type': { schema } } }` is one schema a media type; everything else is one for all. */
function contentSchemas(entry: unknown): ContentSchemas {
  const content = isPlainObject(entry) ? entry.content : undefined;
  if (!isContentMap(content)) {
    const whole = expandShortForm(entry);
    return { whole, publicSchema: whole };
  }
  const byType = new Map<string, unknown>();
  const publicSchema: Record<string, unknown> = { ...content };
  for (const [mediaType, value] of Object.entries(content)) {
    const { schema: given } = Object(value) as { schema?: unknown };
    if (given === undefined || given === null) throw new SchemaContentMissing(mediaType);
    const schema = expandShortForm(plainSchema(given));
    byType.set(parseMediaType(mediaType).essence ?? mediaType.toLowerCase(), schema);
    if (schema !== given) publicSchema[mediaType] = { ...Object(value), schema };
  }
  const isChanged = Object.keys(publicSchema).some(
    (mediaType) => publicSchema[mediaType] !== content[mediaType],
  );
  return { byType, publicSchema: isChanged ? { ...Object(entry), content: publicSchema } : entry };
}

/** A parameter of the short form may be called "content": its schema has neither a media type nor `schema` in it. */
function isContentMap(content: unknown): content is Record<string, unknown> {
  if (!isPlainObject(content)) return false;
  const entries = Object.entries(content);
  const isTyped = ([key, value]: [string, unknown]): boolean =>
    key.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped);
}
