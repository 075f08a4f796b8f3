/**
 * Reads objects with several conditions and choices at once, such as `allOf` with an `if` in each item. A shape for each
 * combination would have the same result, but the number of combinations doubles with each condition.
 */
import { keyword, maxDepth, type Part, SchemaError } from '@ambit/json-schema';
import { type Constraints, type Fact, narrow, readFact, startConstraints } from './constraints.ts';
import { flatten } from './flatten.ts';
import { type Decision, readDecision } from './read-choice.ts';
import { makeProperty, readMap, readProperty, readRequired } from './read-object.ts';
import { isOpen, readTypes } from './read-types.ts';
import type { Conditional, PropertyShape, Selector } from './shape.ts';
import type { ShapeBody, SubschemaReader } from './subschema-reader.ts';

/** Up to this many combinations, each has its own shape, which is written faster. */
const fewCombinations = 8;

// Each condition is decided inside the one before.
const tooMany = `at most ${maxDepth} conditions and choices may apply to the same properties`;

/** Undefined if each combination gets its own shape: there are few, or the branches affect more than properties. */
export function readConditional(
  reader: SubschemaReader,
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
  if (decisions.length === 1 || combinations <= fewCombinations || !isPlainObject(rest)) return undefined;
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
  reader: SubschemaReader,
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

function isPlainObject(rest: readonly Part[]): boolean {
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
  readonly #reader: SubschemaReader;
  readonly #schemaPath: string;
  readonly #rest: readonly OrderedPart[];
  readonly #selectors: Selector[] = [];
  readonly #properties: (PropertyShape & Conditional & { readonly order: number })[] = [];
  readonly #otherRequired: ({ readonly name: string } & Conditional)[] = [];

  constructor(reader: SubschemaReader, rest: readonly OrderedPart[], schemaPath: string) {
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
        const property = makeProperty(this.#reader, {
          name,
          children,
          isRequired,
          schemaPath: this.#schemaPath,
        });
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
