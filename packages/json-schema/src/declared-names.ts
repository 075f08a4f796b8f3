/** Collects the property names that a JSON Schema declares: in itself, in its branches and in the schemas that it refers to. */
import { followReference, type SchemaLocation } from './follow-reference.ts';
import { isPlainObject, type SchemaObject, type SharedSchemas } from './schema.ts';

/** Keywords with schemas for the same value. */
export const branchLists: readonly string[] = ['allOf', 'anyOf', 'oneOf'];
/** Keywords that may declare names in ways that this search does not follow. */
const unknownKeywords = ['$merge', '$patch', 'dependentSchemas', 'unevaluatedProperties', 'discriminator'];

/** The names that all schemas for one object declare. */
export class DeclaredNames {
  /** The names in `properties`. */
  readonly names: Set<string> = new Set();
  /** Whether other names are allowed, or may be allowed by a keyword or a reference that is not followed. */
  isOpen = false;
  readonly #patterns: string[] = [];
  /** Schemas may refer to one another in circles. */
  readonly #visited = new Set<unknown>();
  readonly #shared: SharedSchemas;

  /**
   * @param schema The schema of the object.
   * @param location Its location.
   * @param shared The shared schemas by `$id`.
   */
  constructor(schema: unknown, location: SchemaLocation, shared: SharedSchemas) {
    this.#shared = shared;
    this.#add(schema, location);
  }

  /** Whether a name is declared, or matches a declared pattern. @param name The name. */
  has(name: string): boolean {
    return this.names.has(name) || this.#patterns.some((pattern) => matches(pattern, name));
  }

  #add(schema: unknown, location: SchemaLocation): void {
    if (!isPlainObject(schema) || this.#visited.has(schema)) return;
    this.#visited.add(schema);
    for (const name of Object.keys(Object(schema.properties))) this.names.add(name);
    this.#patterns.push(...Object.keys(Object(schema.patternProperties)));
    const { additionalProperties: others } = schema;
    this.isOpen ||=
      others === true || isPlainObject(others) || unknownKeywords.some((name) => name in schema);
    for (const keyword of [...branchLists, 'if', 'then', 'else'])
      for (const branch of [schema[keyword]].flat()) this.#add(branch, location);
    for (const part of Object.values(Object(schema.dependencies))) this.#add(part, location);
    if (schema.$ref !== undefined) this.#addTarget(schema.$ref, location);
  }

  #addTarget(reference: unknown, location: SchemaLocation): void {
    const target = followReference(reference, location, this.#shared);
    if (target === undefined) this.isOpen = true;
    else this.#add(target.schema, target.location);
  }
}

/**
 * Whether a schema itself declares a name.
 * @param schema The schema.
 * @param name The name.
 */
export function declares(schema: SchemaObject, name: string): boolean {
  const { properties, patternProperties } = schema;
  return (
    Object.hasOwn(Object(properties), name) ||
    Object.keys(Object(patternProperties)).some((pattern) => matches(pattern, name))
  );
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    // The engine reports that the pattern is invalid.
    return true;
  }
}
