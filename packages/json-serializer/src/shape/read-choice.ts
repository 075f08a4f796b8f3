/** Owns the keywords that choose between schemas: oneOf, anyOf, if; and finds the cheapest test for each branch. */
import type { JsonType } from '../json-schema.ts';
import { flatten, readBranches, readChild } from '../schema/flatten.ts';
import { keyword, type Part } from '../schema/registry.ts';
import { readOwnTypes } from './read-types.ts';
import type { ShapeBody, SubschemaReader } from './subschema-reader.ts';
import type { Primitive, Test } from './test.ts';

export function readChoice(reader: SubschemaReader, flat: readonly Part[]): ShapeBody | undefined {
  const name = ['anyOf', 'oneOf'].find((each) => flat.some((part) => keyword(part, each) !== undefined));
  if (name === undefined) return undefined;
  const owner = flat.find((part) => keyword(part, name) !== undefined)!;
  const rest = flat.map((part) => (part === owner ? reader.registry.without(part, name) : part));
  const options = readBranches(reader.registry, owner, name);
  const facts = options.map((option) => readFacts(reader, option));
  const branches = options.flatMap((option, index) => {
    if (option === false) return [];
    const test = pickTest(reader, option, facts, index);
    return [{ test, shape: reader.read(option === true ? rest : [...rest, option]) }];
  });
  return { kind: 'choice', branches };
}

export function readCondition(reader: SubschemaReader, flat: readonly Part[]): ShapeBody | undefined {
  const owner = flat.find((part) => keyword(part, 'if') !== undefined);
  if (owner === undefined) return undefined;
  const rest = flat.map((part) =>
    part === owner ? reader.registry.without(part, 'if', 'then', 'else') : part,
  );
  const condition = readChild(reader.registry, owner, keyword(owner, 'if'), 'if');
  const test: Test = { kind: 'validator', matches: reader.validators.validate(condition) };
  return {
    kind: 'choice',
    branches: [
      { test, shape: reader.read([...rest, ...readOutcome(reader, owner, 'then')]) },
      { test: { kind: 'always' }, shape: reader.read([...rest, ...readOutcome(reader, owner, 'else')]) },
    ],
  };
}

function readOutcome(reader: SubschemaReader, owner: Part, name: string): Part[] {
  const schema = keyword(owner, name);
  if (schema === undefined) return [];
  const child = readChild(reader.registry, owner, schema, name);
  return typeof child === 'boolean' ? [] : [child];
}

/** What tells a branch from its neighbours without validating. */
interface Facts {
  /** Undefined when any type may be in it. */
  readonly types: readonly JsonType[] | undefined;
  /** Values of its required const or enum properties, by name. */
  readonly properties: ReadonlyMap<string, readonly Primitive[]>;
}

function readFacts(reader: SubschemaReader, option: Part | boolean): Facts {
  const properties = new Map<string, readonly Primitive[]>();
  const flat = typeof option === 'boolean' ? false : flatten(reader.registry, [option]);
  if (flat === false) return { types: undefined, properties };
  let types: readonly JsonType[] | undefined;
  for (const part of flat) {
    types ??= readOwnTypes(part);
    if (part.schema.nullable === true && types !== undefined) types = [...types, 'null'];
    const declared = keyword(part, 'properties');
    const required = flat.flatMap((each) => (keyword(each, 'required') as string[] | undefined) ?? []);
    for (const [name, schema] of Object.entries(declared ?? {})) {
      const values = readValues(schema);
      if (values !== undefined && required.includes(name) && !(name in Object.prototype))
        properties.set(name, values);
    }
  }
  return { types, properties };
}

function readValues(schema: unknown): Primitive[] | undefined {
  const { const: constant, enum: list } = (schema ?? {}) as { const?: unknown; enum?: unknown };
  const values: unknown[] = constant === undefined ? (Array.isArray(list) ? list : []) : [constant];
  return values.length > 0 && values.every(isPrimitive) ? values : undefined;
}

function isPrimitive(value: unknown): value is Primitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function pickTest(
  reader: SubschemaReader,
  option: Part | true,
  facts: readonly Facts[],
  index: number,
): Test {
  const own = facts[index]!;
  const rivals = facts.filter((other, at) => at !== index && shareType(own, other));
  if (rivals.length === 0 && own.types !== undefined) {
    const isBoth = facts.some((other, at) => at !== index && shareWriters(own, other));
    return {
      kind: 'types',
      types: own.types,
      ...(isBoth && { writers: reader.validators.validate(option) }),
    };
  }
  if (own.types?.length === 1 && own.types[0] === 'object') {
    for (const [name, values] of own.properties) {
      if (rivals.every((rival) => isApart(values, rival.properties.get(name)))) {
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

/** Whether one has strings and the other objects: an object that writes itself may be either. */
function shareWriters({ types: left = [] }: Facts, { types: right = [] }: Facts): boolean {
  return (
    (left.includes('string') && right.includes('object')) ||
    (left.includes('object') && right.includes('string'))
  );
}

function isApart(values: readonly Primitive[], others: readonly Primitive[] | undefined): boolean {
  return others !== undefined && !values.some((value) => others.includes(value));
}
