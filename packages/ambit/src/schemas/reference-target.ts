/** Follows references between JSON Schemas that are only read, not compiled. */
import type { SharedSchemas } from '../types/compilers.ts';
import { resolvePointer } from './json-pointer.ts';

/** The location of a subschema. */
export interface SchemaLocation {
  readonly document: unknown;
  /** The JSON Pointer, with the `$id` of the document in front if the document is a shared schema. */
  readonly pointer: string;
}

/** A schema and its location. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly location: SchemaLocation;
}

/**
 * Returns the target of a reference that consists of a name and a pointer. Other forms are not followed.
 *
 * @param shared The shared schemas by `$id`.
 */
export function followReference(
  reference: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
): ReferenceTarget | undefined {
  if (typeof reference !== 'string') return undefined;
  const [written, pointer = ''] = reference.split('#', 2) as [string, string?];
  const id = written === '' ? location.pointer.split('#', 1)[0]! : written;
  const document = written === '' ? location.document : ownProperty(shared, id);
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const schema = resolvePointer(document, pointer);
  return schema === undefined ? undefined : { schema, location: { document, pointer: `${id}#${pointer}` } };
}

function ownProperty(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
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

  /** @param purpose What the result of a visit depends on, besides the schema. */
  constructor(shared: SharedSchemas, purpose: string) {
    const byPurpose = visitedByPurpose.get(shared) ?? new Map<string, Set<unknown>>();
    visitedByPurpose.set(shared, byPurpose);
    this.#shared = byPurpose.get(purpose) ?? new Set();
    byPurpose.set(purpose, this.#shared);
  }

  /** Records a visit. Returns false if the schema was visited before. */
  add(schema: unknown, { pointer }: SchemaLocation): boolean {
    const visited = pointer.startsWith('#') ? this.#own : this.#shared;
    return visited.size !== visited.add(schema).size;
  }
}
