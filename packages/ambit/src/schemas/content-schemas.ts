/** Pure helpers for one part of a route's schema: a single schema, or one for each media type under `content` (specification 6.1). */
import { SchemaContentMissing } from '../contract/errors.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { expandShortForm } from './short-form.ts';

/** One schema, or one for each media type; and the form that plugins read instead of what the route declared. */
export type ContentSchemas = (
  | { readonly whole: unknown }
  | { readonly byType: ReadonlyMap<string, unknown> }
) & { readonly publicSchema: unknown };

/**
 * `{ content: { 'media/type': { schema } } }` has one schema for each media type; anything else is one schema for all types.
 *
 * @throws {SchemaContentMissing} for a media type without a schema.
 */
export function readContentSchemas(declared: unknown): ContentSchemas {
  const entry = plainSchema(declared);
  const content = isPlainObject(entry) ? entry.content : undefined;
  if (!isContentMap(content)) {
    const whole = expandShortForm(entry);
    return { whole, publicSchema: whole };
  }
  const byType = new Map<string, unknown>();
  const publicContent: Record<string, unknown> = { ...content };
  for (const [mediaType, value] of Object.entries(content)) {
    const { schema: declaredSchema } = Object(value) as { schema?: unknown };
    if (declaredSchema === undefined || declaredSchema === null) throw new SchemaContentMissing(mediaType);
    const schema = expandShortForm(plainSchema(declaredSchema));
    byType.set(parseMediaType(mediaType).essence ?? mediaType.toLowerCase(), schema);
    if (schema !== declaredSchema) publicContent[mediaType] = { ...Object(value), schema };
  }
  const isChanged = Object.keys(publicContent).some(
    (mediaType) => publicContent[mediaType] !== content[mediaType],
  );
  return { byType, publicSchema: isChanged ? { ...Object(entry), content: publicContent } : entry };
}

/** A parameter of the short form may be called "content": its schema has neither a media type nor `schema` in it. */
function isContentMap(content: unknown): content is Record<string, unknown> {
  if (!isPlainObject(content)) return false;
  const entries = Object.entries(content);
  const isTyped = ([key, value]: [string, unknown]): boolean =>
    key.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped);
}

/** The name of a part in messages: `body`, `response 200 (text/csv)`. */
export function namePart(part: string, contentType: string | undefined): string {
  return contentType === undefined ? part : `${part} (${contentType})`;
}

const fluentMarker = Symbol.for('fluent-schema-object');

/** The JSON Schema that a builder object of fluent-json-schema holds; any other value is returned as it is. */
export function plainSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    isFluentSchema,
    isFluentJSONSchema,
    [fluentMarker]: isMarked,
  } = schema as Record<string | symbol, unknown>;
  return isFluentSchema || isFluentJSONSchema || isMarked ? schema.valueOf() : schema;
}
