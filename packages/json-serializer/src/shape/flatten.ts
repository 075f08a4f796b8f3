/** Lists the parts that all apply to a value: follows `$ref`, with the keywords next to it, and `allOf`. Reads their types and subschemas. */
import {
  isEqual,
  isSchemaObject,
  type JsonType,
  joinPointer,
  jsonTypes,
  keyword,
  maxDepth,
  type Part,
  type Reference,
  type Registry,
  references,
  SchemaError,
  type SchemaObject,
  tooDeep,
} from '@ambit/json-schema';

/** The parts that apply to a value, without `$ref` and `allOf`, in order; `false` if no value is allowed. */
export function flatten(registry: Registry, parts: readonly Part[]): readonly Part[] | false {
  const [only] = parts;
  // Most schemas are one part.
  if (parts.length === 1 && isFlat(only!)) return parts;
  const flat = new Set<Part>();
  let depth = 0;

  function add(part: Part): boolean {
    if (++depth > maxDepth) throw new SchemaError(tooDeep, part.pointer);
    const before = flat.size;
    const allowed =
      references(part).every((name) => addReference(part, name)) &&
      (isOverridden(part, [...flat].slice(before)) || addOwn(part));
    depth--;
    return allowed;
  }

  function addReference(part: Part, name: Reference): boolean {
    if (keyword(part, name) === undefined) return true;
    const target = registry.resolve(part, name);
    return typeof target === 'boolean' ? target : add(target);
  }

  function addOwn(part: Part): boolean {
    const names: string[] = references(part);
    const isReference = names.length > 0;
    const branches = keyword(part, 'allOf');
    const dependents = readDependents(registry, part);
    if (branches !== undefined) names.push('allOf');
    if (dependents.length > 0) names.push('dependentSchemas');
    if (names.length === 0) flat.add(part);
    else if (!isReference || names.length > 1 || !isOnlyReference(part))
      flat.add(registry.without(part, ...names));
    const all =
      branches === undefined ? dependents : [...readBranches(registry, part, 'allOf'), ...dependents];
    return all.every((branch) => (typeof branch === 'boolean' ? branch : add(branch)));
  }
  return parts.every(add) && [...flat];
}

function isFlat({ schema, base }: Part): boolean {
  if (schema.$ref !== undefined || schema.allOf !== undefined) return false;
  if (base.dialect.name === 'draft-07') return true;
  return schema.$dynamicRef === undefined && schema.dependentSchemas === undefined;
}

// One schema for each entry of `dependentSchemas`. It must be the same object each time, because it identifies the part.
const conditions = new WeakMap<SchemaObject, ReadonlyMap<string, SchemaObject>>();

/** The entries of `dependentSchemas` as conditions: if the property exists, the schema applies. */
function readDependents(registry: Registry, part: Part): Part[] {
  const map = part.base.dialect.name === '2020-12' ? keyword(part, 'dependentSchemas') : undefined;
  if (!isSchemaObject(map)) return [];
  let byName = conditions.get(map);
  if (byName === undefined) {
    byName = new Map(
      Object.entries(map).map(([name, then]) => [name, { if: { type: 'object', required: [name] }, then }]),
    );
    conditions.set(map, byName);
  }
  return [...byName].map(([name, schema]) => registry.child(part, schema, 'dependentSchemas', name));
}

/** Keywords that do not affect what is written. */
const annotations = ['title', 'description', '$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

/**
 * Whether a part adds nothing to what it refers to. It is then left out and has the shape of its target, so each type
 * has one shape, however often it is used.
 */
function isOnlyReference({ schema }: Part): boolean {
  return Object.keys(schema).every(
    (name) => name === '$ref' || name === '$dynamicRef' || annotations.includes(name),
  );
}

/**
 * Whether keywords next to a `$ref` contradict its target. In draft 7, keywords next to a `$ref` have no effect, so the
 * target is right. In 2020-12, they count like all others.
 */
function isOverridden(beside: Part, targets: readonly Part[]): boolean {
  if (beside.base.dialect.name === '2020-12') return false;
  return targets.some(({ schema }) =>
    ['type', 'enum', 'const', 'default', 'format'].some((name) => {
      const own = beside.schema[name];
      const other = schema[name];
      if (own === undefined || other === undefined) return false;
      if (name !== 'type' && name !== 'enum') return !isEqual(own, other);
      return ![own].flat().some((value) => [other].flat().includes(value));
    }),
  );
}

/** The subschemas in a keyword that contains a list of schemas. */
export function readBranches(registry: Registry, part: Part, name: string): (Part | boolean)[] {
  const branches = keyword(part, name);
  if (!Array.isArray(branches) || branches.length === 0) {
    throw new SchemaError(`${name} must be a list of schemas`, joinPointer(part.pointer, name));
  }
  return branches.map((branch, index) => readChild(registry, part, branch, name, index));
}

/** One subschema, after a check that it is a schema. */
export function readChild(
  registry: Registry,
  part: Part,
  schema: unknown,
  ...segments: (string | number)[]
): Part | boolean {
  if (typeof schema === 'boolean') return schema;
  if (isSchemaObject(schema)) return registry.child(part, schema, ...segments);
  throw new SchemaError(
    'a schema must be an object or a boolean',
    segments.reduce(joinPointer, part.pointer),
  );
}

/** The types that all parts allow; empty if nothing is known about the type; undefined if they have no type in common. */
export function readTypes(flat: readonly Part[]): readonly JsonType[] | undefined {
  let common: readonly JsonType[] | undefined;
  let allowNull = true;
  for (const part of flat) {
    const own = readOwnTypes(part);
    if (own === undefined) continue;
    common = common === undefined ? own : intersectTypes(common, own);
    allowNull &&= own.includes('null') || part.schema.nullable === true;
  }
  if (common?.length === 0) return allowNull ? ['null'] : undefined;
  return common ?? inferType(flat);
}

/** Whether a schema does not restrict the type. In 2020-12, a value may then have any type. */
export function isOpen(flat: readonly Part[]): boolean {
  let isDraft2020 = false;
  for (const part of flat) {
    if (keyword(part, 'type') !== undefined) return false;
    isDraft2020 ||= part.base.dialect.name === '2020-12';
  }
  return isDraft2020;
}

export function readOwnTypes(part: Part): readonly JsonType[] | undefined {
  const type = keyword(part, 'type');
  if (type === undefined) return undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  for (const name of types) {
    if (!jsonTypes.includes(name as JsonType)) {
      throw new SchemaError(
        `type must be one of ${jsonTypes.join(', ')}; got ${JSON.stringify(name)}`,
        joinPointer(part.pointer, 'type'),
      );
    }
  }
  if (types.length === 0) throw new SchemaError('type must not be empty', joinPointer(part.pointer, 'type'));
  return types as JsonType[];
}

function intersectTypes(left: readonly JsonType[], right: readonly JsonType[]): JsonType[] {
  const leftNumbers = left.includes('number');
  const rightNumbers = right.includes('number');
  const common = left.filter((type) => right.includes(type) || (type === 'integer' && rightNumbers));
  if (leftNumbers && !rightNumbers && right.includes('integer')) common.push('integer');
  return [...new Set(common)];
}

// The order decides if a schema has keywords of several types.
const keywordsOfType: readonly (readonly [JsonType, RegExp])[] = [
  ['object', /^(properties|required|(additional|pattern|max|min)Properties|dependencies)$/],
  ['array', /^(items|(additional|max|min|unique)Items|contains)$/],
  ['string', /^(maxLength|minLength|pattern)$/],
  ['number', /^(multipleOf|maximum|exclusiveMaximum|minimum|exclusiveMinimum)$/],
];

function inferType(flat: readonly Part[]): readonly JsonType[] {
  const names = flat.flatMap((part) =>
    Object.keys(part.schema).filter((name) => keyword(part, name) !== undefined),
  );
  const found = keywordsOfType.find(([, keywords]) => names.some((name) => keywords.test(name)));
  return found === undefined ? [] : [found[0]];
}
