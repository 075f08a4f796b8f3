/** Owns the schemas of one compilation and resolves `$ref` among them, in every form that spec §4.8 lists. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type JsonSchema, type SchemaObject } from '../json-schema.ts';
import { joinPointer } from '../pointer.ts';
import { isEqual } from '../validate/equality.ts';
import { checkDocument, checkShared } from './check-document.ts';
import { isAbsoluteId, Resource, resolveUri, stripHash } from './resource.ts';

/** A schema object in its place. Parts are unique: the same place is the same part. */
export interface Part {
  readonly number: number;
  readonly schema: SchemaObject;
  readonly base: Resource;
  /** JSON Pointer inside the document where it was first met; for messages. */
  readonly pointer: string;
  /** Keywords already dealt with, when a branch of theirs was taken. */
  readonly skipped: readonly string[];
}

export class Registry {
  readonly #resources = new Map<string, Resource>();
  readonly #bySchema = new Map<SchemaObject, Resource>();
  readonly #parts = new Map<SchemaObject, Map<string, Part>>();
  #root: Resource | undefined;
  #counter = 0;

  constructor(refs: Readonly<Record<string, JsonSchema>>) {
    for (const [key, schema] of Object.entries(refs)) {
      if (!isSchemaObject(schema)) continue;
      checkShared(refs, schema, `${key}#`);
      this.#addShared(schema, key);
      if (isAbsoluteId(schema.$id)) this.#addShared(schema, stripHash(schema.$id));
    }
  }

  #addShared(schema: SchemaObject, uri: string): void {
    const known = this.#resources.get(uri);
    if (known === undefined) this.#addResource(schema, uri);
    else if (!isEqual(known.root, schema))
      throw new SchemaError(`two schemas have the name "${uri}"`, `${uri}#`);
  }

  addRoot(schema: SchemaObject): Part {
    checkDocument(schema, '');
    const uri = isAbsoluteId(schema.$id) ? stripHash(schema.$id) : '';
    this.#root = this.#addResource(schema, uri);
    return this.#part(schema, this.#root, '', []);
  }

  /** The part for a subschema of `parent`. */
  child(parent: Part, schema: SchemaObject, ...segments: (string | number)[]): Part {
    const base = isAbsoluteId(schema.$id) ? this.#nested(schema, schema.$id, parent.base) : parent.base;
    let pointer = parent.pointer;
    for (const segment of segments) pointer = joinPointer(pointer, segment);
    return this.#part(schema, base, pointer, []);
  }

  /** The same part with a keyword taken out. */
  without(part: Part, ...keywords: string[]): Part {
    return this.#part(
      part.schema,
      part.base,
      part.pointer,
      [...new Set([...part.skipped, ...keywords])].sort(),
    );
  }

  /** What the `$ref` of a part points at: a part, or a boolean schema. */
  resolve(part: Part): Part | boolean {
    const reference = part.schema.$ref;
    if (typeof reference !== 'string') {
      throw new SchemaError('$ref must be a string', joinPointer(part.pointer, '$ref'));
    }
    const hash = reference.indexOf('#');
    const uri = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const base = uri === '' ? part.base : this.#findResource(uri, part.base);
    const target = base?.find(fragment);
    if (base === undefined || (typeof target !== 'boolean' && !isSchemaObject(target))) {
      throw new SchemaError(`Cannot find reference "${reference}"`, joinPointer(part.pointer, '$ref'));
    }
    if (typeof target === 'boolean') return target;
    const isPointer = fragment === '' || fragment[0] === '/';
    const place = isPointer && base === this.#root ? fragment : `${base.uri}#${fragment}`;
    const isNested = target !== base.root && isAbsoluteId(target.$id);
    return this.#part(target, isNested ? this.#nested(target, target.$id as string, base) : base, place, []);
  }

  #findResource(uri: string, from: Resource): Resource | undefined {
    const known = this.#resources.get(uri) ?? this.#resources.get(resolveUri(uri, from.uri));
    if (known !== undefined) return known;
    for (const resource of new Set(this.#resources.values())) {
      const found = resource.identified.get(uri) ?? resource.identified.get(resolveUri(uri, from.uri));
      if (found !== undefined) return this.#nested(found, uri, resource);
    }
    return undefined;
  }

  #addResource(schema: SchemaObject, uri: string): Resource {
    const known = this.#bySchema.get(schema);
    const resource = known ?? new Resource(this.#counter++, schema, uri);
    this.#resources.set(uri, resource);
    this.#bySchema.set(schema, resource);
    return resource;
  }

  #nested(schema: SchemaObject, id: string, parent: Resource): Resource {
    const known = this.#bySchema.get(schema);
    if (known !== undefined) return known;
    const resource = new Resource(this.#counter++, schema, resolveUri(stripHash(id), parent.uri), parent);
    this.#bySchema.set(schema, resource);
    return resource;
  }

  #part(schema: SchemaObject, base: Resource, pointer: string, skipped: readonly string[]): Part {
    let places = this.#parts.get(schema);
    if (places === undefined) {
      places = new Map();
      this.#parts.set(schema, places);
    }
    const key = skipped.length === 0 ? String(base.number) : `${base.number} ${skipped.join(' ')}`;
    let part = places.get(key);
    if (part === undefined) {
      part = { number: this.#counter++, schema, base, pointer, skipped };
      places.set(key, part);
    }
    return part;
  }
}

/** The value of a keyword of a part, unless it was taken out. */
export function keyword(part: Part, name: string): unknown {
  return part.skipped.length > 0 && part.skipped.includes(name) ? undefined : part.schema[name];
}
