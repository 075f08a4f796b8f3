/**
 * Describes schemas of routes in JSON Schema 2020-12, the dialect of OpenAPI 3.1: schema by schema, and keyword by keyword. A schema that a
 * reference refers to becomes a component. Errors name the path in the schema.
 */
import { type KeywordContent, keywords, type Reference, uriOf } from '@ambit/json-schema';
import { copyJson, isObject, type Json, NotJson, setMember } from '../json.ts';
import type { ComponentTable } from './components.ts';
import { ReferenceTargets } from './reference-targets.ts';
import {
  type DescribedSchema,
  isReferred,
  type SchemaLocation,
  SchemaProblem,
  type SchemaRoot,
  type Target,
} from './schema-location.ts';

export class SchemaDescriber {
  readonly targets: ReferenceTargets;
  /** The path of the current keyword. */
  #path: (string | number)[] = [];

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>>) {
    this.targets = new ReferenceTargets(own);
  }

  get components(): ComponentTable {
    return this.targets.components;
  }

  /** @throws {SchemaProblem} */
  describeRoot(root: SchemaRoot, hint: string): DescribedSchema {
    const location = { ...root, hint };
    const described = this.describe(root.document, location, uriOf(root.document) === '' ? undefined : []);
    // If a schema inside refers to the whole, the whole becomes a component and needs a name.
    const component = this.targets.componentAt(location);
    if (component === undefined) return described;
    const reference: Json = {};
    this.components.refer(reference, '$ref', component);
    return reference;
  }

  /**
   * Describes one schema of a root, and the components that it needs.
   *
   * @param path The path in the root, for errors. If it is present, a schema with an `$id` becomes a component.
   * @throws {SchemaProblem}
   */
  describe(schema: unknown, location: SchemaLocation, path?: readonly (string | number)[]): DescribedSchema {
    this.#path = [...(path ?? [])];
    const described = path === undefined ? this.#convert(schema, location) : this.subschema(schema, location);
    for (let next = this.targets.takePending(); next !== undefined; next = this.targets.takePending()) {
      this.#path = [next.component.name];
      next.component.schema = this.#convert(next.location.part.schema, next.location);
    }
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

  /** Converts a schema, even if it has an identifier. @param location The location of the schema itself, not of the outer schema. */
  #convert(schema: unknown, location: SchemaLocation): DescribedSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema))
      throw this.problem(`a schema must be an object or a boolean, not ${kindOf(schema)}`);
    const out: Json = {};
    const conversion: Conversion = { describer: this, schema, location, out };
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

  /**
   * Converts the schema of the current keyword. If it has an identifier, it becomes a component.
   *
   * @param outer The location of the schema that has the keyword.
   */
  subschema(schema: unknown, outer: SchemaLocation): DescribedSchema {
    if (!isObject(schema) || schema.$id === undefined || uriOf(schema) === '')
      return this.#convert(schema, outer);
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

/** A schema while it is converted. */
interface Conversion {
  readonly describer: SchemaDescriber;
  /** The schema as declared. */
  readonly schema: Json;
  readonly location: SchemaLocation;
  /** The keywords that are already converted. */
  readonly out: Json;
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

/** How a keyword is converted. */
type KeywordKind = KeywordContent | 'value' | 'consumed' | 'reference' | 'special';

const kinds: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...[...keywords].map(([name, { contains }]): [string, KeywordKind] => [name, contains ?? 'value']),
  ...Object.keys(conversions).map((name): [string, KeywordKind] => [name, 'special']),
  ...['xml', 'externalDocs'].map((name): [string, KeywordKind] => [name, 'value']),
  ...['$ref', '$recursiveRef', '$dynamicRef'].map((name): [string, KeywordKind] => [name, 'reference']),
  ...consumed.map((name): [string, KeywordKind] => [name, 'consumed']),
]);

/** Keywords that have no effect in draft 7, so a document must not contain them. Ajv reads `$defs` in both dialects; `contentSchema` only describes. */
const later: ReadonlySet<string> = new Set(
  [...keywords.keys()].filter(
    (name) => keywords.get(name)?.only === '2020-12' && name !== '$defs' && name !== 'contentSchema',
  ),
);

/** Writes the converted keyword into `out`. */
function convertKeyword(conversion: Conversion, keyword: string, value: unknown): void {
  const { describer, location, out } = conversion;
  if (later.has(keyword) && isDraft7(location)) return;
  switch (kinds.get(keyword)) {
    case 'value':
      // An empty list requires nothing, and OpenAPI 3.0 does not allow it.
      if (keyword !== 'required' || !Array.isArray(value) || value.length > 0)
        out[keyword] = describer.copy(value);
      break;
    case 'schema':
      out[keyword] = describer.subschema(value, location);
      break;
    case 'map':
      out[keyword] = describer.map(value, location);
      break;
    case 'list':
      addTo(out, keyword, describer.list(value, location));
      break;
    case 'reference':
      // A document has no `$dynamicRef`. So a schema is described once for each set of targets that its `$dynamicRef`s have.
      refer(
        conversion,
        describer.follow(value, location, keyword === '$dynamicRef' ? '$dynamicRef' : '$ref'),
      );
      break;
    case 'special':
      conversions[keyword]!(conversion, value);
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

function refer({ describer, location, out }: Conversion, target: Target): void {
  if (typeof target.schema === 'boolean') {
    if (!target.schema) addTo(out, 'allOf', [{ not: {} }]);
  } else if (out.$ref === undefined) {
    describer.targets.refer(out, '$ref', target, location);
  } else {
    // The schema has a `$ref` and a `$dynamicRef`, but the document only has `$ref`.
    const reference: Json = {};
    describer.targets.refer(reference, '$ref', target, location);
    addTo(out, 'allOf', [reference]);
  }
}

function isDraft7({ part }: SchemaLocation): boolean {
  return part.base.dialect.name === 'draft-07';
}

/** Converts a keyword that no dialect defines. */
function convertUnknown({ describer, out }: Conversion, keyword: string, value: unknown): void {
  if (keyword === '$merge' || keyword === '$patch')
    throw describer.problem(`"${keyword}" has no counterpart in OpenAPI`);
  if (keyword === 'discriminator' || keyword.startsWith('x-')) out[keyword] = describer.copy(value);
  else out[`x-${keyword}`] = describer.copy(value);
}

/** A list of schemas is a tuple, which 2020-12 calls `prefixItems`. */
function convertItems({ describer, location, out }: Conversion, value: unknown): void {
  if (!Array.isArray(value)) out.items = describer.subschema(value, location);
  // 2020-12 does not allow an empty tuple.
  else if (value.length > 0) out.prefixItems = describer.list(value, location);
}

function convertAdditionalItems({ describer, schema, location, out }: Conversion, value: unknown): void {
  if (isDraft7(location) && Array.isArray(schema.items)) out.items = describer.subschema(value, location);
}

/** Definitions that a reference refers to become components. The others do not affect validation, but stay in `$defs`. */
function convertDefinitions({ describer, location, out }: Conversion, value: unknown): void {
  if (!isObject(value)) return;
  const unused = Object.entries(value).filter(([, subschema]) => !isReferred(subschema, location));
  if (unused.length > 0)
    out.$defs = { ...(out.$defs as Json), ...describer.map(Object.fromEntries(unused), location) };
}

function convertDependencies({ describer, location, out }: Conversion, value: unknown): void {
  // 2020-12 does not define `dependencies`, but Ajv still supports it.
  if (!isObject(value)) return;
  const required: Json = {};
  const schemas: Json = {};
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) setMember(required, name, describer.copy(dependency));
    else setMember(schemas, name, describer.subschemaAt(name, dependency, location));
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
  const { describer, location, out } = conversion;
  const mapped: Json = {};
  const references = isObject(mapping)
    ? Object.entries(mapping)
    : referencesByConstant(conversion, String(propertyName));
  for (const [value, reference] of references) {
    if (typeof reference !== 'string') continue;
    describer.targets.refer(mapped, value, describer.follow(reference, location), location);
  }
  out.discriminator = Object.keys(mapped).length > 0 ? { propertyName, mapping: mapped } : { propertyName };
}

/** Branches that are not references are left out. */
function referencesByConstant(
  { describer, schema, location }: Conversion,
  propertyName: string,
): [constant: string, reference: string][] {
  const branches = [schema.oneOf ?? schema.anyOf ?? []].flat() as Json[];
  return branches.flatMap((branch) => {
    const { $ref: reference } = Object(branch) as Json;
    if (typeof reference !== 'string') return [];
    const { properties } = Object(describer.follow(reference, location).schema) as { properties?: Json };
    const { const: constant, enum: values = [] } = Object(properties?.[propertyName]) as Json;
    return [constant === undefined ? values : constant]
      .flat()
      .flatMap((value): [string, string][] => (typeof value === 'string' ? [[value, reference]] : []));
  });
}
