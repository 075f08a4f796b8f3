/** Describes the parameters of a route: those that its schemas declare, and those that its path and its constraints add. */
import { parsePattern } from '@ambit/json-schema';
import type { ParameterObject } from '../document-types.ts';
import { copyJson, isObject, type Json } from '../json.ts';
import type { DescribedSchema, SchemaLocation } from '../schema/schema-location.ts';
import { giveExamples } from './content.ts';
import type { DocumentedRoute } from './documented-route.ts';
import type { Part, PartDescriber } from './part-describer.ts';

type ParameterLocation = ParameterObject['in'];

/** OpenAPI ignores header parameters with these names, because media types and security have their own fields. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

const none: readonly never[] = [];

/** The schema of one parameter. */
interface Field {
  readonly described: DescribedSchema;
  /** The schema of the property as declared, with fields that belong to the parameter: description, style. */
  readonly declared: Json;
}

interface Fields {
  readonly byName: Map<string, Field>;
  required: readonly string[];
  /** Names that keywords such as `dependentRequired` contain. They need not have a schema of their own. */
  mentioned: readonly string[];
  /** The first schema that declares parameters without naming them, by `patternProperties` or `additionalProperties`. */
  rest?: { readonly schema: Json; readonly location: SchemaLocation } | undefined;
}

export class ParameterDescriber {
  readonly #parts: PartDescriber;

  constructor(parts: PartDescriber) {
    this.#parts = parts;
  }

  /**
   * The parameters of the path, the query, the headers and the cookies.
   *
   * @param hint The start of names for schemas that have none.
   * @param keys Parameters that a security scheme already declares, such as `header x-api-key`.
   * @throws {OpenAPIError}
   */
  describe(documented: DocumentedRoute, hint: string, keys: ReadonlySet<string>): ParameterObject[] {
    const { params, querystring, query, headers, cookies } = documented.schema;
    const declared = (
      name: string,
      location: ParameterLocation,
      schema: unknown,
    ): readonly ParameterObject[] => {
      if (schema === undefined || schema === null) return none;
      const described = this.#declared(documented, schema, location, name, hint);
      if (keys.size === 0) return described;
      return described.filter((parameter) => !keys.has(`${location} ${parameter.name.toLowerCase()}`));
    };
    const declaredHeaders = declared('headers', 'header', headers).filter(
      ({ name }) => !ignoredHeaders.has(name.toLowerCase()),
    );
    return this.#pathParameters(documented, declared('params', 'path', params)).concat(
      declared('querystring', 'query', querystring ?? query),
      declaredHeaders,
      this.#constraintHeaders(documented, declaredHeaders),
      declared('cookies', 'cookie', cookies),
    );
  }

  /** One parameter for each name in the path, in order. The schema may describe all, some or none of them. */
  #pathParameters(
    { parameters, names }: DocumentedRoute,
    declared: readonly ParameterObject[],
  ): ParameterObject[] {
    return parameters.map(({ name, pattern }, i) => {
      const known = declared.find((parameter) => parameter.name === name);
      if (known !== undefined && known.name === names[i]) return known;
      const parameter: ParameterObject =
        known === undefined ? { name: names[i]!, in: 'path', required: true } : { ...known, name: names[i]! };
      const text = pattern === undefined ? { type: 'string' } : { type: 'string', pattern };
      const schema = known === undefined ? text : (known.schema as Json | undefined);
      if (schema !== undefined) this.#parts.setSchema(parameter, 'schema', schema);
      return parameter;
    });
  }

  /** A route with a version constraint handles only requests with this version. */
  #constraintHeaders(
    { route }: DocumentedRoute,
    headers: readonly ParameterObject[],
  ): readonly ParameterObject[] {
    const version = route.options.constraints?.version;
    if (version === undefined || headers.some(({ name }) => name.toLowerCase() === 'accept-version'))
      return none;
    const parameter: ParameterObject = { name: 'accept-version', in: 'header', required: true };
    this.#parts.setSchema(parameter, 'schema', { type: 'string', examples: [version] });
    return [parameter];
  }

  /** @param name The part of the route's schema, such as `querystring`. */
  #declared(
    { route, parameters }: DocumentedRoute,
    schema: unknown,
    location: ParameterLocation,
    name: string,
    hint: string,
  ): readonly ParameterObject[] {
    const names = location === 'path' ? parameters.map(({ name }) => name) : none;
    return this.#parts.once(route.context, [location, schema, ...names], () => {
      const words = name.charAt(0).toUpperCase() + name.slice(1);
      return this.#ofPart(schema, location, { route, name, side: 'input', hint: hint + words }, names);
    });
  }

  /** The parameters of a part, in the order of its properties. @param names The names in the path, for its parameters. */
  #ofPart(
    schema: unknown,
    location: ParameterLocation,
    part: Part,
    names: readonly string[],
  ): ParameterObject[] {
    try {
      const schemaLocation = this.#parts.locateSchema(schema, part);
      const { schema: rootSchema } = schemaLocation.part;
      const fields = isPlain(rootSchema)
        ? this.#properties(rootSchema, schemaLocation)
        : this.#collect(rootSchema, schemaLocation, new Set());
      const { byName, required, mentioned, rest } = fields;
      // The path itself describes parameters that the schema does not.
      const named = location !== 'path' ? [...required, ...mentioned] : rest === undefined ? [] : names;
      for (const name of named)
        if (!includesName([...byName.keys()], name, location)) byName.set(name, this.#unnamed(name, fields));
      const parameters: ParameterObject[] = [];
      for (const [name, field] of byName)
        parameters.push(
          this.#parameter(name, location, field, includesName(required, name, location), rootSchema),
        );
      if (rest !== undefined && location === 'query') parameters.push(this.#restParameter(fields, rest));
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

  /** A parameter that a schema does not declare by its name. */
  #unnamed(name: string, { rest }: Fields): Field {
    if (rest === undefined) return { described: {}, declared: {} };
    const { schema, location } = rest;
    for (const [pattern, property] of Object.entries(Object(schema.patternProperties)))
      if (parsePattern(pattern)?.test(name))
        return this.#field(property, location, ['patternProperties', pattern]);
    const keyword = otherKeywords.find((keyword) => isObject(schema[keyword]));
    return this.#field(keyword === undefined ? {} : schema[keyword], location, [keyword ?? '']);
  }

  /** All other names in a query. OpenAPI calls an object whose members are parameters `form` with `explode`; its own name is not sent. */
  #restParameter({ byName }: Fields, { schema, location }: NonNullable<Fields['rest']>): ParameterObject {
    let name = 'other';
    while (byName.has(name)) name += '_';
    const { patternProperties, additionalProperties, unevaluatedProperties } = schema;
    const members = {
      type: 'object',
      ...(patternProperties !== undefined && { patternProperties }),
      additionalProperties: additionalProperties ?? unevaluatedProperties ?? true,
    };
    const parameter: ParameterObject = { name, in: 'query', required: false, style: 'form', explode: true };
    this.#parts.setSchema(parameter, 'schema', this.#parts.schemas.describe(members, location, []));
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
    if (!isObject(schema) || seen.has(schema)) return noFields();
    seen.add(schema);
    const location = { ...outer, part: outer.registry.child(outer.part, schema) };
    const fields = this.#properties(schema, location);
    if (schema.$ref !== undefined) {
      const { schemas } = this.#parts;
      const target = schemas.follow(schema.$ref, location);
      addAll(fields, this.#collect(target.schema, schemas.targets.locationOf(target.part, location), seen));
    }
    for (const branch of (schema.allOf ?? []) as unknown[])
      addAll(fields, this.#collect(branch, location, seen));
    for (const keyword of ['anyOf', 'oneOf'])
      this.#addAlternatives(fields, (schema[keyword] ?? []) as unknown[], location, seen);
    if (schema.if !== undefined) {
      fields.mentioned = [...fields.mentioned, ...this.#collect(schema.if, location, seen).byName.keys()];
      this.#addConditional(fields, [schema.then, schema.else], location, seen);
    }
    for (const [name, dependency] of dependenciesOf(schema)) {
      fields.mentioned = [...fields.mentioned, name, ...(Array.isArray(dependency) ? dependency : [])];
      this.#addConditional(fields, [dependency, undefined], location, seen);
    }
    seen.delete(schema);
    return fields;
  }

  /**
   * Adds what schemas declare of which at most one applies. It is part of a declared parameter only if all of them restrict it; a parameter
   * that nothing else declares is optional, unless all of them require it.
   */
  #addConditional(fields: Fields, branches: unknown[], location: SchemaLocation, seen: Set<unknown>): void {
    const all = branches.map((branch) => this.#collect(branch, location, seen));
    const merged = mergeAlternatives(all);
    for (const [name, field] of merged.byName)
      if (!fields.byName.has(name) || all.every(({ byName }) => byName.has(name)))
        addField(fields, name, field, 'allOf');
    addAll(fields, { ...merged, byName: new Map() });
  }

  /** The properties that the schema itself declares. */
  #properties(schema: Json, location: SchemaLocation): Fields {
    const { properties = {}, required = [] } = schema;
    const byName = new Map<string, Field>();
    for (const name of Object.keys(properties as Json)) {
      const property = (properties as Json)[name];
      // A property with the schema `false` accepts no value, so it is no parameter.
      if (property === false || property === undefined) continue;
      byName.set(name, this.#field(property, location, ['properties', name]));
    }
    const rest = declaresOthers(schema) ? { schema, location } : undefined;
    return { byName, required: required as string[], mentioned: [], rest };
  }

  #field(property: unknown, location: SchemaLocation, path: readonly string[]): Field {
    const described = this.#parts.schemas.describe(schemaOf(property), location, path);
    return { described, declared: isObject(property) ? property : {} };
  }

  /** If a schema has alternatives, a parameter is required only if each alternative requires it. */
  #addAlternatives(fields: Fields, branches: unknown[], location: SchemaLocation, seen: Set<unknown>): void {
    if (branches.length === 0) return;
    const all = branches.map((branch) => this.#collect(branch, location, seen));
    addAll(fields, mergeAlternatives(all));
  }
}

/** The names of headers are compared without case. */
function includesName(names: readonly string[], name: string, location: ParameterLocation): boolean {
  if (location !== 'header') return names.includes(name);
  return names.some((other) => other.toLowerCase() === name.toLowerCase());
}

function noFields(): Fields {
  return { byName: new Map(), required: [], mentioned: [] };
}

function mergeAlternatives(all: readonly Fields[]): Fields {
  const merged = noFields();
  for (const { byName, required, mentioned, rest } of all) {
    for (const [name, field] of byName) addField(merged, name, field, 'anyOf');
    merged.mentioned = [...merged.mentioned, ...required, ...mentioned];
    merged.rest ??= rest;
  }
  merged.required = all[0]!.required.filter((name) => all.every(({ required }) => required.includes(name)));
  return merged;
}

function addAll(fields: Fields, { byName, required, mentioned, rest }: Fields): void {
  for (const [name, field] of byName) addField(fields, name, field, 'allOf');
  fields.required = [...fields.required, ...required];
  fields.mentioned = [...fields.mentioned, ...mentioned];
  fields.rest ??= rest;
}

const otherKeywords = ['additionalProperties', 'unevaluatedProperties'];

/** Whether a schema declares parameters without naming them. The schemas `true` and `{}` only allow them. */
function declaresOthers(schema: Json): boolean {
  return ['patternProperties', ...otherKeywords].some(
    (keyword) => isObject(schema[keyword]) && Object.keys(schema[keyword]).length > 0,
  );
}

function dependenciesOf({ dependencies, dependentSchemas, dependentRequired }: Json): [string, unknown][] {
  return [dependencies, dependentSchemas, dependentRequired].flatMap((each) => Object.entries(Object(each)));
}

/** Whether a schema only lists its properties, which is the common case. */
function isPlain(schema: Json): boolean {
  return isObject(schema.properties) && !composites.some((keyword) => schema[keyword] !== undefined);
}
const composites = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependencies',
  'dependentSchemas',
  'dependentRequired',
];

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
