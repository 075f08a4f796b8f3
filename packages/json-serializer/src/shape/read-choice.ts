/** Reads the keywords that choose between schemas: oneOf, anyOf, if. Finds the cheapest test for each branch. */
import { isSchemaObject, type JsonType, keyword, type Part } from '@ambit/json-schema';
import { flatten, readBranches, readChild, readOwnTypes } from './flatten.ts';
import type { ShapeReader } from './read-shape.ts';
import type { ShapeBody } from './shape.ts';
import { isPrimitive, type Primitive, type Test } from './test.ts';

/** A keyword that chooses, and its branches. */
export interface Decision {
  readonly owner: Part;
  readonly branches: readonly { readonly test: Test; readonly option: Part | true }[];
  /** The schema of `if`; undefined for the other keywords. */
  readonly condition: unknown;
  /** The schema without this keyword. */
  readonly rest: readonly Part[];
}

/** The first choice among all those in the parts. */
export function readDecision(reader: ShapeReader, flat: readonly Part[]): Decision | undefined {
  for (const name of ['anyOf', 'oneOf']) {
    const owner = flat.find((part) => keyword(part, name) !== undefined);
    if (owner === undefined) continue;
    const branches = readOptions(reader, owner, name);
    return { owner, branches, condition: undefined, rest: without(reader, flat, owner, name) };
  }
  const owner = flat.find((part) => keyword(part, 'if') !== undefined);
  if (owner === undefined) return undefined;
  const rest = without(reader, flat, owner, 'if', 'then', 'else');
  return { owner, branches: readConditionBranches(reader, owner), condition: keyword(owner, 'if'), rest };
}

/** A shape for each branch, with all other parts. Each of these shapes reads the remaining choices. */
export function readChoice(reader: ShapeReader, decision: Decision, schemaPath: string): ShapeBody {
  const { owner, branches, condition, rest } = decision;
  const isAlone = !rest.some(isDecided);
  const read = (option: Part | true) => {
    if (!isAlone) reader.countCombination(owner.pointer);
    return reader.read(option === true ? rest : [...rest, option]);
  };
  const shapes = branches.map(({ test, option }) => ({ test, shape: read(option) }));
  if (branches.length > 0 && shapes.every(({ shape }) => shape.kind === 'never'))
    return reader.contradict('no branch can apply together with the other schemas', [owner], schemaPath);
  // Without a condition, a branch that accepts nothing cannot be the one that matches.
  const possible = condition === undefined ? shapes.filter(({ shape }) => shape.kind !== 'never') : shapes;
  return { kind: 'choice', branches: possible };
}

function isDecided(part: Part): boolean {
  return ['anyOf', 'oneOf', 'if'].some((name) => keyword(part, name) !== undefined);
}

function without(reader: ShapeReader, flat: readonly Part[], owner: Part, ...keywords: string[]): Part[] {
  return flat.map((part) => (part === owner ? reader.registry.without(part, ...keywords) : part));
}

function readOptions(reader: ShapeReader, owner: Part, name: string): Decision['branches'] {
  const options = readBranches(reader.registry, owner, name);
  const facts = options.map((option) => readFacts(reader, option));
  const branches = options.flatMap((option, index) =>
    option === false ? [] : [{ test: pickTest(reader, option, facts, index), option }],
  );
  return [...readDiscriminated(reader, owner, options), ...branches];
}

/** The branches that `discriminator` selects. They come first: without a known value, the branches themselves decide. */
function readDiscriminated(
  reader: ShapeReader,
  owner: Part,
  options: readonly (Part | boolean)[],
): Decision['branches'] {
  const discriminator = readDiscriminator(keyword(owner, 'discriminator'), (name) =>
    options.map((option) => {
      if (typeof option === 'boolean') return { reference: undefined, constants: [] };
      const { $ref, $id } = option.schema;
      const reference = [$ref, $id].find((each) => typeof each === 'string') as string | undefined;
      return { reference, constants: readConstants(reader, option, name) };
    }),
  );
  if (discriminator === undefined) return [];
  const { propertyName: name, tags } = discriminator;
  return options.flatMap((option, index) => {
    const values = tags[index]!;
    return values.length === 0 || typeof option === 'boolean'
      ? []
      : [{ test: { kind: 'property' as const, name, values }, option }];
  });
}

/** What a branch of `oneOf` or `anyOf` says about the values that select it. */
export interface DiscriminatedBranch {
  /** The `$ref` of the branch, or its `$id`. */
  readonly reference: string | undefined;
  /** The values of `const` or `enum` of the property; empty if the branch lists none, `undefined` if it cannot be read. */
  readonly constants: readonly unknown[] | undefined;
}

/** A `discriminator` that can be used: each value of its property selects one branch. */
export interface Discriminator {
  /** The property whose value selects the branch. */
  readonly propertyName: string;
  /** The values that select each branch; empty for a branch that no value selects. */
  readonly tags: readonly (readonly Primitive[])[];
}

/**
 * Reads which values select which branch (OpenAPI 3.1.1, 4.8.25): those that `mapping` lists and those that the branch itself lists,
 * otherwise the name of the schema to which the branch refers.
 *
 * @param discriminator The value of the keyword.
 * @param readBranches Returns the branches, for the name of the property.
 * @returns `undefined` if the keyword selects nothing, or one value would select two branches.
 */
export function readDiscriminator(
  discriminator: unknown,
  readBranches: (propertyName: string) => readonly DiscriminatedBranch[],
): Discriminator | undefined {
  if (!isSchemaObject(discriminator)) return undefined;
  const { propertyName, mapping } = discriminator;
  if (typeof propertyName !== 'string' || propertyName in Object.prototype) return undefined;
  const branches = readBranches(propertyName);
  const mapped = Object.entries(isSchemaObject(mapping) ? mapping : {}).map(
    ([value, target]) => [value, findTarget(branches, target)] as const,
  );
  const tags = branches.map((branch) => {
    const listed = mapped.filter(([, target]) => target === branch).map(([value]) => value);
    const values = new Set<unknown>([...listed, ...(branch.constants ?? [])]);
    if (values.size === 0 && branch.constants === undefined) return undefined;
    if (values.size === 0 && branch.reference !== undefined) values.add(nameOf(branch.reference));
    return [...values];
  });
  const all = tags.flat();
  const isDefinite = all.length > 0 && all.every(isPrimitive) && new Set(all).size === all.length;
  return isDefinite ? { propertyName, tags: tags as Primitive[][] } : undefined;
}

/** A mapping contains the reference of a branch, or only the name of its schema. */
function findTarget(
  branches: readonly DiscriminatedBranch[],
  target: unknown,
): DiscriminatedBranch | undefined {
  if (typeof target !== 'string') return undefined;
  const exact = branches.find(({ reference }) => reference === target);
  const isNamed = ({ reference }: DiscriminatedBranch) =>
    reference !== undefined && nameOf(reference) === nameOf(target);
  const named = branches.filter(isNamed);
  return exact ?? (named.length === 1 ? named[0] : undefined);
}

/** `Dog` for `Dog#`, `#/components/schemas/Dog` and `shared#/definitions/Dog`. */
function nameOf(reference: string): string {
  return reference.replace(/#?\/?$/, '').replace(/^.*[/#]/, '');
}

/** The values of `const` or `enum` of a property. */
function readConstants(reader: ShapeReader, option: Part, name: string): readonly unknown[] {
  const flat = flatten(reader.registry, [option]) || [];
  return flat.flatMap((part) => {
    const property = (keyword(part, 'properties') as Record<string, unknown> | undefined)?.[name];
    if (!isSchemaObject(property)) return [];
    const child = reader.registry.child(part, property, 'properties', name);
    return (flatten(reader.registry, [child]) || []).flatMap((each) => readValues(each.schema) ?? []);
  });
}

function readConditionBranches(reader: ShapeReader, owner: Part): Decision['branches'] {
  const condition = readChild(reader.registry, owner, keyword(owner, 'if'), 'if');
  const test: Test = { kind: 'validator', matches: reader.validators.validate(condition) };
  return [
    { test, option: readThenOrElse(reader, owner, 'then') },
    { test: { kind: 'always' }, option: readThenOrElse(reader, owner, 'else') },
  ];
}

function readThenOrElse(reader: ShapeReader, owner: Part, name: string): Part | true {
  const schema = keyword(owner, name);
  const child = schema === undefined ? true : readChild(reader.registry, owner, schema, name);
  // As in fast-json-stringify, `false` adds nothing. Only validation rejects such values.
  return child === false ? true : child;
}

/** What distinguishes a branch from the others without validation. */
interface Facts {
  /** Undefined if the branch accepts every type. */
  readonly types: readonly JsonType[] | undefined;
  /** The values of its required const or enum properties, by name. */
  readonly properties: ReadonlyMap<string, readonly Primitive[]>;
}

function readFacts(reader: ShapeReader, option: Part | boolean): Facts {
  const properties = new Map<string, readonly Primitive[]>();
  const flat = typeof option === 'boolean' ? false : flatten(reader.registry, [option]);
  if (flat === false) return { types: undefined, properties };
  const required = flat.flatMap((part) => (keyword(part, 'required') as string[] | undefined) ?? []);
  let types: readonly JsonType[] | undefined;
  for (const part of flat) {
    types ??= readOwnTypes(part);
    if (part.schema.nullable === true && types !== undefined) types = [...types, 'null'];
    for (const [name, schema] of Object.entries(keyword(part, 'properties') ?? {})) {
      const values = readValues(schema);
      if (values !== undefined && required.includes(name) && !(name in Object.prototype))
        properties.set(name, values);
    }
  }
  return { types, properties };
}

function readValues(schema: unknown): Primitive[] | undefined {
  const { const: constant, enum: list } = (schema ?? {}) as { const?: unknown; enum?: unknown };
  const values: unknown[] = constant === undefined ? (Array.isArray(list) ? [...list] : []) : [constant];
  return values.length > 0 && values.every(isPrimitive) ? values : undefined;
}

function pickTest(reader: ShapeReader, option: Part | true, facts: readonly Facts[], index: number): Test {
  const own = facts[index]!;
  const others = facts.filter((_, otherIndex) => otherIndex !== index);
  const overlapping = others.filter((other) => shareType(own, other));
  if (overlapping.length === 0 && own.types !== undefined) {
    const test: Test = { kind: 'types', types: own.types };
    if (!others.some((other) => canShareToJson(own, other))) return test;
    return { ...test, acceptsToJson: reader.validators.validate(option) };
  }
  if (own.types?.length === 1 && own.types[0] === 'object') {
    for (const [name, values] of own.properties) {
      if (overlapping.every((rival) => areDisjoint(values, rival.properties.get(name)))) {
        return { kind: 'property', name, values };
      }
    }
  }
  return { kind: 'validator', matches: reader.validators.validate(option) };
}

function shareType(left: Facts, right: Facts): boolean {
  if (left.types === undefined || right.types === undefined) return true;
  const isNumeric = (type: JsonType) => type === 'integer' || type === 'number';
  return left.types.some((type) =>
    right.types!.some((other) => other === type || (isNumeric(type) && isNumeric(other))),
  );
}

/** Whether one branch has strings and the other objects. An object with `toJSON` can match both. */
function canShareToJson({ types: left = [] }: Facts, { types: right = [] }: Facts): boolean {
  if (left.includes('string') && right.includes('object')) return true;
  return left.includes('object') && right.includes('string');
}

function areDisjoint(values: readonly Primitive[], others: readonly Primitive[] | undefined): boolean {
  return others !== undefined && !values.some((value) => others.includes(value));
}
