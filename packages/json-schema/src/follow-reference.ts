/** Follows references between schemas that are searched, without a registry: only those that consist of a name and a pointer. */
import { followPointer } from './pointer.ts';
import { isPlainObject, type SharedSchemas } from './schema.ts';
import { splitReference } from './uri.ts';

/** The location of a subschema. */
export interface SchemaLocation {
  /** The document that contains it. */
  readonly document: unknown;
  /** The JSON Pointer, with the `$id` of the document in front if the document is a shared schema. */
  readonly pointer: string;
}

/** A schema and its location. */
export interface ReferenceTarget {
  /** The schema. */
  readonly schema: unknown;
  /** Where it is. */
  readonly location: SchemaLocation;
}

/**
 * Returns the target of a reference that consists of a name and a pointer. Other forms are not followed.
 *
 * @param reference The value of `$ref`.
 * @param location The location of the schema with the reference.
 * @param shared The shared schemas by `$id`.
 */
export function followReference(
  reference: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
): ReferenceTarget | undefined {
  if (typeof reference !== 'string') return undefined;
  const [written, pointer] = splitReference(reference);
  const id = written === '' ? splitReference(location.pointer)[0] : written;
  const shares = Object.hasOwn(shared, id) ? shared[id] : undefined;
  const document = written === '' ? location.document : shares;
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const schema = followPointer(document, pointer);
  return schema === undefined ? undefined : { schema, location: { document, pointer: `${id}#${pointer}` } };
}

/**
 * Finds the first `$ref` that matches, anywhere in the schema, also in data.
 *
 * @param schema The schema.
 * @param matches Whether a reference is the one.
 */
export function findReference(schema: unknown, matches: (reference: string) => boolean): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $ref: reference } = schema as { $ref?: unknown };
  if (typeof reference === 'string' && matches(reference)) return reference;
  for (const value of Object.values(schema)) {
    const found = findReference(value, matches);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Collects the names of the shared schemas that a schema refers to, directly or through other schemas.
 *
 * @param schema The schema.
 * @param shared The shared schemas by `$id`.
 * @param referenced The names that are known already.
 */
export function collectReferencedShared(
  schema: unknown,
  shared: SharedSchemas,
  referenced: Set<string> = new Set(),
): Set<string> {
  findReference(schema, (reference) => {
    const [id] = splitReference(reference);
    if (id === '' || referenced.has(id) || !Object.hasOwn(shared, id)) return false;
    collectReferencedShared(shared[id], shared, referenced.add(id));
    return false;
  });
  return referenced;
}

/** A schema that applies to a value, and where it is. */
export interface SchemaPart {
  /** The schema. */
  readonly schema: Record<string, unknown>;
  /** Where it is. */
  readonly location: SchemaLocation;
}

/**
 * The schemas that apply to a value by `$ref` and `allOf`, in the order of validation: the schema itself comes last. References that lead
 * nowhere are left out.
 *
 * @param schema The schema.
 * @param location Its location.
 * @param shared The shared schemas by `$id`.
 * @param parts The list to which the schemas are added.
 * @param seen The schemas that are not added again.
 */
export function partsOf(
  schema: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
  parts: SchemaPart[] = [],
  seen: Set<unknown> = new Set(),
): SchemaPart[] {
  if (!isPlainObject(schema) || seen.has(schema)) return parts;
  seen.add(schema);
  const target = followReference(schema.$ref, location, shared);
  if (target !== undefined) partsOf(target.schema, target.location, shared, parts, seen);
  for (const [index, branch] of [schema.allOf ?? []].flat().entries())
    partsOf(branch, { ...location, pointer: `${location.pointer}/allOf/${index}` }, shared, parts, seen);
  parts.push({ schema, location });
  return parts;
}

/** The subschemas of shared schemas that a search has visited, by its purpose. The key is the object with all shared schemas. */
const visitedByPurpose = new WeakMap<SharedSchemas, Map<string, Set<unknown>>>();

/**
 * The schemas that a search has visited, because schemas may refer to one another in circles. Those in shared schemas are visited once
 * for all routes: to search them again for each route that refers to them would take most of the time of boot.
 */
export class Visits {
  readonly #own = new Set<unknown>();
  readonly #shared: Set<unknown>;

  /**
   * @param shared The object with all shared schemas.
   * @param purpose What the result of a visit depends on, besides the schema.
   */
  constructor(shared: SharedSchemas, purpose: string) {
    const byPurpose = visitedByPurpose.get(shared) ?? new Map<string, Set<unknown>>();
    visitedByPurpose.set(shared, byPurpose);
    this.#shared = byPurpose.get(purpose) ?? new Set();
    byPurpose.set(purpose, this.#shared);
  }

  /**
   * Records a visit. Returns false if the schema was visited before.
   * @param schema The schema.
   * @param location Where it is.
   */
  add(schema: unknown, location: SchemaLocation): boolean {
    const visited = location.pointer.startsWith('#') ? this.#own : this.#shared;
    return visited.size !== visited.add(schema).size;
  }
}
