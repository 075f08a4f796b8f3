/** Brings the schemas of a route into one form: aliases resolved, short forms expanded, `content` maps checked (specification 3.3, 6.1). */

import {
  OptionInvalid,
  ResponseStatusInvalid,
  SchemaContentMissing,
  SchemaDuplicated,
} from '../contract/errors.ts';
import type { RouteSchema } from '../contract/route-declaration.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { expandShortForm } from './json-schema.ts';
import { plainSchema } from './registry.ts';

/** One schema, or one a media type. */
export type ContentSchemas = { readonly whole: unknown } | { readonly byType: ReadonlyMap<string, unknown> };

export interface NormalizedSchema {
  /** The route's schema as `routeOptions` shows it. */
  readonly publicSchema: RouteSchema;
  readonly params: unknown;
  readonly querystring: unknown;
  readonly headers: unknown;
  readonly body: ContentSchemas | undefined;
}

const responseKey = /^(?:[1-5](?:\d\d|xx)|default)$/;

/** @throws An error of the catalogue that names what is missing, doubled or misplaced. */
export function normalizeSchema(schema: RouteSchema): NormalizedSchema {
  const { query, querystring = query } = schema;
  if (query !== undefined && querystring !== query) throw new SchemaDuplicated('querystring');
  const part = (value: unknown): unknown => expandShortForm(plainSchema(value));
  const parts = {
    params: part(schema.params),
    querystring: part(querystring),
    headers: part(schema.headers),
  };
  const body = schema.body === undefined ? undefined : bodySchemas(schema.body);
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  const publicSchema: RouteSchema = { ...schema, ...Object.fromEntries(given) };
  if (body !== undefined && 'whole' in body) publicSchema.body = body.whole;
  return { publicSchema, ...parts, body };
}

/** An empty `content` map is no schema at all. */
function bodySchemas(body: unknown): ContentSchemas | undefined {
  const schemas = contentSchemas(plainSchema(body));
  return 'byType' in schemas && schemas.byType.size === 0 ? undefined : schemas;
}

/**
 * The schemas of a response, by lower-case key: a status, `2xx`, `default`.
 *
 * @throws An error of the catalogue for a key that is none of these, or a media type without a schema.
 */
export function normalizeResponse(response: RouteSchema['response']): ReadonlyMap<string, ContentSchemas> {
  const schemas = new Map<string, ContentSchemas>();
  for (const [status, entry] of Object.entries(entriesOf(response))) {
    const key = status.toLowerCase();
    if (!responseKey.test(key)) throw new ResponseStatusInvalid();
    schemas.set(key, contentSchemas(plainSchema(entry)));
  }
  return schemas;
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
  if (!isContentMap(content)) return { whole: expandShortForm(entry) };
  const byType = new Map<string, unknown>();
  for (const [mediaType, value] of Object.entries(content)) {
    const { schema } = Object(value) as { schema?: unknown };
    if (schema === undefined || schema === null) throw new SchemaContentMissing(mediaType);
    byType.set(
      parseMediaType(mediaType).essence ?? mediaType.toLowerCase(),
      expandShortForm(plainSchema(schema)),
    );
  }
  return { byType };
}

/** A parameter of the short form may be called "content": its schema has neither a media type nor `schema` in it. */
function isContentMap(content: unknown): content is Record<string, unknown> {
  if (!isPlainObject(content)) return false;
  const entries = Object.entries(content);
  const isTyped = ([key, value]: [string, unknown]): boolean =>
    key.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped);
}
