/**
 * Reads objects with several conditions and choices at once, such as `allOf` with an `if` in each item. A shape for each
 * combination would have the same result, but the number of combinations doubles with each condition.
 */
import {
  isSchemaObject,
  type JsonType,
  keyword,
  maxDepth,
  type Part,
  SchemaError,
  type SchemaObject,
} from '@ambit/json-schema';
import { flatten, isOpen, readTypes } from './flatten.ts';
import { type Decision, readDecision } from './read-choice.ts';
import { makeProperty, readMap, readProperty, readRequired } from './read-object.ts';
import type { ShapeReader } from './read-shape.ts';
import type { Conditional, PropertyShape, Selector, ShapeBody } from './shape.ts';
import { isPrimitive, ofType } from './test.ts';

/** Up to this many combinations, each has its own shape, which is written faster. */
const fewCombinations = 8;

// Each condition is decided inside the one before.
const tooMany = `at most ${maxDepth} conditions and choices may apply to the same properties`;

/** Undefined if each combination gets its own shape: there are few, or the branches affect more than properties. */
export function readConditional(
  reader: ShapeReader,
  first: Decision,
  schemaPath: string,
): ShapeBody | undefined {
  const decisions: Decision[] = [];
  let rest = first.rest;
  for (let next: Decision | undefined = first; next !== undefined; next = readDecision(reader, rest)) {
    decisions.push(next);
    rest = next.rest;
  }
  const combinations = decisions.reduce((product, { branches }) => product * branches.length, 1);
  if (decisions.length === 1 || combinations <= fewCombinations || !isPropertyMap(rest)) return undefined;
  const orderPart = makeOrderer();
  const base = rest.filter(declaresProperties).map(orderPart);
  const outcomes = decisions.map((decision) => readOutcomes(reader, decision, orderPart));
  if (!outcomes.every((each) => each !== undefined)) return undefined;
  return new ConditionalReading(reader, base, schemaPath).read(outcomes);
}

/** A part, and the positions of its properties in the output, by name. */
interface OrderedPart {
  readonly part: Part;
  readonly orders: ReadonlyMap<string, number>;
}

/** Returns a function that numbers the properties of parts. It must be called in the order of the parts. */
function makeOrderer(): (part: Part) => OrderedPart {
  let count = 0;
  return (part) => ({ part, orders: new Map(declaredNames(part).map((name) => [name, count++])) });
}

/** The properties that each branch of a decision adds. */
interface Outcomes {
  readonly decision: Decision;
  readonly parts: readonly (readonly OrderedPart[])[];
  /** The properties that depend on it. */
  readonly names: ReadonlySet<string>;
  readonly fact: Fact | undefined;
}

/** Undefined if a branch affects more than which properties there are. */
function readOutcomes(
  reader: ShapeReader,
  decision: Decision,
  orderPart: (part: Part) => OrderedPart,
): Outcomes | undefined {
  const parts: OrderedPart[][] = [];
  for (const { option } of decision.branches) {
    const flat = option === true ? [] : flatten(reader.registry, [option]);
    if (flat === false || !flat.every((part) => isAboutProperties(part) && mayBeObject(part)))
      return undefined;
    parts.push(flat.map(orderPart));
  }
  const names = new Set(parts.flat().flatMap(({ part }) => [...declaredNames(part), ...readRequired(part)]));
  return { decision, parts, names, fact: readFact(decision.condition) };
}

function isPropertyMap(rest: readonly Part[]): boolean {
  if (isOpen(rest)) return false;
  const types = readTypes(rest);
  return types?.length === 1 && types[0] === 'object' && rest.every((part) => isAboutProperties(part));
}

/** Whether only `properties` and `required` decide how an object is written. */
function isAboutProperties(part: Part): boolean {
  const isClosed = [undefined, false].includes(keyword(part, 'additionalProperties') as boolean | undefined);
  const others = ['anyOf', 'oneOf', 'if', 'const', 'patternProperties', 'unevaluatedProperties'];
  return isClosed && others.every((name) => keyword(part, name) === undefined);
}

function mayBeObject(part: Part): boolean {
  return part.schema.nullable === undefined && [undefined, 'object'].includes(part.schema.type as string);
}

function declaresProperties(part: Part): boolean {
  return keyword(part, 'properties') !== undefined || keyword(part, 'required') !== undefined;
}

function declaredNames(part: Part): string[] {
  return Object.keys(readMap(part, 'properties'));
}

class ConditionalReading {
  readonly #reader: ShapeReader;
  readonly #schemaPath: string;
  readonly #rest: readonly OrderedPart[];
  readonly #selectors: Selector[] = [];
  readonly #properties: (PropertyShape & Conditional & { readonly order: number })[] = [];
  readonly #otherRequired: ({ readonly name: string } & Conditional)[] = [];

  constructor(reader: ShapeReader, rest: readonly OrderedPart[], schemaPath: string) {
    this.#reader = reader;
    this.#rest = rest;
    this.#schemaPath = schemaPath;
  }

  read(outcomes: readonly Outcomes[]): ShapeBody {
    const dependent = new Set(outcomes.flatMap(({ names }) => [...names]));
    const names = this.#rest.flatMap(({ part }) => [...declaredNames(part), ...readRequired(part)]);
    const constant = [...new Set(names)].filter((name) => !dependent.has(name));
    this.#addProperties(this.#rest, constant, undefined);
    for (const group of groupByNames(outcomes)) this.#addGroup(group);
    this.#properties.sort(
      (left, right) => Number(right.isRequired) - Number(left.isRequired) || left.order - right.order,
    );
    return {
      kind: 'conditional',
      selectors: this.#selectors,
      properties: this.#properties,
      otherRequired: this.#otherRequired,
    };
  }

  /** Decisions about the same properties. Each combination of their outcomes is a leaf. */
  #addGroup(group: readonly Outcomes[]): void {
    if (group.length > maxDepth) throw new SchemaError(tooMany, this.#schemaPath);
    const names = [...new Set(group.flatMap((outcomes) => [...outcomes.names]))];
    const selector = this.#selectors.length;
    let leaf = 0;
    const select = (groupIndex: number, chosen: readonly OrderedPart[], known: Constraints): Selector => {
      const outcomes = group[groupIndex];
      if (outcomes === undefined) {
        this.#reader.countCombination(this.#schemaPath);
        this.#addProperties(chosen, names, { selector, leaf });
        return leaf++;
      }
      const branches = outcomes.decision.branches.flatMap(({ test }, index) => {
        const narrowed = outcomes.fact === undefined ? known : narrow(known, outcomes.fact, index === 0);
        if (narrowed === undefined) return [];
        return [{ test, next: select(groupIndex + 1, [...chosen, ...outcomes.parts[index]!], narrowed) }];
      });
      // A condition whose outcome is known is not tested.
      if (branches.length < outcomes.parts.length) return branches[0]!.next;
      return { branches, schemaPath: outcomes.decision.owner.pointer };
    };
    this.#selectors.push(select(0, this.#rest, startConstraints(group.map(({ fact }) => fact))));
  }

  #addProperties(ordered: readonly OrderedPart[], names: readonly string[], when: Conditional['when']): void {
    const flat = [...new Set(ordered.map(({ part }) => part))];
    const required = new Set(flat.flatMap(readRequired));
    const orders = new Map<string, number>();
    // In reverse order, so that the first of several is used.
    for (const each of [...ordered].reverse())
      for (const [name, order] of each.orders) orders.set(name, order);
    for (const name of names) {
      const order = orders.get(name);
      const isRequired = required.has(name);
      if (order !== undefined) {
        const children = readProperty(this.#reader, flat, name);
        const property = makeProperty(this.#reader, name, children, isRequired, this.#schemaPath);
        if (property !== undefined) this.#properties.push({ ...property, when, order });
      } else if (isRequired) this.#otherRequired.push({ name, when });
    }
  }
}

function groupByNames(outcomes: readonly Outcomes[]): Outcomes[][] {
  let groups: Outcomes[][] = [];
  for (const outcome of outcomes) {
    const overlapping = groups.filter((group) =>
      group.some(({ names }) => [...outcome.names].some((name) => names.has(name))),
    );
    groups = [...groups.filter((group) => !overlapping.includes(group)), [...overlapping.flat(), outcome]];
  }
  return groups.map((group) => outcomes.filter((outcome) => group.includes(outcome)));
}

// While conditions are decided one after the other, some values of properties are known: if `kind` is 'a', a condition that
// requires 'b' cannot hold. Without this, n conditions on one property would have 2^n outcomes.

const missing = Symbol('missing');
const noObject = Symbol('no object');
const other = Symbol('any other value');

/** A condition that holds exactly when a property is one of these. */
interface Fact {
  readonly name: string;
  readonly values: ReadonlySet<unknown>;
}

/** The values that each property may still have, by its name. */
type Constraints = ReadonlyMap<string, ReadonlySet<unknown>>;

const notes = ['title', 'description', '$comment', 'default', 'examples'];

/** Undefined for a condition that depends on more than the value of one property. */
function readFact(condition: unknown): Fact | undefined {
  if (!hasOnly(condition, ['type', 'properties', 'required'])) return undefined;
  const { type, properties = {}, required = [] } = condition as Record<string, never[]>;
  const [[name, schema] = [], ...others] = Object.entries(properties);
  if (name === undefined || others.length > 0 || (type !== undefined && (type as unknown) !== 'object'))
    return undefined;
  const values = readAllowedValues(schema);
  if (values === undefined || required.some((each) => each !== name)) return undefined;
  if (required.length === 0) values.add(missing);
  if (type === undefined) values.add(noObject);
  return { name, values };
}

function readAllowedValues(schema: unknown): Set<unknown> | undefined {
  if (!hasOnly(schema, ['type', 'const', 'enum']) || ('const' in schema && 'enum' in schema))
    return undefined;
  const list = (schema.enum ?? [schema.const]) as unknown[];
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as JsonType[]);
  if (!list.every(isPrimitive)) return undefined;
  return new Set(list.filter((value) => types?.some((type) => ofType[type](value)) ?? true));
}

function hasOnly(schema: unknown, keywords: readonly string[]): schema is SchemaObject {
  if (!isSchemaObject(schema)) return false;
  return Object.keys(schema).every((name) => keywords.includes(name) || notes.includes(name));
}

/** The known values before any condition is decided. */
function startConstraints(facts: readonly (Fact | undefined)[]): Constraints {
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
function narrow(known: Constraints, { name, values }: Fact, holds: boolean): Constraints | undefined {
  const left = [...known.get(name)!].filter((value) => values.has(value) === holds);
  return left.length === 0 ? undefined : new Map(known).set(name, new Set(left));
}
