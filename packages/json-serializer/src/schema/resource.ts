/** One addressable schema: a document, or a subschema with its own `$id`. The references in it are resolved against it. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type SchemaObject } from '../json-schema.ts';
import { followPointer } from '../pointer.ts';
import { isEqual } from '../validate/equality.ts';
import { type Dialect, dialectOf } from './dialect.ts';

// Keywords whose value is data, not schemas: an `$id` inside them has no meaning.
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);
// Keywords whose value contains schemas by name. The user chooses these names, so a name such as `default` is not a keyword.
const mapKeywords = new Set([
  'definitions',
  '$defs',
  'properties',
  'patternProperties',
  'dependencies',
  'dependentSchemas',
]);

export class Resource {
  readonly number: number;
  readonly root: SchemaObject;
  readonly uri: string;
  readonly dialect: Dialect;
  readonly parent: Resource | undefined;
  #names: Names | undefined;

  /** @param dialect The dialect of the schema around it. */
  constructor(number: number, root: SchemaObject, uri: string, dialect: Dialect, parent?: Resource) {
    this.number = number;
    this.root = root;
    this.uri = uri;
    this.dialect = dialectOf(root, dialect);
    this.parent = parent;
  }

  /** The schema for a fragment. The fragment is empty, a JSON Pointer, or the name of an `$id` that starts with `#`. */
  find(fragment: string): unknown {
    if (fragment === '') return this.root;
    const found =
      fragment[0] === '/' ? followPointer(this.root, fragment) : this.identified.get(`#${fragment}`);
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
    this.#names ??= collectNames(this.root, this.uri);
    return this.#names;
  }
}

interface Names {
  readonly identified: ReadonlyMap<string, SchemaObject>;
  readonly dynamicAnchors: ReadonlyMap<string, SchemaObject>;
}

const none: ReadonlyMap<string, SchemaObject> = new Map();

/** A value that the walk for names still has to visit. */
interface Step {
  readonly value: unknown;
  /** Whether its keys are names of the user, not keywords. */
  readonly isMap: boolean;
  /** The closest resolved `$id`. */
  readonly base: string;
  /** Whether `base` is the `$id` of the root. */
  readonly isOwn: boolean;
}

function collectNames(root: SchemaObject, uri: string): Names {
  const found = new Map<string, SchemaObject>();
  const dynamicAnchors = new Map<string, SchemaObject>();
  const seen = new Set<unknown>();
  const pending: Step[] = [{ value: root, isMap: false, base: uri, isOwn: true }];

  function add(id: string, schema: SchemaObject): void {
    const existing = found.get(id);
    if (existing === undefined) found.set(id, schema);
    else if (!isEqual(existing, schema))
      throw new SchemaError(`two schemas have the name "${id}"`, uri === '' ? '' : `${uri}#`);
  }
  /** Collects the names of a schema, and returns where its subschemas are. */
  function enter(schema: SchemaObject, { base, isOwn }: Step): Pick<Step, 'base' | 'isOwn'> {
    const { $id, $anchor, $dynamicAnchor } = schema;
    const isNested = schema !== root && isAbsoluteId($id);
    const inside = isNested ? { base: resolveUri(stripHash($id), base), isOwn: false } : { base, isOwn };
    if (isNested) for (const id of new Set([stripHash($id), inside.base])) add(id, schema);
    if (inside.isOwn && typeof $id === 'string' && $id[0] === '#') add($id, schema);
    for (const anchor of [$anchor, $dynamicAnchor])
      if (inside.isOwn && typeof anchor === 'string') add(`#${anchor}`, schema);
    if (inside.isOwn && typeof $dynamicAnchor === 'string') dynamicAnchors.set($dynamicAnchor, schema);
    return inside;
  }
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { value, isMap } = step;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const inside = isMap || !isSchemaObject(value) ? step : enter(value, step);
    for (const [key, child] of Object.entries(value)) {
      if (!isMap && dataKeywords.has(key)) continue;
      pending.push({ ...inside, value: child, isMap: !isMap && mapKeywords.has(key) });
    }
  }
  return { identified: found, dynamicAnchors };
}

export function isAbsoluteId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id[0] !== '#';
}

export function stripHash(id: string): string {
  return id.endsWith('#') ? id.slice(0, -1) : id;
}

export function resolveUri(uri: string, base: string): string {
  return URL.canParse(uri, base) ? new URL(uri, base).href : uri;
}
