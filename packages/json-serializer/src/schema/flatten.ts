/** Owns the flattening of a schema into parts that all apply: `$ref` with its siblings, and `allOf`. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject } from '../json-schema.ts';
import { joinPointer } from '../pointer.ts';
import { isEqual } from '../validate/equality.ts';
import { maxDepth, tooDeep } from './check-document.ts';
import { keyword, type Part, type Registry } from './registry.ts';

/** What applies to a value: parts without `$ref` and `allOf`, in order; or `false`, when nothing is allowed. */
export type Parts = readonly Part[] | false;

export function flatten(registry: Registry, parts: readonly Part[]): Parts {
  const [only] = parts;
  // Most schemas are one part.
  if (parts.length === 1 && only!.schema.$ref === undefined && only!.schema.allOf === undefined) return parts;
  const flat = new Set<Part>();
  let depth = 0;

  function add(part: Part): boolean {
    if (++depth > maxDepth) throw new SchemaError(tooDeep, part.pointer);
    const before = flat.size;
    const allowed = addReference(part) && (contradicts(part, [...flat].slice(before)) || addOwn(part));
    depth--;
    return allowed;
  }

  function addReference(part: Part): boolean {
    if (keyword(part, '$ref') === undefined) return true;
    const target = registry.resolve(part);
    return typeof target === 'boolean' ? target : add(target);
  }

  function addOwn(part: Part): boolean {
    const branches = keyword(part, 'allOf');
    if (branches === undefined) {
      if (part.schema.$ref === undefined) flat.add(part);
      else if (!isOnlyReference(part)) flat.add(registry.without(part, '$ref'));
      return true;
    }
    flat.add(registry.without(part, '$ref', 'allOf'));
    return readBranches(registry, part, 'allOf').every((branch) =>
      typeof branch === 'boolean' ? branch : add(branch),
    );
  }

  return parts.every(add) && [...flat];
}

/** Keywords that say nothing of what is written. */
const annotations = ['title', 'description', '$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

/** Whether a part says no more than what it refers to. Left out, it shares the shape of that: one for each type, however often used. */
function isOnlyReference({ schema }: Part): boolean {
  return Object.keys(schema).every((name) => name === '$ref' || annotations.includes(name));
}

/**
 * Whether what stands beside a `$ref` contradicts what that points at. Then the latter is right: for draft 7 nothing stands
 * beside a `$ref` at all.
 */
function contradicts(beside: Part, targets: readonly Part[]): boolean {
  return targets.some(({ schema }) =>
    ['type', 'enum', 'const', 'default', 'format'].some((name) => {
      const own = beside.schema[name];
      const other = schema[name];
      if (own === undefined || other === undefined) return false;
      if (name !== 'type' && name !== 'enum') return !isEqual(own, other);
      return ![own].flat().some((value) => [other].flat().includes(value));
    }),
  );
}

/** The subschemas of a keyword that holds a list of schemas. */
export function readBranches(registry: Registry, part: Part, name: string): (Part | boolean)[] {
  const branches = keyword(part, name);
  if (!Array.isArray(branches) || branches.length === 0) {
    throw new SchemaError(`${name} must be a list of schemas`, joinPointer(part.pointer, name));
  }
  return branches.map((branch, index) => readChild(registry, part, branch, name, index));
}

/** One subschema, checked to be a schema. */
export function readChild(
  registry: Registry,
  part: Part,
  schema: unknown,
  ...segments: (string | number)[]
): Part | boolean {
  if (typeof schema === 'boolean') return schema;
  if (isSchemaObject(schema)) return registry.child(part, schema, ...segments);
  throw new SchemaError(
    'a schema must be an object or a boolean',
    segments.reduce(joinPointer, part.pointer),
  );
}
