/** Stores the schemas of one compilation and the shared schemas, and resolves `$ref` between them. */
import type { Dialect } from './dialect.ts';
import { Resource } from './document.ts';
import { joinPointer, valuesAlong } from './pointer.ts';
import { isEqual, isSchemaObject, SchemaError, type SchemaObject, type SharedSchemas } from './schema.ts';
import { resolveUri, splitReference, uriOf } from './uri.ts';

/** A schema object together with the resource that contains it. Each such pair has one part. */
export interface Part {
  /** Different from that of every other part of the registry. */
  readonly number: number;
  /** The schema. */
  readonly schema: SchemaObject;
  /** The resource that its references are resolved against. */
  readonly base: Resource;
  /** JSON Pointer in the document where it was first found, for messages. */
  readonly pointer: string;
  /** The targets of `$dynamicRef` from here. */
  readonly scope: DynamicScope;
  /** Keywords that are left out, because one of their branches was already chosen. */
  readonly skipped: readonly string[];
}

/** The schemas that references may lead to. */
export class Registry {
  /** The registry of the shared schemas, if many compilations use it; otherwise they are in this one. */
  readonly shared: Registry | undefined;
  /** Parts whose references were followed, and have a target. */
  readonly referencesChecked: Set<Part> = new Set();
  readonly #resources = new Map<string, Resource>();
  readonly #bySchema = new Map<SchemaObject, Resource>();
  readonly #parts = new Map<SchemaObject, Map<string, Part>>();
  #root: Resource | undefined;
  #identified: ReadonlyMap<string, Found> | undefined;
  /** Numbers parts and resources. Registries that have parts in common have one counter. */
  readonly #counter: { next: number };
  /** The dialect of schemas without `$schema`. */
  readonly dialect: Dialect;

  /**
   * @param refs The shared schemas, each by its key and by its `$id`.
   * @param dialect The dialect of schemas without `$schema`.
   * @param shared The registry of the shared schemas, if many compilations use it.
   * @throws {SchemaError} if two different schemas have the same name.
   */
  constructor(refs: SharedSchemas, dialect: Dialect, shared?: Registry) {
    this.dialect = dialect;
    this.shared = shared;
    this.#counter = shared === undefined ? { next: 0 } : shared.#counter;
    for (const [key, schema] of Object.entries(refs)) {
      if (!isSchemaObject(schema)) continue;
      this.#addShared(schema, key);
      const uri = uriOf(schema);
      if (uri !== '') this.#addShared(schema, uri);
    }
  }

  #addShared(schema: SchemaObject, uri: string): void {
    const existing = this.#resources.get(uri);
    if (existing === undefined) this.#addResource(schema, uri);
    else if (!isEqual(existing.root, schema))
      throw new SchemaError(`two schemas have the name "${uri}"`, `${uri}#`);
  }

  /**
   * A registry for one more schema that refers to the schemas of this one. Parts of shared schemas are made here, once.
   *
   * @param dialect The dialect of the schema, if it declares none. Default: as for the shared schemas.
   */
  extend(dialect: Dialect = this.dialect): Registry {
    return new Registry({}, dialect, this);
  }

  /** Whether a part belongs to a registry that other compilations use, too. @param part The part. */
  isShared(part: Part): boolean {
    return part.scope === emptyScope && this.#sharedOwnerOf(part.base) !== undefined;
  }

  #sharedOwnerOf(resource: Resource): Registry | undefined {
    return this.shared === undefined || !this.shared.#owns(resource) ? undefined : this.shared;
  }

  #owns(resource: Resource): boolean {
    return this.#bySchema.get(resource.root) === resource;
  }

  /** Adds the schema that is to be read. @param schema The schema. */
  addRoot(schema: SchemaObject): Part {
    const resource = this.#addResource(schema, uriOf(schema));
    if (this.#owns(resource)) this.#root = resource;
    const pointer = resource === this.#root ? '' : `${resource.uri}#`;
    return this.#part(schema, resource, pointer, emptyScope.enter(resource));
  }

  /**
   * The part for a subschema of `parent`.
   *
   * @param parent The part of the schema around it.
   * @param schema The subschema.
   * @param segments The keyword, and the name or the index in it.
   */
  child(parent: Part, schema: SchemaObject, ...segments: (string | number)[]): Part {
    const base = this.#inside(schema, parent.base);
    let pointer = parent.pointer;
    for (const segment of segments) pointer = joinPointer(pointer, segment);
    return this.#part(schema, base, pointer, parent.scope.enter(base));
  }

  /**
   * The same part without a keyword.
   * @param part The part.
   * @param keywords The keywords that are left out.
   */
  without(part: Part, ...keywords: string[]): Part {
    const skipped = [...new Set([...part.skipped, ...keywords])].sort();
    return this.#part(part.schema, part.base, part.pointer, part.scope, skipped);
  }

  /**
   * The target of a reference of a part: a part, or a boolean schema.
   *
   * @param part The part.
   * @param keyword The keyword with the reference.
   * @throws {SchemaError} if there is none.
   */
  resolve(part: Part, keyword: Reference = '$ref'): Part | boolean {
    const reference = part.schema[keyword];
    const pointer = joinPointer(part.pointer, keyword);
    if (typeof reference !== 'string') throw new SchemaError(`${keyword} must be a string`, pointer);
    const target = this.find(reference, part, keyword);
    if (target !== undefined) return target;
    throw new SchemaError(`Cannot find reference "${reference}"`, pointer);
  }

  /**
   * The target of a reference in a part; `undefined` if there is none.
   *
   * @param reference The reference.
   * @param from The part that it is in.
   * @param keyword The keyword with the reference.
   */
  find(reference: string, from: Part, keyword: Reference = '$ref'): Part | boolean | undefined {
    const [uri, fragment] = splitReference(reference);
    const base = uri === '' ? from.base : this.#findResource(uri, from.base);
    const target = base?.find(fragment);
    if (base === undefined || typeof target === 'boolean') return target as boolean | undefined;
    if (!isSchemaObject(target)) return undefined;
    if (keyword === '$dynamicRef' && target.$dynamicAnchor === fragment) {
      const outermost = from.scope.anchors.get(fragment);
      if (outermost !== undefined)
        return this.#part(outermost.schema, outermost.base, `${outermost.base.uri}#${fragment}`, from.scope);
    }
    const isPointer = fragment === '' || fragment[0] === '/';
    const pointer = isPointer && base === this.#root ? fragment : `${base.uri}#${fragment}`;
    const resource = this.#enclosing(target, fragment, base);
    return this.#part(target, resource, pointer, from.scope.enter(resource));
  }

  /** The resource that contains the target of a fragment. A pointer may lead through other resources, or to the root of one. */
  #enclosing(target: SchemaObject, fragment: string, base: Resource): Resource {
    if (target === base.root) return base;
    let resource = base;
    const through = fragment[0] === '/' ? valuesAlong(base.root, fragment).slice(1) : [target];
    for (const schema of through.at(-1) === target ? through : [target])
      if (isSchemaObject(schema)) resource = this.#inside(schema, resource);
    return resource;
  }

  /** The resource inside a schema: its own, if it has an `$id`. */
  #inside(schema: SchemaObject, around: Resource): Resource {
    const uri = uriOf(schema);
    return uri === '' ? around : this.#nested(schema, uri, around);
  }

  #findResource(uri: string, from: Resource): Resource | undefined {
    const resolved = resolveUri(uri, from.base);
    // Names of shared schemas are no URIs, so a reference counts first as it is written.
    const existing = this.#resourceAt(uri) ?? this.#resourceAt(resolved);
    if (existing !== undefined) return existing;
    const found = this.#findIdentified(uri) ?? this.#findIdentified(resolved);
    return found && this.#nested(found.schema, uri, found.base);
  }

  #resourceAt(uri: string): Resource | undefined {
    const own = this.#resources.get(uri);
    return own !== undefined || this.shared === undefined ? own : this.shared.#resourceAt(uri);
  }

  /** A subschema with this `$id`. All of them are collected when the first one is needed. */
  #findIdentified(id: string): Found | undefined {
    const shared = this.shared === undefined ? undefined : this.shared.#findIdentified(id);
    if (shared !== undefined) return shared;
    this.#identified ??= new Map(
      [...new Set(this.#resources.values())]
        .reverse()
        .flatMap((base) => [...base.identified].map(([id, schema]) => [id, { schema, base }])),
    );
    return this.#identified.get(id);
  }

  #addResource(schema: SchemaObject, uri: string): Resource {
    const shared = this.shared === undefined ? undefined : this.shared.#bySchema.get(schema);
    if (shared !== undefined) return shared;
    const existing = this.#bySchema.get(schema);
    const resource = existing ?? new Resource(this.#counter.next++, schema, uri, this.dialect);
    this.#resources.set(uri, resource);
    this.#bySchema.set(schema, resource);
    return resource;
  }

  #nested(schema: SchemaObject, id: string, parent: Resource): Resource {
    const shared = this.#sharedOwnerOf(parent);
    if (shared !== undefined) return shared.#nested(schema, id, parent);
    const existing = this.#bySchema.get(schema);
    if (existing !== undefined) return existing;
    const uri = resolveUri(id, parent.base);
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
    const partsByKey = this.#parts.get(schema) ?? new Map<string, Part>();
    if (partsByKey.size === 0) this.#parts.set(schema, partsByKey);
    const partKey = scope === emptyScope ? String(base.number) : `${base.number}/${scope.key}`;
    const key = skipped.length === 0 ? partKey : `${partKey} ${skipped.join(' ')}`;
    const known = partsByKey.get(key);
    if (known !== undefined) return known;
    const part = { number: this.#counter.next++, schema, base, pointer, scope, skipped };
    partsByKey.set(key, part);
    return part;
  }
}

/** A subschema, and the resource that contains it. */
interface Found {
  readonly schema: SchemaObject;
  readonly base: Resource;
}

/** The keywords that refer to another schema. */
export type Reference = '$ref' | '$dynamicRef';

/** The keywords of a part that refer to another schema. @param part The part. */
export function references(part: Part): Reference[] {
  const { schema, base } = part;
  const found: Reference[] = [];
  if (schema.$ref !== undefined) found.push('$ref');
  if (schema.$dynamicRef !== undefined && base.dialect.name === '2020-12') found.push('$dynamicRef');
  return found;
}

/**
 * The value of a keyword of a part, unless it was removed.
 * @param part The part.
 * @param name The keyword.
 */
export function keyword(part: Part, name: string): unknown {
  return part.skipped.length > 0 && part.skipped.includes(name) ? undefined : part.schema[name];
}

/**
 * The targets of a `$dynamicRef`, which depend on the references that were followed before (JSON Schema 2020-12, Core 8.2.3.2): the schemas
 * that have a `$dynamicAnchor`, by its name. The first one entered counts.
 */
export class DynamicScope {
  /** The same text for equal scopes. */
  readonly key: string;
  readonly anchors: ReadonlyMap<string, Found>;
  readonly #entered = new Map<Resource, DynamicScope>();

  constructor(anchors: ReadonlyMap<string, Found>) {
    this.anchors = anchors;
    this.key = [...anchors].map(([name, { base }]) => `${name}@${base.number}`).join(' ');
  }

  /** The scope inside a resource. */
  enter(base: Resource): DynamicScope {
    if (base.dynamicAnchors.size === 0) return this;
    const known = this.#entered.get(base);
    if (known !== undefined) return known;
    const anchors = new Map(this.anchors);
    for (const [name, schema] of base.dynamicAnchors)
      if (!anchors.has(name)) anchors.set(name, { schema, base });
    const inside = anchors.size === this.anchors.size ? this : new DynamicScope(anchors);
    this.#entered.set(base, inside);
    return inside;
  }
}

const emptyScope = new DynamicScope(new Map());
