/**
 * The known values of properties while conditions are decided one after the other: if `kind` is 'a', a condition
 * that requires 'b' cannot hold. Without this, n conditions on one property would have 2^n outcomes.
 */
import { isSchemaObject, type JsonType, type SchemaObject } from '@ambit/json-schema';
import { isOfType } from '../validate/types.ts';
import { isPrimitive } from './test.ts';

const missing = Symbol('missing');
const noObject = Symbol('no object');
const other = Symbol('any other value');

/** A condition that holds exactly when a property is one of these. */
export interface Fact {
  readonly name: string;
  readonly values: ReadonlySet<unknown>;
}

/** The values that each property may still have, by its name. */
export type Constraints = ReadonlyMap<string, ReadonlySet<unknown>>;

const notes = ['title', 'description', '$comment', 'default', 'examples'];

/** Undefined for a condition that depends on more than the value of one property. */
export function readFact(condition: unknown): Fact | undefined {
  if (!hasOnly(condition, ['type', 'properties', 'required'])) return undefined;
  const { type, properties = {}, required = [] } = condition as Record<string, never[]>;
  const [[name, schema] = [], ...others] = Object.entries(properties);
  if (name === undefined || others.length > 0 || (type !== undefined && (type as unknown) !== 'object'))
    return undefined;
  const values = readValues(schema);
  if (values === undefined || required.some((each) => each !== name)) return undefined;
  if (required.length === 0) values.add(missing);
  if (type === undefined) values.add(noObject);
  return { name, values };
}

function readValues(schema: unknown): Set<unknown> | undefined {
  if (!hasOnly(schema, ['type', 'const', 'enum']) || ('const' in schema && 'enum' in schema))
    return undefined;
  const list = (schema.enum ?? [schema.const]) as unknown[];
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as JsonType[]);
  if (!list.every(isPrimitive)) return undefined;
  return new Set(list.filter((value) => types?.some((type) => isOfType(type, value)) ?? true));
}

function hasOnly(schema: unknown, keywords: readonly string[]): schema is SchemaObject {
  if (!isSchemaObject(schema)) return false;
  return Object.keys(schema).every((name) => keywords.includes(name) || notes.includes(name));
}

/** The known values before any condition is decided. */
export function startConstraints(facts: readonly (Fact | undefined)[]): Constraints {
  const known = new Map<string, Set<unknown>>();
  for (const fact of facts) {
    if (fact === undefined) continue;
    const values = known.get(fact.name) ?? new Set([missing, noObject, other]);
    for (const value of fact.values) values.add(value);
    known.set(fact.name, values);
  }
  return known;
}

/** The known values if a condition holds, or if it does not; undefined if this is impossible. */
export function narrow(known: Constraints, { name, values }: Fact, holds: boolean): Constraints | undefined {
  const left = [...known.get(name)!].filter((value) => values.has(value) === holds);
  return left.length === 0 ? undefined : new Map(known).set(name, new Set(left));
}
