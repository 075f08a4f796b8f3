/** Describes bodies by media type, for requests and responses, and moves the examples of schemas to where pages show them. */

import { isPlainObject } from '@ambit/json-schema';
import { expandSchema } from 'ambit';
import type { MediaTypeObject } from '../document-types.ts';
import { copyJson, isObject, type Json, setMember } from '../json.ts';
import type { OpenAPIVersion } from '../options.ts';
import { isFullSchema } from '../schema/plain-schema.ts';
import type { DescribedSchema } from '../schema/schema-location.ts';
import type { Part, PartDescriber } from './part-describer.ts';

/** The `content` of an entry; `undefined` if the entry is a schema, because a property of the short form may have the name "content". */
export function contentOf(entry: unknown): Json | undefined {
  const { content } = isPlainObject(entry) ? entry : ({} as Json);
  if (!isPlainObject(content)) return undefined;
  const entries = Object.entries(content);
  const isTyped = ([type, value]: [string, unknown]): boolean =>
    type.includes('/') || 'schema' in Object(value);
  return entries.length === 0 || entries.some(isTyped) ? content : undefined;
}

/** An entry that is a schema with further fields; `undefined` if all its names are properties of the short form. */
export function annotationsOf(entry: unknown): Json | undefined {
  if (!isPlainObject(entry) || '~standard' in entry) return undefined;
  return isFullSchema(entry) || contentOf(entry) !== undefined || expandSchema(entry) === entry
    ? entry
    : undefined;
}

export class ContentDescriber {
  readonly #parts: PartDescriber;
  readonly #version: OpenAPIVersion;

  constructor(parts: PartDescriber, version: OpenAPIVersion) {
    this.#parts = parts;
    this.#version = version;
  }

  /** One schema for each media type. @throws {OpenAPIError} */
  byType(content: Json, part: Part): { [mediaType: string]: MediaTypeObject } {
    const entries = Object.entries(content).map(([type, declaredMedia]) => {
      const media: MediaTypeObject = {};
      const { schema, itemSchema, ...rest } = Object(declaredMedia) as Json;
      const name = `${part.name} (${type})`;
      if (schema !== undefined) this.#describeInto(media, 'schema', schema, { ...part, name });
      this.#describeItemSchema(media, itemSchema, { ...part, name, hint: `${part.hint}Item` });
      if (type === 'multipart/form-data') addEncoding(media, schema);
      for (const [field, value] of Object.entries(rest)) media[field] = copyJson(value);
      return [type, media];
    });
    return Object.fromEntries(entries);
  }

  /** The same schema for each of the media types. */
  forTypes(schema: unknown, types: readonly string[], part: Part): { [mediaType: string]: MediaTypeObject } {
    const entries = types.map((type) => {
      const media: MediaTypeObject = {};
      this.#describeInto(media, 'schema', schema, part);
      return [type, media];
    });
    return Object.fromEntries(entries);
  }

  #describeInto(media: Json, field: string, schema: unknown, part: Part): DescribedSchema {
    const described = this.#parts.describeInto(media, field, schema, part);
    if (isObject(described)) takeExamples(described, media);
    return described;
  }

  /** OpenAPI has a keyword for the items of a stream since version 3.2. Without it, pages and generators see an array of them. */
  #describeItemSchema(media: Json, itemSchema: unknown, part: Part): void {
    if (itemSchema === undefined) return;
    const hasKeyword = this.#version === '3.2';
    this.#parts.describeInto(media, hasKeyword ? 'itemSchema' : 'x-itemSchema', itemSchema, part);
    if (!hasKeyword && media.schema === undefined) {
      const sequence: Json = { type: 'array' };
      this.#parts.describeInto(sequence, 'items', itemSchema, part);
      media.schema = sequence;
    }
    // An empty schema for the whole stream has no information for readers.
    if (hasKeyword && (media.schema === true || JSON.stringify(media.schema) === '{}')) delete media.schema;
  }
}

/** Adds the media types that the files of a form may have. OpenAPI 3.0 has no `contentMediaType`, and tools read `encoding`. */
function addEncoding(media: Json, schema: unknown): void {
  const { properties } = Object(schema) as { properties?: unknown };
  const encoding: Json = {};
  for (const [name, property] of Object.entries(Object(properties))) {
    const { items = property } = Object(property) as { items?: unknown };
    const { format, contentMediaType } = Object(items) as Json;
    if (format === 'binary' && typeof contentMediaType === 'string')
      setMember(encoding, name, { contentType: contentMediaType });
  }
  if (Object.keys(encoding).length > 0) media.encoding = encoding;
}

/** Removes `example`, `examples` and `x-examples` from a schema, and writes them to its owner, such as a media type. */
function takeExamples(schema: Json, owner: Json): void {
  if (!giveExamples(schema, owner)) return;
  delete schema.example;
  delete schema.examples;
  delete schema['x-examples'];
}

/** Returns whether there were examples. */
export function giveExamples({ example, examples, 'x-examples': named }: Json, owner: Json): boolean {
  if (isObject(named)) owner.examples = copyJson(named);
  else if (Array.isArray(examples) && examples.length > 1)
    owner.examples = nameExamples(copyJson(examples) as unknown[]);
  else if (Array.isArray(examples) && examples.length === 1) owner.example = copyJson(examples[0]);
  else if (example !== undefined) owner.example = copyJson(example);
  else return false;
  return true;
}

function nameExamples(examples: readonly unknown[]): Json {
  return Object.fromEntries(
    examples.map((value, i) => [typeof value === 'object' ? `example${i + 1}` : String(value), { value }]),
  );
}
