/** Stores the schemas of one compilation and the shared schemas, and resolves `$ref` between them. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type JsonSchema, type SchemaObject } from '../json-schema.ts';
import { followPointer, joinPointer } from '../pointer.ts';
import { isEqual } from '../validate/equality.ts';
import { checkDocument, checkShared } from './check-document.ts';
import type { Dialect } from './dialect.ts';
import { type DynamicScope, emptyScope } from './dynamic-scope.ts';
import { isAbsoluteId, Resource, resolveUri, stripHash } from './resource.ts';

/** A schema object together with the resource that contains it. Each such pair has one part. */
export interface Part {
  readonly number: number;
  readonly schema: SchemaObject;
  readonly base: Resource;
  /** JSON Pointer in the document where it was first found, for messages. */
  readonly pointer: string;
  /** The targets of `$dynamicRef` from here. */
  readonly scope: DynamicScope;
  /** Keywords that are left out, because one of their branches was already chosen. */
  readonly skipped: readonly string[];
}

export class Registry {
  /** The registry of the shared schemas, if many compilations use it; otherwise they are in this one. */
  readonly shared: Registry | undefined;
  /** Parts whose references were followed, and have a target. */
  readonly referencesChecked: Set<Part> = new Set();
  readonly #resources = new Map<string, Resource>();
  readonly #bySchema = new Map<SchemaObject, Resource>();
  readonly #parts = new Map<SchemaObject, Map<string, Part>>();
  #root: Resource | undefined;
  #identified: ReadonlyMap<string, Identified> | undefined;
  readonly #counter: Counter;
  readonly #dialect: Dialect;

  /** @param dialect The dialect of schemas without `$schema`. */
  constructor(refs: Readonly<Record<string, JsonSchema>>, dialect: Dialect, shared?: Registry) {
    this.#dialect = dialect;
    this.shared = shared;
    this.#counter = shared === undefined ? { next: 0 } : shared.#counter;
    for (const [key, schema] of Object.entries(refs)) {
      if (!isSchemaObject(schema)) continue;
      checkShared(refs, schema, dialect, `${key}#`);
      this.#addShared(schema, key);
      if (isAbsoluteId(schema.$id)) this.#addShared(schema, stripHash(schema.$id));
    }
  }

  #addShared(schema: SchemaObject, uri: string): void {
    const existing = this.#resources.get(uri);
    if (existing === undefined) this.#addResource(schema, uri);
    else if (!isEqual(existing.root, schema))
      throw new SchemaError(`two schemas have the name "${uri}"`, `${uri}#`);
  }

  /** A registry for one more schema that refers to the schemas of this one. Parts of shared schemas are made here, once. */
  extend(): Registry {
    return new Registry({}, this.#dialect, this);
  }

  /** Whether a part belongs to a registry that other compilations use, too. */
  isShared({ base, scope }: Part): boolean {
    return scope === emptyScope && this.#sharedOwnerOf(base) !== undefined;
  }

  #sharedOwnerOf(resource: Resource): Registry | undefined {
    return this.shared === undefined || !this.shared.#owns(resource) ? undefined : this.shared;
  }

  #owns(resource: Resource): boolean {
    return this.#bySchema.get(resource.root) === resource;
  }

  addRoot(schema: SchemaObject): Part {
    checkDocument(schema, this.#dialect, '');
    const uri = isAbsoluteId(schema.$id) ? stripHash(schema.$id) : '';
    const resource = this.#addResource(schema, uri);
    if (this.#owns(resource)) this.#root = resource;
    const pointer = resource === this.#root ? '' : `${resource.uri}#`;
    return this.#part(schema, resource, pointer, emptyScope.enter(resource));
  }

  /** The part for a subschema of `parent`. */
  child(parent: Part, schema: SchemaObject, ...segments: (string | number)[]): Part {
    const base = isAbsoluteId(schema.$id) ? this.#nested(schema, schema.$id, parent.base) : parent.base;
    let pointer = parent.pointer;
    for (const segment of segments) pointer = joinPointer(pointer, segment);
    return this.#part(schema, base, pointer, parent.scope.enter(base));
  }

  /** The same part without a keyword. */
  without(part: Part, ...keywords: string[]): Part {
    return this.#part(
      part.schema,
      part.base,
      part.pointer,
      part.scope,
      [...new Set([...part.skipped, ...keywords])].sort(),
    );
  }

  /** The target of a reference of a part: a part, or a boolean schema. */
  resolve(part: Part, keyword: Reference = '$ref'): Part | boolean {
    const reference = part.schema[keyword];
    if (typeof reference !== 'string') {
      throw new SchemaError(`${keyword} must be a string`, joinPointer(part.pointer, keyword));
    }
    const hash = reference.indexOf('#');
    const uri = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const base = uri === '' ? part.base : this.#findResource(uri, part.base);
    const target = base?.find(fragment);
    if (base === undefined || (typeof target !== 'boolean' && !isSchemaObject(target))) {
      throw new SchemaError(`Cannot find reference "${reference}"`, joinPointer(part.pointer, keyword));
    }
    if (typeof target === 'boolean') return target;
    if (keyword === '$dynamicRef' && target.$dynamicAnchor === fragment) {
      const outermost = part.scope.find(fragment);
      if (outermost !== undefined)
        return this.#part(outermost.schema, outermost.base, `${outermost.base.uri}#${fragment}`, part.scope);
    }
    const isPointer = fragment === '' || fragment[0] === '/';
    const pointer = isPointer && base === this.#root ? fragment : `${base.uri}#${fragment}`;
    const resource = this.#enclosing(target, fragment, base);
    return this.#part(target, resource, pointer, part.scope.enter(resource));
  }

  /** The resource that contains the target of a fragment. A pointer may lead through other resources, or to the root of one. */
  #enclosing(target: SchemaObject, fragment: string, base: Resource): Resource {
    if (target === base.root) return base;
    let resource = base;
    const through = fragment[0] === '/' ? schemasAlong(base.root, fragment) : [target];
    for (const schema of through.at(-1) === target ? through : [target])
      if (isAbsoluteId(schema.$id)) resource = this.#nested(schema, schema.$id, resource);
    return resource;
  }

  #findResource(uri: string, from: Resource): Resource | undefined {
    const existing = this.#resourceAt(uri) ?? this.#resourceAt(resolveUri(uri, from.uri));
    if (existing !== undefined) return existing;
    const found = this.#findIdentified(uri) ?? this.#findIdentified(resolveUri(uri, from.uri));
    return found && this.#nested(found.schema, uri, found.resource);
  }

  #resourceAt(uri: string): Resource | undefined {
    const own = this.#resources.get(uri);
    return own !== undefined || this.shared === undefined ? own : this.shared.#resourceAt(uri);
  }

  /** A subschema with this `$id`. All of them are collected when the first one is needed. */
  #findIdentified(id: string): Identified | undefined {
    const shared = this.shared === undefined ? undefined : this.shared.#findIdentified(id);
    if (shared !== undefined) return shared;
    this.#identified ??= new Map(
      [...new Set(this.#resources.values())]
        .reverse()
        .flatMap((resource) => [...resource.identified].map(([id, schema]) => [id, { schema, resource }])),
    );
    return this.#identified.get(id);
  }

  #addResource(schema: SchemaObject, uri: string): Resource {
    const shared = this.shared === undefined ? undefined : this.shared.#bySchema.get(schema);
    if (shared !== undefined) return shared;
    const existing = this.#bySchema.get(schema);
    const resource = existing ?? new Resource(this.#counter.next++, schema, uri, this.#dialect);
    this.#resources.set(uri, resource);
    this.#bySchema.set(schema, resource);
    return resource;
  }

  #nested(schema: SchemaObject, id: string, parent: Resource): Resource {
    const shared = this.#sharedOwnerOf(parent);
    if (shared !== undefined) return shared.#nested(schema, id, parent);
    const existing = this.#bySchema.get(schema);
    if (existing !== undefined) return existing;
    const uri = resolveUri(stripHash(id), parent.uri);
    const resource = new Resource(this.#counter.next++, schema, uri, parent.dialect, parent);
    this.#bySchema.set(schema, resource);
    return resource;
  }

  #part(
    schema: SchemaObject,
    base: Resource,
    pointer: string,
    scope: DynamicScope,
    skipped: readonly string[] = [],
  ): Part {
    const shared = scope === emptyScope ? this.#sharedOwnerOf(base) : undefined;
    if (shared !== undefined) return shared.#part(schema, base, pointer, scope, skipped);
    let partsByKey = this.#parts.get(schema);
    if (partsByKey === undefined) {
      partsByKey = new Map();
      this.#parts.set(schema, partsByKey);
    }
    const partKey = scope === emptyScope ? String(base.number) : `${base.number}/${scope.key}`;
    const key = skipped.length === 0 ? partKey : `${partKey} ${skipped.join(' ')}`;
    let part = partsByKey.get(key);
    if (part === undefined) {
      part = { number: this.#counter.next++, schema, base, pointer, scope, skipped };
      partsByKey.set(key, part);
    }
    return part;
  }
}

/** Numbers parts and resources. Registries that have parts in common have one counter. */
interface Counter {
  next: number;
}

/** A subschema with its own `$id`, and the document that contains it. */
interface Identified {
  readonly schema: SchemaObject;
  readonly resource: Resource;
}

export type Reference = '$ref' | '$dynamicRef';

/** The keywords of a part that refer to another schema. */
export function references({ schema, base }: Part): Reference[] {
  const found: Reference[] = [];
  if (schema.$ref !== undefined) found.push('$ref');
  if (schema.$dynamicRef !== undefined && base.dialect.name === '2020-12') found.push('$dynamicRef');
  return found;
}

/** The objects that a pointer passes through, and its target. */
function schemasAlong(root: SchemaObject, pointer: string): SchemaObject[] {
  const values: unknown[] = [];
  for (let end = pointer.indexOf('/', 1); end !== -1; end = pointer.indexOf('/', end + 1))
    values.push(followPointer(root, pointer.slice(0, end)));
  return [...values, followPointer(root, pointer)].filter(isSchemaObject);
}

/** The value of a keyword of a part, unless it was removed. */
export function keyword(part: Part, name: string): unknown {
  return part.skipped.length > 0 && part.skipped.includes(name) ? undefined : part.schema[name];
}
