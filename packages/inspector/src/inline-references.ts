/** Replaces references with the schemas that they refer to, so that a schema can be read without the shared ones. */
import {
  dialectNamed,
  isSchemaObject,
  joinPointer,
  mapSchema,
  type Part,
  Registry,
  SchemaError,
  type SchemaObject,
  splitReference,
} from '@ambit/json-schema';

/** The maximum number of schemas in the result. References after this limit are not replaced. */
const maxSchemas = 10_000;

/**
 * @param schema The schema, as plain JSON.
 * @param shared The shared schemas, by `$id`.
 * @param keepsSiblings Whether keywords next to `$ref` apply (2019-09 and later), or are ignored (draft-07).
 * @returns The schema without references. A recursive reference becomes a JSON Pointer into the result, such as
 *   `#/properties/child`. A reference without a target is not changed. A `$comment` names each shared schema.
 */
export function inlineReferences(
  schema: unknown,
  shared: Readonly<Record<string, unknown>>,
  keepsSiblings: boolean,
): unknown {
  if (!isSchemaObject(schema)) return schema;
  const dialect = dialectNamed(keepsSiblings ? '2020-12' : 'draft-07');
  try {
    const registry = new Registry(shared, dialect).extend();
    return new Inliner(registry, keepsSiblings).write(registry.addRoot(schema), '#');
  } catch (error) {
    // Two schemas have one name: nobody knows which one a reference means.
    if (error instanceof SchemaError) return schema;
    throw error;
  }
}

class Inliner {
  readonly #registry: Registry;
  readonly #keepsSiblings: boolean;
  /** The schemas that are being written, with their JSON Pointers in the result. */
  readonly #pointers = new Map<SchemaObject, string>();
  #count = 0;

  constructor(registry: Registry, keepsSiblings: boolean) {
    this.#registry = registry;
    this.#keepsSiblings = keepsSiblings;
  }

  write(part: Part, pointer: string): unknown {
    const { $ref: reference } = part.schema;
    this.#pointers.set(part.schema, pointer);
    const isReplaced = ++this.#count < maxSchemas && typeof reference === 'string';
    const target = isReplaced ? this.#registry.find(reference, part) : undefined;
    const written =
      target === undefined
        ? this.#writeKeywords(part.schema, part, pointer)
        : this.#writeReference(part, target, pointer);
    this.#pointers.delete(part.schema);
    return written;
  }

  #writeKeywords(keywords: SchemaObject, part: Part, pointer: string): SchemaObject {
    return mapSchema(keywords, (inner, ...steps) => {
      if (!isSchemaObject(inner)) return inner;
      const at = steps.filter((step) => step !== undefined).reduce<string>(joinPointer, pointer);
      return this.write(this.#registry.child(part, inner), at);
    });
  }

  #writeReference(part: Part, target: Part | boolean, pointer: string): unknown {
    const { $ref, ...siblings } = part.schema;
    if (!this.#keepsSiblings || Object.keys(siblings).length === 0)
      return this.#writeTarget(target, String($ref), pointer);
    const { allOf = [], ...written } = this.#writeKeywords(siblings, part, pointer);
    const branches = [allOf].flat();
    const at = `${pointer}/allOf/${branches.length}`;
    return { ...written, allOf: [...branches, this.#writeTarget(target, String($ref), at)] };
  }

  #writeTarget(target: Part | boolean, reference: string, pointer: string): unknown {
    if (typeof target === 'boolean') return target;
    const openPointer = this.#pointers.get(target.schema);
    if (openPointer !== undefined) return { $ref: openPointer };
    const written = this.write(target, pointer);
    const [uri] = splitReference(reference);
    const isDocument = target.schema === target.base.root && target.base.parent === undefined;
    if (!isDocument || uri === '' || !isSchemaObject(written)) return written;
    // An `$id` would change the base of the references into the result.
    const { $id: _, ...rest } = written;
    return { $comment: `shared schema ${uri}`, ...rest };
  }
}
