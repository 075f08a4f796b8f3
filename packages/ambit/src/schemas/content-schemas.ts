/** Pure helpers for one part of a route's schema: a single schema, or one for each media type under `content` (specification 6.1). */
import { SchemaContentMissing } from '../contract/errors.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { plainSchema } from './fluent-schema.ts';
import { expandShortForm } from './short-form.ts';

/**
 * One schema, or one for each media type; the schemas of the items of a stream, by media type; and the form that plugins read instead of
 * what the route declared.
 */
export type ContentSchemas = (
  | { readonly whole: unknown }
  | { readonly byType: ReadonlyMap<string, unknown>; readonly items: ReadonlyMap<string, unknown> }
) & { readonly publicSchema: unknown };

/**
 * `{ content: { 'media/type': { schema } } }` has one schema for each media type; anything else is one schema for all types.
 *
 * @param mayStream Whether a media type may have an `itemSchema` in place of, or beside, its `schema`.
 * @throws {SchemaContentMissing} for a media type without a schema.
 */
export function readContentSchemas(declared: unknown, mayStream = false): ContentSchemas {
  const entry = plainSchema(declared);
  const content = isPlainObject(entry) ? entry.content : undefined;
  if (!isContentMap(content)) {
    const whole = expandShortForm(entry);
    return { whole, publicSchema: whole };
  }
  const byType = new Map<string, unknown>();
  const items = new Map<string, unknown>();
  const publicContent: Record<string, unknown> = { ...content };
  for (const [mediaType, value] of Object.entries(content)) {
    const given = Object(value) as { schema?: unknown; itemSchema?: unknown };
    const declared = Object.entries({
      schema: given.schema,
      itemSchema: mayStream ? given.itemSchema : undefined,
    });
    const expanded = declared.flatMap(([name, schema]) =>
      schema === undefined || schema === null ? [] : [[name, expandShortForm(plainSchema(schema))] as const],
    );
    if (expanded.length === 0) throw new SchemaContentMissing(mediaType);
    const essence = parseMediaType(mediaType).essence ?? mediaType.toLowerCase();
    for (const [name, schema] of expanded) {
      (name === 'schema' ? byType : items).set(essence, schema);
      if (schema !== given[name as keyof typeof given])
        publicContent[mediaType] = { ...Object(publicContent[mediaType]), [name]: schema };
    }
  }
  const isChanged = Object.keys(publicContent).some(
    (mediaType) => publicContent[mediaType] !== content[mediaType],
  );
  return { byType, items, publicSchema: isChanged ? { ...Object(entry), content: publicContent } : entry };
}

/** A parameter of the short form may be called "content": its schema has neither a media type nor `schema` in it. */
function isContentMap(content: unknown): content is Record<string, unknown> {
  if (!isPlainObject(content)) return false;
  const entries = Object.entries(content);
  const isTyped = ([key, value]: [string, unknown]): boolean =>
    key.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped);
}

/** Calls a function with each schema of a part, and its name in messages. */
export function eachSchema(
  schemas: ContentSchemas,
  part: string,
  use: (schema: unknown, name: string) => void,
): void {
  if ('whole' in schemas) use(schemas.whole, part);
  else {
    for (const [mediaType, schema] of schemas.byType) use(schema, namePart(part, mediaType));
    for (const [mediaType, schema] of schemas.items) use(schema, `${part} (items of ${mediaType})`);
  }
}

/** The name of a part in messages: `body`, `response 200 (text/csv)`. */
export function namePart(part: string, contentType: string | undefined): string {
  return contentType === undefined ? part : `${part} (${contentType})`;
}
