/** Owns one addressable schema: a document, or a subschema with an `$id` of its own. References inside resolve against it. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type SchemaObject } from '../json-schema.ts';
import { followPointer } from '../pointer.ts';
import { isEqual } from '../validate/equality.ts';

// Keywords whose value is data, not schemas: an `$id` inside them names nothing.
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);

export class Resource {
  readonly number: number;
  readonly root: SchemaObject;
  readonly uri: string;
  readonly parent: Resource | undefined;
  #identified: ReadonlyMap<string, SchemaObject> | undefined;

  constructor(number: number, root: SchemaObject, uri: string, parent?: Resource) {
    this.number = number;
    this.root = root;
    this.uri = uri;
    this.parent = parent;
  }

  /** The schema a fragment names: empty, a JSON Pointer, or the name of an `$id` that starts with `#`. */
  find(fragment: string): unknown {
    if (fragment === '') return this.root;
    const found =
      fragment[0] === '/' ? followPointer(this.root, fragment) : this.identified.get(`#${fragment}`);
    return found ?? this.parent?.find(fragment);
  }

  /** Every `$id` (and `$anchor`) inside. Collected on first need: most references are pointers. */
  get identified(): ReadonlyMap<string, SchemaObject> {
    this.#identified ??= collectIdentified(this.root, this.uri);
    return this.#identified;
  }
}

function collectIdentified(root: SchemaObject, uri: string): Map<string, SchemaObject> {
  const found = new Map<string, SchemaObject>();
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];

  function add(id: string, schema: SchemaObject): void {
    const known = found.get(id);
    if (known === undefined) found.set(id, schema);
    else if (!isEqual(known, schema))
      throw new SchemaError(`two schemas go by "${id}"`, uri === '' ? '' : `${uri}#`);
  }
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isSchemaObject(value)) {
      if (typeof value.$id === 'string') add(value.$id, value);
      if (typeof value.$anchor === 'string') add(`#${value.$anchor}`, value);
    }
    for (const [key, child] of Object.entries(value)) if (!dataKeywords.has(key)) pending.push(child);
  }
  return found;
}
