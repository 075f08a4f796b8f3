/** Files in JSON Schema: which schemas mean a file, which fields of a form are files, and how Ajv is made to accept files. */
import type { JsonSchema } from '../contract/compiler.ts';
import type { FormShape } from '../contract/multipart.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { mapSubschemas } from './json-schema.ts';
import { followReference, type SchemaPlace } from './reference-target.ts';

/** `{ type: 'string', format: 'binary' }` is a file where the media type can carry one (OpenAPI 3.0, "Considerations for File Uploads"). */
export function isBinary(schema: unknown): schema is JsonSchema {
  if (!isPlainObject(schema) || schema.format !== 'binary') return false;
  const { type = 'string' } = schema;
  return [type].flat().includes('string');
}

/** The keyword that `acceptFiles` puts in the place of the format `binary`. */
export const fileKeyword = 'uploadedFile';

/** What a schema demands of a file. */
export interface FileDemands {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  readonly nullable?: true;
}

/**
 * A copy in which every string of the format `binary` is a file. The keywords that would need a string go into one keyword; all others
 * stay, and so do the pointers that references use.
 */
export function acceptFiles(schema: unknown): unknown {
  const mapped = mapSubschemas(schema, acceptFiles);
  if (!isBinary(mapped)) return mapped;
  const { type, format, pattern, contentEncoding, minLength, maxLength, contentMediaType, ...rest } = mapped;
  const { nullable, ...others } = rest;
  const isNullable = nullable === true || [type].flat().includes('null');
  const demands = { minLength, maxLength, contentMediaType, nullable: isNullable || undefined };
  // Without what is undefined: JSON cannot express that, and an artifact holds only what JSON expresses.
  return { ...others, [fileKeyword]: JSON.parse(JSON.stringify(demands)) };
}

/** Finds out what a schema says about the fields of a form. */
export function readFormShape(schema: unknown, shared: () => Readonly<Record<string, unknown>>): FormShape {
  const fields = new Map<string, FieldKinds>();
  new FormWalk(shared, fields).visit(schema, { document: schema, pointer: '#' });
  return {
    isFile: (field) => fields.get(field)?.isFile,
    isList: (field) => fields.get(field)?.isList === true,
    isObject: (field) => fields.get(field)?.isObject === true && !fields.get(field)!.isText,
  };
}

/** What some schema for the field says; several schemas may apply. */
interface FieldKinds {
  isFile: boolean;
  isList: boolean;
  isObject: boolean;
  isText: boolean;
}

const branchLists = ['allOf', 'anyOf', 'oneOf'] as const;
const branches = ['if', 'then', 'else'] as const;

/** Visits the schemas for the form itself, and for the values of its fields. */
class FormWalk {
  readonly #shared: () => Readonly<Record<string, unknown>>;
  readonly #fields: Map<string, FieldKinds>;
  /** Schemas may refer to one another in circles. */
  readonly #visited = new Set<unknown>();

  constructor(shared: () => Readonly<Record<string, unknown>>, fields: Map<string, FieldKinds>) {
    this.#shared = shared;
    this.#fields = fields;
  }

  visit(schema: unknown, place: SchemaPlace): void {
    this.#eachAlternative(schema, place, this.#visited, (form, at) => {
      for (const [name, field] of Object.entries(Object(form.properties))) this.#addField(name, field, at);
    });
  }

  #addField(name: string, schema: unknown, place: SchemaPlace): void {
    let kinds = this.#fields.get(name);
    if (kinds === undefined) {
      kinds = { isFile: false, isList: false, isObject: false, isText: false };
      this.#fields.set(name, kinds);
    }
    const found = kinds;
    this.#eachAlternative(schema, place, new Set(), (value, at) => {
      this.#addKind(found, value);
      if (value.type !== 'array') return;
      found.isList = true;
      for (const items of [value.items, value.prefixItems].flat())
        this.#eachAlternative(items, at, new Set(), (item) => this.#addKind(found, item));
    });
  }

  #addKind(kinds: FieldKinds, schema: JsonSchema): void {
    kinds.isFile ||= isBinary(schema);
    kinds.isObject ||= schema.type === 'object';
    kinds.isText ||= schema.type === 'string' && !isBinary(schema);
  }

  /** Calls `use` with the schema, the targets of its references and its branches. */
  #eachAlternative(
    schema: unknown,
    place: SchemaPlace,
    visited: Set<unknown>,
    use: (schema: JsonSchema, place: SchemaPlace) => void,
  ): void {
    if (!isPlainObject(schema) || visited.has(schema)) return;
    visited.add(schema);
    use(schema, place);
    const target = followReference(schema.$ref, place, this.#shared);
    if (target !== undefined) this.#eachAlternative(target.schema, target.place, visited, use);
    for (const keyword of branchLists) {
      for (const branch of [schema[keyword] ?? []].flat()) this.#eachAlternative(branch, place, visited, use);
    }
    for (const keyword of branches) this.#eachAlternative(schema[keyword], place, visited, use);
  }
}
