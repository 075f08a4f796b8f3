/** Finds the target of a `$ref`: by `$id`, anchor or JSON Pointer, in the schema itself or in the shared schemas. */
import { type Dialect, dialectOf } from './keywords.ts';
import type { Side } from './plain-schema.ts';
import { indexOf } from './schema-index.ts';
import { baseOf, decode, origin, resolveUri, withoutHash } from './schema-uri.ts';

/** A whole schema, which was added to a context or declared by a route. `#` refers to it. */
export interface SchemaRoot {
  readonly document: unknown;
  readonly scope: SchemaScope;
  readonly dialect: Dialect;
  readonly base: string;
  /** The side, if the schema comes from a library. */
  readonly side: Side | undefined;
}

/** A schema inside a root. */
export interface Located {
  readonly schema: unknown;
  readonly root: SchemaRoot;
  /** The base URI for references in the schema. */
  readonly base: string;
  /** A name for the schema: the last segment of a pointer or of an `$id`. */
  readonly name: string;
  /** How it was found. */
  readonly by: 'root' | 'id' | 'definition' | 'pointer' | 'anchor' | 'component';
}

const noAnchors: readonly Located[] = [];

/** The schemas with a `$dynamicAnchor` in the resource of a root that has the base URI. */
export function dynamicAnchorsIn(root: SchemaRoot, base: string): readonly Located[] {
  // Draft 7 does not define the keyword.
  if (root.dialect !== '2020-12') return noAnchors;
  const entries = indexOf(root.document, root.base).dynamic.get(base);
  return entries?.map((entry) => ({ ...entry, root, name: entry.id, by: 'anchor' })) ?? noAnchors;
}

/** Whether a reference was resolved by a `$dynamicAnchor`. Only then another schema may replace the target. */
export function isDynamic({ schema, name, by }: Located): boolean {
  return by === 'anchor' && (schema as { $dynamicAnchor?: unknown }).$dynamicAnchor === name;
}

/** The shared schemas that the routes of a context see, by name. */
export class SchemaScope {
  readonly #byUri = new Map<string, Located>();
  readonly #roots = new Map<unknown, SchemaRoot>();

  readonly #dialect: Dialect;

  /** @param dialect The dialect of schemas without `$schema`. */
  constructor(shared: Readonly<Record<string, unknown>>, dialect: Dialect) {
    this.#dialect = dialect;
    for (const [id, document] of Object.entries(shared)) {
      const root = this.#rootOf(document);
      const located: Located = { schema: document, root, base: root.base, name: id, by: 'id' };
      this.#byUri.set(root.base, located);
      this.#byUri.set(resolveUri(origin, withoutHash(id)), located);
      for (const [uri, entry] of indexOf(document, root.base).byUri) {
        if (!this.#byUri.has(uri)) this.#byUri.set(uri, { ...entry, root, name: entry.id, by: 'id' });
      }
    }
  }

  /** The root of a shared schema. */
  #rootOf(document: unknown): SchemaRoot {
    const root = this.#roots.get(document) ?? this.root(document);
    this.#roots.set(document, root);
    return root;
  }

  /** A schema of a route, which may refer to the shared ones. */
  root(document: unknown, dialect: Dialect = dialectOf(document, this.#dialect), side?: Side): SchemaRoot {
    // The route may declare a shared schema itself, as the same object.
    const shared = this.#roots.get(document);
    return shared ?? { document, scope: this, dialect, base: baseOf(document, origin), side };
  }

  find(uri: string): Located | undefined {
    return this.#byUri.get(uri);
  }
}

/** The target of a reference in a schema; `undefined` if there is none. */
export function findReference(reference: string, root: SchemaRoot, base: string): Located | undefined {
  const uri = resolveUri(base, reference);
  const hash = uri.indexOf('#');
  const resource = hash === -1 ? uri : uri.slice(0, hash);
  const fragment = hash === -1 ? '' : uri.slice(hash + 1);
  const found = findResource(resource, root) ?? root.scope.find(resolveUri(origin, reference.split('#')[0]!));
  if (found === undefined || fragment === '') return found;
  return fragment.startsWith('/') ? followPointer(found, fragment) : findAnchor(found, fragment);
}

function findResource(resource: string, root: SchemaRoot): Located | undefined {
  if (resource === root.base) return { schema: root.document, root, base: root.base, name: '', by: 'root' };
  const inner = indexOf(root.document, root.base).byUri.get(resource);
  if (inner !== undefined) return { ...inner, root, name: inner.id, by: 'id' };
  return root.scope.find(resource);
}

function findAnchor(found: Located, fragment: string): Located | undefined {
  const name = decode(fragment);
  const entry = indexOf(found.root.document, found.root.base).byUri.get(`${found.base}#${name}`);
  return entry && { ...entry, root: found.root, name, by: 'anchor' };
}

function followPointer(from: Located, pointer: string): Located | undefined {
  let { schema, base } = from;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  for (const step of steps) {
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, step)) return undefined;
    schema = (schema as Record<string, unknown>)[step];
    base = baseOf(schema, base);
  }
  const isDefinition = ['definitions', '$defs'].includes(steps.at(-2) ?? '');
  return { schema, root: from.root, base, name: steps.at(-1)!, by: isDefinition ? 'definition' : 'pointer' };
}
