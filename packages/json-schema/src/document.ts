/** One addressable schema. The references in it are resolved against it. */
import { type Dialect, dialectOf } from './dialect.ts';
import { decode, followPointer } from './pointer.ts';
import { isEqual, isSchemaObject, SchemaError, type SchemaObject } from './schema.ts';
import { resolveUri, splitReference, uriOf } from './uri.ts';
import { subschemasOf } from './walk.ts';

/** A document, or a subschema with its own `$id`. */
export class Resource {
  /** Different from that of every other resource of the registry. */
  readonly number: number;
  /** Its schema. */
  readonly root: SchemaObject;
  /** Its URI without a fragment, or the name of a shared schema; empty for a document without one. */
  readonly uri: string;
  /** The URI that relative references are resolved against: the `$id` of a document, or its URI. */
  readonly base: string;
  /** The dialect that it declares, or that of the schema around it. */
  readonly dialect: Dialect;
  /** The resource that contains it; `undefined` for a document. */
  readonly parent: Resource | undefined;
  #names: Names | undefined;

  /** @param dialect The dialect of the schema around it. */
  constructor(number: number, root: SchemaObject, uri: string, dialect: Dialect, parent?: Resource) {
    this.number = number;
    this.root = root;
    this.uri = uri;
    this.base = (parent === undefined && uriOf(root)) || uri;
    this.dialect = dialectOf(root, dialect);
    this.parent = parent;
  }

  /** The document that contains it: itself, if nothing does. */
  get document(): Resource {
    return this.parent === undefined ? this : this.parent.document;
  }

  /** The schema for a fragment. The fragment is empty, a JSON Pointer, or the name of an anchor or of an `$id` that starts with `#`. */
  find(fragment: string): unknown {
    if (fragment === '') return this.root;
    const found =
      fragment[0] === '/' ? followPointer(this.root, fragment) : this.identified.get(`#${decode(fragment)}`);
    return found ?? this.parent?.find(fragment);
  }

  /**
   * The `$id` of every schema inside, as written and resolved (RFC 3986), and each `#name` (or anchor) that belongs to
   * no other `$id`. Collected when it is first needed, because most references are pointers.
   */
  get identified(): ReadonlyMap<string, SchemaObject> {
    return this.#collected.identified;
  }

  /** The schemas with a `$dynamicAnchor` that belong to no other `$id`, by its name. */
  get dynamicAnchors(): ReadonlyMap<string, SchemaObject> {
    return this.dialect.name === 'draft-07' ? none : this.#collected.dynamicAnchors;
  }

  get #collected(): Names {
    this.#names ??= collectNames(this.root, this);
    return this.#names;
  }
}

type Names = Pick<Resource, 'identified' | 'dynamicAnchors'>;

const none: ReadonlyMap<string, SchemaObject> = new Map();

/** A schema that the search for names still has to visit. */
interface Step {
  readonly schema: SchemaObject;
  /** The closest resolved `$id`. */
  readonly base: string;
  /** Whether `base` is the `$id` of the root. */
  readonly isOwn: boolean;
}

function collectNames(root: SchemaObject, { uri, base: rootBase }: Resource): Names {
  const identified = new Map<string, SchemaObject>();
  const dynamicAnchors = new Map<string, SchemaObject>();
  const seen = new Set<unknown>();
  const pending: Step[] = [{ schema: root, base: rootBase, isOwn: true }];

  function add(id: string, schema: SchemaObject): void {
    const existing = identified.get(id);
    if (existing === undefined) identified.set(id, schema);
    else if (!isEqual(existing, schema))
      throw new SchemaError(`two schemas have the name "${id}"`, uri === '' ? '' : `${uri}#`);
  }
  /** Collects the names of a schema, and returns where its subschemas are. */
  function enter({ schema, base, isOwn }: Step): Pick<Step, 'base' | 'isOwn'> {
    const { $id, $anchor, $dynamicAnchor } = schema;
    const [id, fragment] = typeof $id === 'string' ? splitReference($id) : ['', ''];
    const isNested = schema !== root && id !== '';
    const inside = isNested ? { base: resolveUri(id, base), isOwn: false } : { base, isOwn };
    if (isNested) for (const name of new Set([id, inside.base])) add(name, schema);
    if (!inside.isOwn) return inside;
    for (const name of [fragment, $anchor, $dynamicAnchor])
      if (typeof name === 'string' && name !== '') add(`#${name}`, schema);
    if (typeof $dynamicAnchor === 'string') dynamicAnchors.set($dynamicAnchor, schema);
    return inside;
  }
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if (seen.has(step.schema)) continue;
    seen.add(step.schema);
    const inside = enter(step);
    for (const { schema } of subschemasOf(step.schema))
      if (isSchemaObject(schema)) pending.push({ ...inside, schema });
  }
  return { identified, dynamicAnchors };
}
