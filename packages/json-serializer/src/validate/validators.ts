/** Validation, which is only used to choose branches: whether a value is valid, and which of its properties and items a schema covers. */
import {
  isSchemaObject,
  keyword,
  type Part,
  parsePattern,
  type Reference,
  type Registry,
  references,
} from '@ambit/json-schema';
import { readChild } from '../shape/flatten.ts';
import type { Predicate } from '../shape/test.ts';
import { draft7Checks, draft2020Checks } from './keywords.ts';

/** Creates the check of one keyword. It must accept values of types to which the keyword does not apply. */
export type KeywordCheck = (context: CheckContext) => Predicate | undefined;

export interface CheckContext {
  readonly value: unknown;
  readonly part: Part;
  /** The value of another keyword of the same schema. */
  sibling(name: string): unknown;
  /** The predicate of a subschema. */
  validate(schema: unknown, ...segments: (string | number)[]): Predicate;
  /** The predicate of the target of a reference next to the keyword. */
  validateReference(name: Reference): Predicate;
  /** What the schema covers, without one of its keywords. */
  evaluate(without: string): Evaluator;
}

/** Adds the names of properties, or the indexes of items, that a schema covers. `unevaluatedProperties` and `unevaluatedItems` apply to the others. */
export type Evaluator = (value: Readonly<Record<string, unknown>>, found: Set<string>) => void;

const checksOf = {
  'draft-07': new Map(Object.entries(draft7Checks)),
  '2020-12': new Map(Object.entries(draft2020Checks)),
};

export class Validators {
  readonly #registry: Registry;
  /** Those of the shared schemas, if many compilations use them. */
  readonly #shared: Validators | undefined;
  readonly #predicates = new Map<Part, Predicate>();
  readonly #evaluators = new Map<Part, Evaluator>();
  readonly #pending: (() => void)[] = [];
  /**
   * In the order in which they are requested. Only the schema determines this order, so code that was generated
   * elsewhere can refer to them by number.
   */
  readonly #requested: Predicate[] = [];

  constructor(registry: Registry, shared?: Validators) {
    this.#registry = registry;
    this.#shared = shared;
  }

  /** The predicate of a schema, which can be called after `complete`. It is created only then, so that schemas can be recursive. */
  validate(schema: Part | boolean): Predicate {
    if (typeof schema === 'boolean') return this.#addPredicate(() => schema);
    if (this.#shared !== undefined && this.#registry.isShared(schema)) return this.#shared.validate(schema);
    const known = this.#predicates.get(schema);
    if (known !== undefined) return known;
    let implementation: Predicate = () => false;
    const predicate = this.#addPredicate((value: unknown) => implementation(value));
    this.#predicates.set(schema, predicate);
    this.#pending.push(() => {
      implementation = this.#createPredicate(schema);
    });
    return predicate;
  }

  numberOf(predicate: Predicate): number {
    return this.#requested.indexOf(predicate);
  }

  /** The predicate with this number; undefined if the schema is another one. */
  at(number: number): Predicate | undefined {
    return this.#requested[number];
  }

  #addPredicate(predicate: Predicate): Predicate {
    this.#requested.push(predicate);
    return predicate;
  }

  /** Creates every requested predicate, and those that they need. */
  complete(): void {
    for (let create = this.#pending.pop(); create !== undefined; create = this.#pending.pop()) create();
    this.#shared?.complete();
  }

  /** One check for each keyword. */
  #createPredicate(part: Part): Predicate {
    const checks: Predicate[] = [];
    const table = checksOf[part.base.dialect.name];
    for (const name of Object.keys(part.schema)) {
      const value = keyword(part, name);
      const check = value === undefined ? undefined : table.get(name)?.(this.#context(part, value));
      if (check !== undefined) checks.push(check);
    }
    const [first, second] = checks;
    if (first === undefined) return () => true;
    if (second === undefined) return first;
    if (checks.length === 2) return (value) => first(value) && second(value);
    return (value) => checks.every((check) => check(value));
  }

  #context(part: Part, value: unknown): CheckContext {
    return {
      value,
      part,
      sibling: (name) => keyword(part, name),
      validate: (schema, ...segments) => this.validate(this.#child(part, schema, ...segments)),
      evaluate: (without) => this.#evaluate(this.#registry.without(part, without)),
      validateReference: (name) => this.validate(this.#registry.resolve(part, name)),
    };
  }

  #child(part: Part, schema: unknown, ...segments: (string | number)[]): Part | boolean {
    return readChild(this.#registry, part, schema, ...segments);
  }

  /** What all keywords of a schema cover together. */
  #evaluate(schema: Part | boolean): Evaluator {
    if (typeof schema === 'boolean') return () => {};
    const known = this.#evaluators.get(schema);
    if (known !== undefined) return known;
    let evaluators: readonly Evaluator[] = [];
    const evaluator: Evaluator = (value, found) => {
      for (const each of evaluators) each(value, found);
    };
    // Stored before it is complete, because a schema may refer to itself.
    this.#evaluators.set(schema, evaluator);
    evaluators = [this.#evaluateKeywords(schema), ...this.#evaluateSubschemas(schema)];
    return evaluator;
  }

  /** What the keywords of the schema itself cover. */
  #evaluateKeywords(part: Part): Evaluator {
    const has = (name: string) => keyword(part, name) !== undefined;
    const names = Object.keys(keyword(part, 'properties') ?? {});
    const sources = Object.keys(keyword(part, 'patternProperties') ?? {});
    const patterns = sources.map((source) => parsePattern(source)!);
    const first = keyword(part, 'prefixItems');
    const length = Array.isArray(first) ? first.length : 0;
    const contains = keyword(part, 'contains');
    const matchesContains =
      contains === undefined ? undefined : this.validate(this.#child(part, contains, 'contains'));
    const coversObject = has('additionalProperties') || has('unevaluatedProperties');
    const coversList = has('items') || has('unevaluatedItems');
    return (value, found) => {
      const covers = Array.isArray(value)
        ? (name: string) =>
            coversList || Number(name) < length || matchesContains?.(value[name as never]) === true
        : (name: string) =>
            coversObject || names.includes(name) || patterns.some((pattern) => pattern.test(name));
      for (const name of Object.keys(value)) if (covers(name)) found.add(name);
    };
  }

  /** What other schemas that apply to the same value cover, if they accept it. */
  *#evaluateSubschemas(part: Part): Generator<Evaluator> {
    for (const name of references(part)) yield this.#evaluate(this.#registry.resolve(part, name));
    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      const branches = (keyword(part, name) ?? []) as unknown[];
      for (const [index, branch] of branches.entries())
        yield this.#evaluateIfValid(this.#child(part, branch, name, index));
    }
    const dependents = keyword(part, 'dependentSchemas');
    for (const [name, schema] of Object.entries(isSchemaObject(dependents) ? dependents : {})) {
      const evaluator = this.#evaluate(this.#child(part, schema, 'dependentSchemas', name));
      yield (value, found) => {
        if (!Array.isArray(value) && Object.hasOwn(value, name)) evaluator(value, found);
      };
    }
    if (keyword(part, 'if') === undefined) return;
    const condition = this.#child(part, keyword(part, 'if'), 'if');
    yield this.#evaluateIfValid(condition);
    const holds = this.validate(condition);
    const [then, otherwise] = ['then', 'else'].map((name) =>
      this.#evaluate(this.#child(part, keyword(part, name) ?? true, name)),
    );
    yield (value, found) => (holds(value) ? then : otherwise)!(value, found);
  }

  #evaluateIfValid(schema: Part | boolean): Evaluator {
    const matches = this.validate(schema);
    const evaluator = this.#evaluate(schema);
    return (value, found) => {
      if (matches(value)) evaluator(value, found);
    };
  }
}
