/** Reads one part of a route's schema: a single schema, or one for each media type under `content` (specification 6.1). */
import {
  expandShortForm,
  plainSchema,
  readSchema,
  type SchemaContent,
  unreadSchema,
} from '@ambit/json-schema';
import { parseMediaRange } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/values.ts';
import { MediaRangeInvalid, OptionInvalid, SchemaContentMissing } from '../types/errors.ts';

/**
 * One schema for all media types, or one for each media type, with the item schemas of streams by media type. `publicSchema` is what
 * plugins read instead of the declared schema.
 */
export type ContentSchemas = (
  | { readonly forAllTypes: unknown }
  | { readonly byType: ReadonlyMap<string, unknown>; readonly items: ReadonlyMap<string, unknown> }
) & { readonly publicSchema: unknown };

/**
 * `{ content: { 'media/type': { schema } } }` has one schema for each media type. Anything else is one schema for all media types.
 *
 * @param part The name of the part in messages.
 * @param mayStream Whether a media type may have an `itemSchema`, instead of its `schema` or beside it.
 * @throws {SchemaContentMissing} for a media type without a schema.
 * @throws {MediaRangeInvalid} for a key that no media type matches, because its values would be sent whole or not be validated.
 */
export function readContentSchemas(declared: unknown, part: string, mayStream = false): ContentSchemas {
  const entry = plainSchema(declared);
  const content = isPlainObject(entry) ? entry.content : undefined;
  if (!isContentMap(content)) {
    const forAllTypes = expandShortForm(entry);
    return { forAllTypes, publicSchema: forAllTypes };
  }
  const byType = new Map<string, unknown>();
  const items = new Map<string, unknown>();
  const publicContent: Record<string, unknown> = { ...content };
  for (const [mediaType, value] of Object.entries(content)) {
    const mediaTypeEntry = Object(value) as { schema?: unknown; itemSchema?: unknown };
    const declaredSchemas = Object.entries({
      schema: mediaTypeEntry.schema,
      itemSchema: mayStream ? mediaTypeEntry.itemSchema : undefined,
    });
    const expanded = declaredSchemas.flatMap(([name, schema]) =>
      schema === undefined || schema === null ? [] : [[name, expandShortForm(plainSchema(schema))] as const],
    );
    if (expanded.length === 0) throw new SchemaContentMissing(mediaType);
    const essence = parseMediaRange(mediaType);
    if (essence === undefined) throw new MediaRangeInvalid(part, mediaType, 'is not a media type or a range');
    if (byType.has(essence) || items.has(essence))
      throw new MediaRangeInvalid(part, mediaType, `is the same as another key, '${essence}'`);
    for (const [name, schema] of expanded) {
      (name === 'schema' ? byType : items).set(essence, schema);
      if (schema !== mediaTypeEntry[name as keyof typeof mediaTypeEntry])
        publicContent[mediaType] = { ...Object(publicContent[mediaType]), [name]: schema };
    }
  }
  const isChanged = Object.keys(publicContent).some(
    (mediaType) => publicContent[mediaType] !== content[mediaType],
  );
  return { byType, items, publicSchema: isChanged ? { ...Object(entry), content: publicContent } : entry };
}

/**
 * Whether `content` has media types. In the short form, a parameter may be called `content`: its schema contains neither media types nor
 * `schema`.
 */
function isContentMap(content: unknown): content is Record<string, unknown> {
  if (!isPlainObject(content)) return false;
  const entries = Object.entries(content);
  const isTyped = ([key, value]: [string, unknown]): boolean =>
    key.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped);
}

/** Calls a function with each schema of a part, and the name of the schema in messages. */
export function eachSchema(
  schemas: ContentSchemas,
  part: string,
  use: (schema: unknown, name: string) => void,
): void {
  if ('forAllTypes' in schemas) use(schemas.forAllTypes, part);
  else {
    for (const [mediaType, schema] of schemas.byType) use(schema, namePart(part, mediaType));
    for (const [mediaType, schema] of schemas.items) use(schema, `${part} (items of ${mediaType})`);
  }
}

/** The name of a part in messages: `body`, `response 200 (text/csv)`. */
export function namePart(part: string, contentType: string | undefined): string {
  return contentType === undefined ? part : `${part} (${contentType})`;
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

/** The schemas of one route that must be searched for mistakes. Most routes have none. */
export class SuspectSchemas {
  /** `undefined` if there is none: every route has an instance of this class. */
  #contents: Map<unknown, SchemaContent> | undefined;

  get isEmpty(): boolean {
    return this.#contents === undefined;
  }

  /** Reads a schema that is about to be compiled. */
  read(schema: unknown): SchemaContent {
    const content = readSchema(schema);
    if (content.mayHaveFile || content.mayMissNames) this.#add(schema, content);
    return content;
  }

  /** Adds a schema for a compiler of the application. Such a schema is compiled without being read first. */
  addUnread(schema: unknown): void {
    this.#add(schema, unreadSchema);
  }

  #add(schema: unknown, content: SchemaContent): void {
    this.#contents ??= new Map();
    this.#contents.set(schema, content);
  }

  mayHaveFile(schema: unknown): boolean {
    return this.#contents?.get(schema)?.mayHaveFile === true;
  }

  mayMissNames(schema: unknown): boolean {
    return this.#contents?.get(schema)?.mayMissNames === true;
  }
}
