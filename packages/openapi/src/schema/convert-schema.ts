/**
 * Converts schemas, keyword by keyword and schema by schema: from draft 7 to 2020-12, and from 2020-12 to the keywords that
 * a document may contain. Errors name the path in the schema.
 */
import { type Keyword, keywords, type Reference, uriOf } from '@ambit/json-schema';
import { copyJson, isObject, type Json, NotJson, setMember } from '../json.ts';
import type { ReferenceTargets } from './reference-targets.ts';
import {
  type DescribedSchema,
  isReferred,
  type SchemaLocation,
  SchemaProblem,
  type Target,
} from './schema-location.ts';

/** A schema while it is converted. */
interface Conversion {
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

  /** The target of a reference. @throws {SchemaProblem} if the reference has no target. */
  follow(reference: unknown, location: SchemaLocation, keyword?: Reference): Target {
    if (typeof reference !== 'string') throw this.problem('$ref must be a string');
    const found = this.targets.find(reference, location, keyword);
    if (found === undefined) throw this.problem(`$ref "${reference}" has no target that the route can see`);
    return found;
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
    if (isObject(schema.discriminator)) convertDiscriminator(conversion, schema.discriminator);
    return schema.nullable === true ? withNull(out) : out;
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

  /** An error at the current keyword. */
  problem(message: string): SchemaProblem {
    return new SchemaProblem(message, this.#path);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
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

/** Keywords that the document does not need: identifiers, and instructions to the validator. */
const consumed = [
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  'nullable',
  'errorMessage',
  '~standard',
];

/** The keywords that differ between draft 7 and 2020-12. */
const conversions: Readonly<Record<string, (conversion: Conversion, value: unknown) => void>> = {
  items: convertItems,
  additionalItems: convertAdditionalItems,
  definitions: convertDefinitions,
  $defs: convertDefinitions,
  dependencies: convertDependencies,
};

/** How a keyword is converted. `later`: only 2020-12 defines it; in draft 7 it has no effect, so a document must not contain it. */
type KeywordKind = 'schema' | 'list' | 'map' | 'value' | 'consumed' | 'reference' | 'special' | 'later';

const kinds: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...[...keywords].map(([name, keyword]): [string, KeywordKind] => [name, kindOfKeyword(name, keyword)]),
  ...Object.keys(conversions).map((name): [string, KeywordKind] => [name, 'special']),
  ...['xml', 'externalDocs'].map((name): [string, KeywordKind] => [name, 'value']),
  ...['$ref', '$recursiveRef'].map((name): [string, KeywordKind] => [name, 'reference']),
  ...consumed.map((name): [string, KeywordKind] => [name, 'consumed']),
]);

function kindOfKeyword(name: string, { contains, only }: Keyword): KeywordKind {
  if (only === '2020-12' && name !== 'contentSchema') return 'later';
  return contains === 'schema' || contains === 'list' || contains === 'map' ? contains : 'value';
}

/** Writes the converted keyword into `out`. */
function convertKeyword(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, location, out } = conversion;
  switch (kinds.get(keyword)) {
    case 'value':
      // An empty list requires nothing, and OpenAPI 3.0 does not allow it.
      if (keyword !== 'required' || !Array.isArray(value) || value.length > 0)
        out[keyword] = converter.copy(value);
      break;
    case 'schema':
      out[keyword] = converter.subschema(value, location);
      break;
    case 'map':
      out[keyword] = converter.map(value, location);
      break;
    case 'list':
      addTo(out, keyword, converter.list(value, location));
      break;
    case 'reference':
      refer(conversion, converter.follow(value, location));
      break;
    case 'special':
      conversions[keyword]!(conversion, value);
      break;
    case 'later':
      if (!isDraft7(location)) convertLater(conversion, keyword, value);
      break;
    case 'consumed':
      break;
    default:
      convertUnknown(conversion, keyword, value);
  }
}

/** Adds schemas to a keyword that may already have some. */
function addTo(out: Json, keyword: string, schemas: readonly unknown[]): void {
  out[keyword] = [...((out[keyword] as unknown[]) ?? []), ...schemas];
}

function refer({ converter, location, out }: Conversion, target: Target): void {
  if (typeof target.schema === 'boolean') {
    if (!target.schema) addTo(out, 'allOf', [{ not: {} }]);
  } else if (out.$ref === undefined) {
    converter.targets.refer(out, '$ref', target, location);
  } else {
    // The schema has a `$ref` and a `$dynamicRef`, but the document only has `$ref`.
    const reference: Json = {};
    converter.targets.refer(reference, '$ref', target, location);
    addTo(out, 'allOf', [reference]);
  }
}

function isDraft7({ part }: SchemaLocation): boolean {
  return part.base.dialect.name === 'draft-07';
}

/** Converts the keywords that only 2020-12 defines. */
function convertLater(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, location, out } = conversion;
  // A document has no `$dynamicRef`. So a schema is described once for each set of targets that its `$dynamicRef`s have.
  if (keyword === '$dynamicRef') refer(conversion, converter.follow(value, location, '$dynamicRef'));
  else if (keyword === 'prefixItems') out[keyword] = converter.list(value, location);
  else if (keyword === 'dependentSchemas') out[keyword] = converter.map(value, location);
  else if (keyword.startsWith('unevaluated')) out[keyword] = converter.subschema(value, location);
  else out[keyword] = converter.copy(value);
}

/** Converts a keyword that no dialect defines. */
function convertUnknown({ converter, out }: Conversion, keyword: string, value: unknown): void {
  if (keyword === '$merge' || keyword === '$patch')
    throw converter.problem(`"${keyword}" has no counterpart in OpenAPI`);
  if (keyword === 'discriminator' || keyword.startsWith('x-')) out[keyword] = converter.copy(value);
  else out[`x-${keyword}`] = converter.copy(value);
}

/** A list of schemas is a tuple, which 2020-12 calls `prefixItems`. */
function convertItems({ converter, location, out }: Conversion, value: unknown): void {
  if (!Array.isArray(value)) out.items = converter.subschema(value, location);
  // 2020-12 does not allow an empty tuple.
  else if (value.length > 0) out.prefixItems = converter.list(value, location);
}

function convertAdditionalItems({ converter, schema, location, out }: Conversion, value: unknown): void {
  if (isDraft7(location) && Array.isArray(schema.items)) out.items = converter.subschema(value, location);
}

/** Definitions that a reference refers to become components. The others do not affect validation, but stay in `$defs`. */
function convertDefinitions({ converter, location, out }: Conversion, value: unknown): void {
  if (!isObject(value)) return;
  const unused = Object.entries(value).filter(([, subschema]) => !isReferred(subschema, location));
  if (unused.length > 0)
    out.$defs = { ...(out.$defs as Json), ...converter.map(Object.fromEntries(unused), location) };
}

function convertDependencies({ converter, location, out }: Conversion, value: unknown): void {
  // 2020-12 does not define `dependencies`, but Ajv still supports it.
  if (!isObject(value)) return;
  const required: Json = {};
  const schemas: Json = {};
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) setMember(required, name, converter.copy(dependency));
    else setMember(schemas, name, converter.subschemaAt(name, dependency, location));
  }
  const described: Json = {};
  if (Object.keys(required).length > 0) described.dependentRequired = required;
  if (Object.keys(schemas).length > 0) described.dependentSchemas = schemas;
  if (isDraft7(location)) Object.assign(out, described);
  // The schema may already have the new keywords, so they go into `allOf`.
  else if (Object.keys(described).length > 0) addTo(out, 'allOf', [described]);
}

/**
 * Writes which value of a discriminator selects which branch: the mapping that the schema declares, or, as Ajv does, the
 * constants of its branches. Without a mapping, OpenAPI treats a value of the property as the name of a component.
 */
function convertDiscriminator(conversion: Conversion, { propertyName, mapping }: Json): void {
  const { converter, location, out } = conversion;
  const mapped: Json = {};
  const references = isObject(mapping)
    ? Object.entries(mapping)
    : referencesByConstant(conversion, String(propertyName));
  for (const [value, reference] of references) {
    if (typeof reference !== 'string') continue;
    converter.targets.refer(mapped, value, converter.follow(reference, location), location);
  }
  out.discriminator = Object.keys(mapped).length > 0 ? { propertyName, mapping: mapped } : { propertyName };
}

/** Branches that are not references are left out. */
function referencesByConstant(
  { converter, schema, location }: Conversion,
  propertyName: string,
): [constant: string, reference: string][] {
  const branches = [schema.oneOf ?? schema.anyOf ?? []].flat() as Json[];
  return branches.flatMap((branch) => {
    const { $ref: reference } = Object(branch) as Json;
    if (typeof reference !== 'string') return [];
    const { properties } = Object(converter.follow(reference, location).schema) as { properties?: Json };
    const { const: constant, enum: values = [] } = Object(properties?.[propertyName]) as Json;
    return [constant === undefined ? values : constant]
      .flat()
      .flatMap((value): [string, string][] => (typeof value === 'string' ? [[value, reference]] : []));
  });
}
