/** Converts schemas, keyword by keyword and schema by schema. Errors name the path in the schema. */
import { type Reference, uriOf } from '@ambit/json-schema';
import { copyJson, isObject, type Json, NotJson, setMember } from '../json.ts';
import { convertKeyword } from './convert-keyword.ts';
import { mapDiscriminator } from './discriminator.ts';
import type { ReferenceTargets } from './reference-targets.ts';
import { type DescribedSchema, type SchemaLocation, SchemaProblem, type Target } from './schema-location.ts';

/** A schema while it is converted. */
export interface Conversion {
  readonly converter: SchemaConverter;
  /** The schema as declared. */
  readonly schema: Json;
  readonly location: SchemaLocation;
  /** The keywords that are already converted. */
  readonly out: Json;
}

export class SchemaConverter {
  readonly targets: ReferenceTargets;
  #path: (string | number)[] = [];

  constructor(targets: ReferenceTargets) {
    this.targets = targets;
  }

  /**
   * Converts a schema, even if it has an identifier.
   *
   * @param location The location of the schema itself, not of the outer schema.
   * @param path The path of the schema, for errors.
   */
  convert(schema: unknown, location: SchemaLocation, path: readonly (string | number)[]): DescribedSchema {
    this.#path = [...path];
    const described = this.#convertAt(schema, location);
    this.#path = [];
    return described;
  }

  /** Converts a schema below a keyword. If it has an identifier, it becomes a component. */
  convertInner(
    schema: unknown,
    location: SchemaLocation,
    path: readonly (string | number)[],
  ): DescribedSchema {
    this.#path = [...path];
    const described = this.subschema(schema, location);
    this.#path = [];
    return described;
  }

  /** Converts the schema of the current keyword. @param outer The location of the schema that has the keyword. */
  subschema(schema: unknown, outer: SchemaLocation): DescribedSchema {
    if (!isObject(schema) || schema.$id === undefined || uriOf(schema) === '')
      return this.#convertAt(schema, outer);
    const part = outer.registry.child(outer.part, schema);
    const reference: Json = {};
    this.targets.refer(reference, '$ref', { schema, part, name: '', by: 'reference' }, outer);
    return reference;
  }

  /** Converts the schema with a name or an index in the current keyword. */
  subschemaAt(name: string | number, schema: unknown, location: SchemaLocation): DescribedSchema {
    this.#path.push(name);
    const described = this.subschema(schema, location);
    this.#path.pop();
    return described;
  }

  /** Converts schemas by name. */
  map(value: unknown, location: SchemaLocation): Json {
    if (!isObject(value)) throw this.problem(`must be an object, not ${kindOf(value)}`);
    const out: Json = {};
    for (const name of Object.keys(value)) {
      const subschema = value[name];
      if (subschema !== undefined) setMember(out, name, this.subschemaAt(name, subschema, location));
    }
    return out;
  }

  list(value: unknown, location: SchemaLocation): DescribedSchema[] {
    if (!Array.isArray(value)) throw this.problem(`must be a list, not ${kindOf(value)}`);
    return value.map((subschema, i) => this.subschemaAt(i, subschema, location));
  }

  /** Copies a value that is not a schema. */
  copy(value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    try {
      return copyJson(value);
    } catch (error) {
      throw error instanceof NotJson ? this.problem(error.message) : error;
    }
  }

  /** The target of a reference. @throws {SchemaProblem} if the reference has no target. */
  follow(reference: unknown, location: SchemaLocation, keyword?: Reference): Target {
    if (typeof reference !== 'string') throw this.problem('$ref must be a string');
    const found = this.targets.find(reference, location, keyword);
    if (found === undefined) throw this.problem(`$ref "${reference}" has no target that the route can see`);
    return found;
  }

  /** An error at the current keyword. */
  problem(message: string): SchemaProblem {
    return new SchemaProblem(message, this.#path);
  }

  #convertAt(schema: unknown, location: SchemaLocation): DescribedSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema))
      throw this.problem(`a schema must be an object or a boolean, not ${kindOf(schema)}`);
    const out: Json = {};
    const conversion: Conversion = { converter: this, schema, location, out };
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      this.#path.push(keyword);
      convertKeyword(conversion, keyword, value);
      this.#path.pop();
    }
    if (isObject(schema.discriminator)) mapDiscriminator(conversion);
    return schema.nullable === true ? withNull(out) : out;
  }
}

/** Adds null to the accepted values, as Ajv does for `nullable`. If there is an `enum`, it must list null too. */
function withNull(schema: Json): Json {
  const { type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = [type].flat();
  // The object itself is changed, because references in it are completed later.
  if (!types.includes('null')) schema.type = [...types, 'null'];
  return schema;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
