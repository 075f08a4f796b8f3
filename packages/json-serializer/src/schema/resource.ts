/** Owns one addressable schema: a document, or a subschema with an `$id` of its own. References inside resolve against it. */
import { isSchemaObject, type SchemaObject } from '../json-schema.ts';
import { followPointer } from '../pointer.ts';

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
    this.#identified ??= collectIdentified(this.root);
    return this.#identified;
  }
}

function collectIdentified(root: SchemaObject): Map<string, SchemaObject> {
  const found = new Map<string, SchemaObject>();
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isSchemaObject(value)) {
      if (typeof value.$id === 'string' && !found.has(value.$id)) found.set(value.$id, value);
      if (typeof value.$anchor === 'string') found.set(`#${value.$anchor}`, value);
    }
    for (const [key, child] of Object.entries(value)) if (!dataKeywords.has(key)) pending.push(child);
  }
  return found;
}
