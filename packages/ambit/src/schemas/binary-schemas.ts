/** Files in JSON Schema: which schemas describe a file, which fields of a form are files, and schemas in which Ajv accepts files. */

import { followReference, mapSchema, type SchemaLocation } from '@ambit/json-schema';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SharedSchemas } from '../types/compilers.ts';
import type { FormShape } from '../types/multipart.ts';

/** `{ type: 'string', format: 'binary' }` is a file if the media type can contain one (OpenAPI 3.0, "Considerations for File Uploads"). */
export function isBinary(schema: unknown): schema is JsonSchema {
  if (!isPlainObject(schema) || schema.format !== 'binary') return false;
  const { type = 'string' } = schema;
  return [type].flat().includes('string');
}

/** The keyword by which `acceptFiles` replaces the format `binary`. */
export const fileKeyword = 'uploadedFile';

/** What a schema requires of a file. */
export interface FileDemands {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  readonly nullable?: true;
}

/**
 * Copies a schema, so that every string of the format `binary` is a file. The keywords that are for strings are moved into one keyword. All
 * others stay, so that references still find their targets.
 */
export function acceptFiles(schema: unknown): unknown {
  const mapped = isPlainObject(schema) ? mapSchema(schema, (inner) => acceptFiles(inner)) : schema;
  if (!isBinary(mapped)) return mapped;
  const { type, format, pattern, contentEncoding, minLength, maxLength, contentMediaType, ...rest } = mapped;
  const { nullable, ...others } = rest;
  const isNullable = nullable === true || [type].flat().includes('null');
  const demands = { minLength, maxLength, contentMediaType, nullable: isNullable || undefined };
  // Without `undefined` values, because an artifact contains only what JSON can express.
  return { ...others, [fileKeyword]: JSON.parse(JSON.stringify(demands)) };
}

/** Reads what a schema says about the fields of a form. */
export function readFormShape(schema: unknown, shared: SharedSchemas): FormShape {
  const fields = new Map<string, FieldKinds>();
  new FormWalk(shared, fields).visit(schema, { document: schema, pointer: '#' });
  return {
    isFile: (field) => fields.get(field)?.isFile,
    isText: (field) => fields.get(field)?.isText === true,
    isList: (field) => fields.get(field)?.isList === true,
    isObject: (field) => fields.get(field)?.isObject === true && !fields.get(field)!.isText,
  };
}

/** The kinds of values that the schemas of a field allow. Several schemas may apply to one field. */
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
  readonly #shared: SharedSchemas;
  readonly #fields: Map<string, FieldKinds>;
  /** Schemas may refer to one another in circles. */
  readonly #visited = new Set<unknown>();

  constructor(shared: SharedSchemas, fields: Map<string, FieldKinds>) {
    this.#shared = shared;
    this.#fields = fields;
  }

  visit(schema: unknown, location: SchemaLocation): void {
    this.#eachAlternative(schema, location, this.#visited, (form, formLocation) => {
      for (const [name, field] of Object.entries(Object(form.properties)))
        this.#addField(name, field, formLocation);
    });
  }

  #addField(name: string, schema: unknown, location: SchemaLocation): void {
    let kinds = this.#fields.get(name);
    if (kinds === undefined) {
      kinds = { isFile: false, isList: false, isObject: false, isText: false };
      this.#fields.set(name, kinds);
    }
    const fieldKinds = kinds;
    this.#eachAlternative(schema, location, new Set(), (value, valueLocation) => {
      this.#addKind(fieldKinds, value);
      if (value.type !== 'array') return;
      fieldKinds.isList = true;
      for (const items of [value.items, value.prefixItems].flat())
        this.#eachAlternative(items, valueLocation, new Set(), (item) => this.#addKind(fieldKinds, item));
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
    location: SchemaLocation,
    visited: Set<unknown>,
    use: (schema: JsonSchema, location: SchemaLocation) => void,
  ): void {
    if (!isPlainObject(schema) || visited.has(schema)) return;
    visited.add(schema);
    use(schema, location);
    const target = followReference(schema.$ref, location, this.#shared);
    if (target !== undefined) this.#eachAlternative(target.schema, target.location, visited, use);
    for (const keyword of branchLists) {
      for (const branch of [schema[keyword] ?? []].flat())
        this.#eachAlternative(branch, location, visited, use);
    }
    for (const keyword of branches) this.#eachAlternative(schema[keyword], location, visited, use);
  }
}
