/** Describes params, query string, headers and cookies: each property of an object schema becomes a parameter. */
import type { ParameterObject } from '../document-types.ts';
import { copyJson, isObject, type Json } from '../json.ts';
import type { DescribedSchema, SchemaLocation } from '../schema/schema-location.ts';
import { baseOf } from '../schema/schema-uri.ts';
import { giveExamples } from './examples.ts';
import type { Part, PartDescriber } from './part-describer.ts';

export type ParameterLocation = ParameterObject['in'];

/** The schema of one parameter. */
interface Field {
  readonly described: DescribedSchema;
  /** The schema of the property as declared, with fields that belong to the parameter: description, style. */
  readonly declared: Json;
}

interface Fields {
  readonly byName: Map<string, Field>;
  required: readonly string[];
}

export class ParameterDescriber {
  readonly #parts: PartDescriber;

  constructor(parts: PartDescriber) {
    this.#parts = parts;
  }

  /** The parameters of a part, in the order of its properties. @throws {OpenAPIError} */
  describe(schema: unknown, location: ParameterLocation, part: Part): ParameterObject[] {
    try {
      const schemaLocation = this.#parts.locateSchema(schema, part);
      const { document } = schemaLocation.root;
      const rootSchema = isObject(document) ? document : {};
      const { byName, required } = isPlain(rootSchema)
        ? this.#properties(rootSchema, schemaLocation)
        : this.#collect(document, schemaLocation, new Set());
      const parameters: ParameterObject[] = [];
      for (const [name, field] of byName)
        parameters.push(this.#parameter(name, location, field, required.includes(name), rootSchema));
      return parameters;
    } catch (error) {
      throw this.#parts.addLocation(error, part);
    }
  }

  #parameter(
    name: string,
    location: ParameterLocation,
    { described, declared }: Field,
    isRequired: boolean,
    rootSchema: Json,
  ): ParameterObject {
    // A parameter with a default is never missing for the handler.
    const required = location === 'path' || (isRequired && declared.default === undefined);
    const parameter: ParameterObject = { name, in: location, required };
    if (declared.description !== undefined) parameter.description = copyJson(declared.description) as string;
    if (declared.deprecated !== undefined) parameter.deprecated = copyJson(declared.deprecated) as boolean;
    giveExamples(declared, parameter);
    const mediaType = declared['x-consume'];
    if (typeof mediaType === 'string') {
      const media: Json = {};
      this.#parts.setSchema(media, 'schema', described);
      parameter.content = { [mediaType]: media };
      return parameter;
    }
    this.#setStyle(parameter, described, declared, rootSchema);
    this.#parts.setSchema(parameter, 'schema', described);
    return parameter;
  }

  /** If a name is repeated, the query parser creates a list. OpenAPI calls this `form` with `explode`. */
  #setStyle(parameter: ParameterObject, schema: DescribedSchema, declared: Json, rootSchema: Json): void {
    const isList =
      isObject(schema) &&
      (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array')));
    const style =
      declared.style ?? rootSchema.style ?? (isList && parameter.in === 'query' ? 'form' : undefined);
    const explode =
      declared.explode ?? rootSchema.explode ?? (isList && parameter.in === 'query' ? true : undefined);
    if (style !== undefined) parameter.style = copyJson(style);
    if (explode !== undefined) parameter.explode = copyJson(explode);
    if ((declared.allowReserved ?? rootSchema.allowReserved) === true && parameter.in === 'query')
      parameter.allowReserved = true;
  }

  #collect(schema: unknown, outer: SchemaLocation, seen: Set<unknown>): Fields {
    if (!isObject(schema) || seen.has(schema)) return { byName: new Map(), required: [] };
    seen.add(schema);
    const base = baseOf(schema, outer.base);
    const location = { ...outer, base, dynamic: outer.dynamic.enter(outer.root, base) };
    const fields = this.#properties(schema, location);
    if (schema.$ref !== undefined) {
      const target = this.#parts.schemas.follow(schema.$ref, location);
      addAll(
        fields,
        this.#collect(target.schema, this.#parts.schemas.locationOfTarget(target, location), seen),
      );
    }
    for (const branch of (schema.allOf ?? []) as unknown[])
      addAll(fields, this.#collect(branch, location, seen));
    for (const keyword of ['anyOf', 'oneOf'])
      this.#addAlternatives(fields, (schema[keyword] ?? []) as unknown[], location, seen);
    seen.delete(schema);
    return fields;
  }

  /** The properties that the schema itself declares. */
  #properties({ properties = {}, required = [] }: Json, location: SchemaLocation): Fields {
    const byName = new Map<string, Field>();
    for (const name of Object.keys(properties as Json)) {
      const property = (properties as Json)[name];
      // A property with the schema `false` accepts no value, so it is no parameter.
      if (property === false || property === undefined) continue;
      const described = this.#parts.schemas.describe(schemaOf(property), location, ['properties', name]);
      byName.set(name, { described, declared: isObject(property) ? property : {} });
    }
    return { byName, required: required as string[] };
  }

  /** If a schema has alternatives, a parameter is required only if each alternative requires it. */
  #addAlternatives(fields: Fields, branches: unknown[], location: SchemaLocation, seen: Set<unknown>): void {
    if (branches.length === 0) return;
    const all = branches.map((branch) => this.#collect(branch, location, seen));
    const merged: Fields = { byName: new Map(), required: [] };
    for (const { byName } of all) {
      for (const [name, field] of byName) addField(merged, name, field, 'anyOf');
    }
    merged.required = all[0]!.required.filter((name) => all.every(({ required }) => required.includes(name)));
    addAll(fields, merged);
  }
}

function addAll(fields: Fields, { byName, required }: Fields): void {
  for (const [name, field] of byName) addField(fields, name, field, 'allOf');
  fields.required = [...fields.required, ...required];
}

/** Whether a schema only lists its properties, which is the common case. */
function isPlain({ properties, $ref, allOf, anyOf, oneOf }: Json): boolean {
  return isObject(properties) && ($ref ?? allOf ?? anyOf ?? oneOf) === undefined;
}

/** If several schemas declare a property, it must satisfy all of them (`allOf`) or one of them (`anyOf`). */
function addField({ byName }: Fields, name: string, field: Field, keyword: 'allOf' | 'anyOf'): void {
  const existing = byName.get(name);
  if (existing === undefined) byName.set(name, field);
  else if (JSON.stringify(existing.described) !== JSON.stringify(field.described)) {
    const before = isObject(existing.described)
      ? (existing.described[keyword] as DescribedSchema[] | undefined)
      : undefined;
    const isList = before !== undefined && Object.keys(existing.described).length === 1;
    const described = { [keyword]: [...(isList ? before : [existing.described]), field.described] };
    byName.set(name, { described, declared: { ...existing.declared, ...field.declared } });
  }
}

/** Fields that are declared in the schema of a property and belong to its parameter. */
const parameterFields = [
  'description',
  'deprecated',
  'example',
  'examples',
  'x-examples',
  'style',
  'explode',
  'allowReserved',
  'x-consume',
];

/** The other fields, which are the schema of the parameter. */
function schemaOf(property: unknown): unknown {
  if (!isObject(property) || !parameterFields.some((name) => name in property)) return property;
  return Object.fromEntries(Object.entries(property).filter(([name]) => !parameterFields.includes(name)));
}
