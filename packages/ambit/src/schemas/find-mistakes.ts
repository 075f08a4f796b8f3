/** Finds what schemas may say and is almost certainly a mistake: files where there can be none, and required properties that are not declared. */
import {
  type AppliesTo,
  branchLists,
  DeclaredNames,
  declares,
  followReference,
  pointerOf,
  type ReferenceTarget,
  type SchemaLocation,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import { nearestName } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SharedSchemas } from '../types/compilers.ts';
import type { ContentSchemas, SuspectSchemas } from './content-schemas.ts';
import { isBinary, unsearched } from './form-schemas.ts';
import type { RequestSchemas } from './request-schemas.ts';

/** A schema that describes a file where there can be none. */
export interface MisplacedFile {
  /** The name of the part in messages: `body`, `response 200 (application/json)`. */
  readonly part: string;
  /** A JSON Pointer in a URI fragment, with the `$id` of a shared schema in front. */
  readonly schemaPath: string;
}

/** What the search needs besides the schemas. */
interface FileSearchOptions {
  readonly shared: SharedSchemas;
  readonly suspects: SuspectSchemas;
  /** Whether the framework reads the forms of the route. A parser of the application may represent files in another way. */
  readonly readsForms: boolean;
}

/**
 * Finds a file where none is possible: only fields of forms can be files, and a body or reply that is not JSON can be a file as a whole.
 */
export function findMisplacedFile(
  { body, ...parts }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
  options: FileSearchOptions,
): MisplacedFile | undefined {
  for (const [part, schema] of Object.entries(parts)) {
    const schemaPath = find(schema, 'none', options);
    if (schemaPath !== undefined) return { part, schemaPath };
  }
  const replies = [...response].map(([status, entry]) => [`response ${status}`, entry] as const);
  for (const [part, entry] of [['body', body] as const, ...replies]) {
    const found = entry && findInContent(part, entry, options);
    if (found !== undefined) return found;
  }
  return undefined;
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

/** Which values may be files: none, the value as a whole, or the fields of a form. */
type Files = 'none' | 'whole' | 'fields';

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

/** How the level changes in the schemas that may describe a file. */
const levelIn: Partial<Record<AppliesTo, (level: Level) => Level>> = {
  same: (level) => level,
  properties: (level) => (level === 'whole' ? 'field' : 'inside'),
  items: (level) => (level === 'field' ? 'item' : 'inside'),
};

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
      const levelOf = inner.appliesTo && levelIn[inner.appliesTo];
      if (levelOf === undefined || unsearched.has(inner.keyword)) continue;
      const at = { document: location.document, pointer: pointerOf(inner, location.pointer) };
      const found = this.visit(inner.schema, at, levelOf(level));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** A property that is required and not declared. */
export interface Undeclared {
  readonly name: string;
  /** The schema that requires it. */
  readonly schema: JsonSchema;
  /** Where it is required, as a JSON Pointer in a URI fragment: `#/properties/owner`. */
  readonly pointer: string;
  /**
   * `never`: no value is valid, because the schema forbids what it requires. `removed`: the property is removed after validation.
   * `open`: the property is allowed, but not declared.
   */
  readonly effect: 'never' | 'removed' | 'open';
  /** A property with a similar name that is declared and not required. */
  readonly nearest: string | undefined;
}

export interface UndeclaredOptions {
  readonly shared: SharedSchemas;
  /**
   * What happens to properties that an object does not declare. `refused`, `removed`: they are rejected or removed if
   * `additionalProperties` is false. `always`: they are always removed. `merged`: all schemas for one object count as one, and only what
   * they declare is written.
   */
  readonly others: 'refused' | 'removed' | 'always' | 'merged';
}

/**
 * Finds properties that a schema requires but does not declare. Most are misspelled, and nothing else reports them. One can be found
 * several times, because a schema is checked together with each schema that refers to it.
 */
export function findUndeclared(schema: unknown, options: UndeclaredOptions): readonly Undeclared[] {
  const search = new UndeclaredSearch(options);
  search.visit(schema, { document: schema, pointer: '#' });
  return search.undeclared;
}

/** One of the schemas that apply to the same object. */
interface Member {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Keywords whose schemas describe other values: members and items. */
const valueKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'additionalItems'],
]);

class UndeclaredSearch {
  readonly undeclared: Undeclared[] = [];
  readonly #options: UndeclaredOptions;
  readonly #checked: Visits;
  readonly #entered: Visits;

  constructor(options: UndeclaredOptions) {
    this.#options = options;
    this.#checked = new Visits(options.shared, `names ${options.others}`);
    this.#entered = new Visits(options.shared, `parts ${options.others}`);
  }

  visit(schema: unknown, location: SchemaLocation): void {
    if (!isPlainObject(schema) || !this.#checked.add(schema, location)) return;
    // A reference alone adds nothing to its target.
    const target = isReference(schema) ? this.#follow(schema, location) : undefined;
    if (target !== undefined) this.visit(target.schema, target.location);
    else {
      if (!this.#isUnion(schema)) this.#check(schema, location);
      this.#visitParts(schema, location);
    }
  }

  /** Whether a schema only lists branches, which describe different objects. */
  #isUnion(schema: JsonSchema): boolean {
    return !('properties' in schema) && !('required' in schema) && ('anyOf' in schema || 'oneOf' in schema);
  }

  #visitParts(schema: JsonSchema, location: SchemaLocation): void {
    if (!this.#entered.add(schema, location)) return;
    const { document, pointer } = location;
    const isUnion = this.#isUnion(schema);
    for (const inner of subschemasOf(schema)) {
      const { schema: part, keyword } = inner;
      const isBranch = branchLists.includes(keyword);
      if (!isBranch && !valueKeywords.has(keyword)) continue;
      const at = { document, pointer: pointerOf(inner, pointer) };
      if (!isBranch || (isUnion && keyword !== 'allOf')) this.visit(part, at);
      else if (isPlainObject(part)) this.#visitParts(part, at);
    }
    // The target of a reference applies to the same object, so it was checked together with it.
    const target = this.#follow(schema, location);
    if (isPlainObject(target?.schema)) this.#visitParts(target.schema, target.location);
  }

  #check(schema: JsonSchema, location: SchemaLocation): void {
    const members = this.#members(schema, location);
    if (!members.some(({ schema: { required } }) => Array.isArray(required) && required.length > 0)) return;
    const declared = new DeclaredNames(schema, location, this.#options.shared);
    // Such a schema may only add requirements to another schema.
    if (declared.names.size === 0 && members.every(({ schema: { type } }) => type !== 'object')) return;
    const required = new Set(members.flatMap(({ schema }) => namesIn(schema.required)));
    const unrequired = [...declared.names].filter((name) => !required.has(name));
    for (const [at, { schema: requiring, pointer }] of members.entries()) {
      for (const name of namesIn(requiring.required)) {
        const effect = this.#effectOf(name, at, members, declared);
        if (effect === undefined) continue;
        const nearest = nearestName(name, unrequired);
        this.undeclared.push({ name, schema: requiring, pointer, effect, nearest });
      }
    }
  }

  /** The first member that forbids the name decides the effect: validation fails if it comes before the member that requires the name. */
  #effectOf(
    name: string,
    at: number,
    members: readonly Member[],
    declared: DeclaredNames,
  ): Undeclared['effect'] | undefined {
    const { others } = this.#options;
    const forbidding = members.findIndex(({ schema }) => this.#isClosed(schema) && !declares(schema, name));
    if (forbidding !== -1) return others === 'refused' || forbidding < at ? 'never' : 'removed';
    return declared.isOpen || declared.has(name) ? undefined : 'open';
  }

  #isClosed({ additionalProperties, properties }: JsonSchema): boolean {
    const { others } = this.#options;
    if (others === 'always' && additionalProperties === undefined) return properties !== undefined;
    return others !== 'merged' && additionalProperties === false;
  }

  /** All schemas that apply to the object, in the order of validation: the schema itself comes last. */
  #members(schema: JsonSchema, location: SchemaLocation, seen: Set<unknown> = new Set()): Member[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const members: Member[] = [];
    const target = this.#follow(schema, location);
    if (target !== undefined && isPlainObject(target.schema)) {
      members.push(...this.#members(target.schema, target.location, seen));
    }
    for (const [i, branch] of [schema.allOf ?? []].flat().entries()) {
      const at = { ...location, pointer: `${location.pointer}/allOf/${i}` };
      if (isPlainObject(branch)) members.push(...this.#members(branch, at, seen));
    }
    return [...members, { schema, pointer: location.pointer }];
  }

  #follow({ $ref: reference }: JsonSchema, location: SchemaLocation): ReferenceTarget | undefined {
    return followReference(reference, location, this.#options.shared);
  }
}

function isReference(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) =>
    ['$ref', 'title', 'description', '$comment'].includes(keyword),
  );
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
