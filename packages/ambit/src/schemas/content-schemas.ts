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
import type { SerializerRequest, ValidatorRequest } from '../types/compilers.ts';
import { MediaRangeInvalid, OptionInvalid, SchemaContentMissing } from '../types/errors.ts';
import { type ContentCompiler, withPart } from './schema-engines.ts';

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
  const changes: Record<string, unknown> = {};
  for (const [mediaType, value] of Object.entries(content)) {
    const declared = Object(value) as { schema?: unknown; itemSchema?: unknown };
    const schema = expand(declared.schema);
    const itemSchema = mayStream ? expand(declared.itemSchema) : undefined;
    if (schema === undefined && itemSchema === undefined) throw new SchemaContentMissing(mediaType);
    const essence = parseMediaRange(mediaType);
    if (essence === undefined) throw new MediaRangeInvalid(part, mediaType, 'is not a media type or a range');
    if (byType.has(essence) || items.has(essence))
      throw new MediaRangeInvalid(part, mediaType, `is the same as another key, '${essence}'`);
    if (schema !== undefined) byType.set(essence, schema);
    if (itemSchema !== undefined) items.set(essence, itemSchema);
    const expanded = {
      ...(schema !== undefined && { schema }),
      ...(itemSchema !== undefined && { itemSchema }),
    };
    if (Object.entries(expanded).some(([name, each]) => each !== declared[name as keyof typeof declared]))
      changes[mediaType] = { ...declared, ...expanded };
  }
  const isChanged = Object.keys(changes).length > 0;
  const publicSchema = isChanged ? { ...Object(entry), content: { ...content, ...changes } } : entry;
  return { byType, items, publicSchema };
}

/** Returns the full form of a schema; `undefined` if there is none. */
function expand(declared: unknown): unknown {
  return declared === undefined || declared === null ? undefined : expandShortForm(plainSchema(declared));
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

/** The schemas of one route that must be searched for mistakes. Most routes have none. */
export type SuspectSchemas = Map<unknown, SchemaContent>;

/** What the schemas of a route are compiled with. */
export interface PartBuild<Request, Compiled> {
  readonly compile: ContentCompiler<Request, Compiled>;
  /** Whether the application or the route sets the compiler: it then gets schemas as they are. */
  readonly isCustom: boolean;
  /** Records the schemas, for the search for mistakes. */
  readonly suspects: SuspectSchemas;
}

/**
 * Compiles the schema of a part. Engines report every invalid schema themselves, but for one that is missing.
 *
 * @param part The name of the part in messages.
 * @param read Checks what the compiler returns.
 * @throws {PartFailure}
 */
export function compilePart<Request extends ValidatorRequest | SerializerRequest, Compiled>(
  request: Request,
  part: string,
  { compile, isCustom, suspects }: PartBuild<Request, Compiled>,
  read: (compiled: Compiled) => Compiled,
): Compiled {
  const { schema, contentType } = request;
  return withPart(namePart(part, contentType), schema, () => {
    if (schema === null || schema === undefined)
      throw new OptionInvalid('schema', `${part} must be a schema, instead got ${schema}`);
    // A compiler of the application may get anything, so it is not read.
    const content = isCustom ? unreadSchema : readSchema(schema);
    if (content.mayHaveFile || content.mayMissNames) suspects.set(schema, content);
    return read(isCustom ? compile(request) : compile(request, content));
  });
}
