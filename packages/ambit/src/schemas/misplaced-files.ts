/**
 * Finds files in schemas where none are possible: only fields of forms can be files, and a body or reply that is not JSON can be a file as
 * a whole.
 */

import { followReference, pointerOf, type SchemaLocation, subschemasOf, Visits } from '@ambit/json-schema';
import { isPlainObject } from '../shared/values.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import { isBinary } from './binary-schemas.ts';
import type { ContentSchemas } from './content-schemas.ts';
import type { RequestSchemas } from './request-schemas.ts';
import type { SuspectSchemas } from './suspect-schemas.ts';

/** A schema that describes a file where there can be none. */
export interface MisplacedFile {
  /** The name of the part in messages: `body`, `response 200 (application/json)`. */
  readonly part: string;
  /** A JSON Pointer in a URI fragment, with the `$id` of a shared schema in front. */
  readonly schemaPath: string;
}

/** What the search needs besides the schemas. */
export interface FileSearchOptions {
  readonly shared: SharedSchemas;
  readonly suspects: SuspectSchemas;
  /** Whether the framework reads the forms of the route. A parser of the application may represent files in another way. */
  readonly readsForms: boolean;
}

/** Which values may be files: none, the value as a whole, or the fields of a form. */
type Files = 'none' | 'whole' | 'fields';

export function findMisplacedFile(
  { body, ...parts }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
  options: FileSearchOptions,
): MisplacedFile | undefined {
  for (const [part, schema] of Object.entries(parts)) {
    const schemaPath = find(schema, 'none', options);
    if (schemaPath !== undefined) return { part, schemaPath };
  }
  for (const [part, entry] of [['body', body] as const, ...namedResponses(response)]) {
    const found = entry && findInContent(part, entry, options);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namedResponses(response: ReadonlyMap<string, ContentSchemas>): [string, ContentSchemas][] {
  return [...response].map(([status, entry]) => [`response ${status}`, entry]);
}

function findInContent(
  part: string,
  entry: ContentSchemas,
  options: FileSearchOptions,
): MisplacedFile | undefined {
  if ('forAllTypes' in entry) {
    // A reply may be a stream or bytes. A body without `content` is JSON.
    const schemaPath = find(entry.forAllTypes, part === 'body' ? 'none' : 'whole', options);
    return schemaPath === undefined ? undefined : { part, schemaPath };
  }
  for (const [type, schema] of entry.byType) {
    if (type.startsWith('multipart/') && !(part === 'body' && options.readsForms)) continue;
    const schemaPath = find(schema, filesIn(type), options);
    if (schemaPath !== undefined) return { part: `${part} (${type})`, schemaPath };
  }
  return undefined;
}

function filesIn(type: string): Files {
  if (type.startsWith('multipart/')) return 'fields';
  return type === 'application/x-www-form-urlencoded' || /[/+]json$/.test(type) ? 'none' : 'whole';
}

/** Where a value is: the whole, a field of it, an item of a field that is an array, or further inside. */
type Level = 'whole' | 'field' | 'item' | 'inside';

const allowed: Readonly<Record<Files, readonly Level[]>> = {
  none: [],
  whole: ['whole'],
  fields: ['field', 'item'],
};

function find(schema: unknown, files: Files, { shared, suspects }: FileSearchOptions): string | undefined {
  if (!suspects.mayHaveFile(schema)) return undefined;
  return new FileSearch(files, shared).visit(schema, { document: schema, pointer: '#' }, 'whole');
}

/** How the level changes in the keywords that may contain a file. */
const levelIn = {
  same: (level: Level): Level => level,
  members: (level: Level): Level => (level === 'whole' ? 'field' : 'inside'),
  items: (level: Level): Level => (level === 'field' ? 'item' : 'inside'),
} as const;
const searched = new Map<string, (level: Level) => Level>([
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].map((name) => [name, levelIn.same] as const),
  ...['properties', 'patternProperties', 'additionalProperties'].map(
    (name) => [name, levelIn.members] as const,
  ),
  ...['items', 'prefixItems', 'additionalItems', 'contains'].map((name) => [name, levelIn.items] as const),
]);

class FileSearch {
  readonly #allowed: readonly Level[];
  readonly #shared: SharedSchemas;
  readonly #visits: Readonly<Record<Level, Visits>>;

  constructor(files: Files, shared: SharedSchemas) {
    this.#allowed = allowed[files];
    this.#shared = shared;
    const visitsAt = (level: Level) => new Visits(shared, `files ${files} ${level}`);
    this.#visits = {
      whole: visitsAt('whole'),
      field: visitsAt('field'),
      item: visitsAt('item'),
      inside: visitsAt('inside'),
    };
  }

  /** Returns the pointer of the first file that is not allowed. */
  visit(schema: unknown, location: SchemaLocation, level: Level): string | undefined {
    if (!isPlainObject(schema) || !this.#visits[level].add(schema, location)) return undefined;
    const isFile: boolean = isBinary(schema);
    if (isFile) return this.#allowed.includes(level) ? undefined : location.pointer;
    const target = followReference(schema.$ref, location, this.#shared);
    const referred = target && this.visit(target.schema, target.location, level);
    if (referred !== undefined) return referred;
    for (const inner of subschemasOf(schema)) {
      const levelOf = searched.get(inner.keyword);
      if (levelOf === undefined) continue;
      const at = { document: location.document, pointer: pointerOf(inner, location.pointer) };
      const found = this.visit(inner.schema, at, levelOf(level));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
