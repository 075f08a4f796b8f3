/** Validation, which is only used to choose branches. Each schema has one predicate, which consists of one check per keyword. */
import { keyword, type Part, type Reference, type Registry } from '@ambit/json-schema';
import { readChild } from '../shape/flatten.ts';
import type { Predicate } from '../shape/test.ts';
import { type Evaluator, Evaluators } from './evaluated.ts';
import { draft7Checks, draft2020Checks } from './keywords.ts';

const checksOf = {
  'draft-07': new Map(Object.entries(draft7Checks)),
  '2020-12': new Map(Object.entries(draft2020Checks)),
};

export class Validators {
  readonly #registry: Registry;
  /** Those of the shared schemas, if many compilations use them. */
  readonly #shared: Validators | undefined;
  readonly #evaluators: Evaluators;
  readonly #predicates = new Map<Part, Predicate>();
  readonly #pending: (() => void)[] = [];
  /**
   * In the order in which they are requested. Only the schema determines this order, so code that was generated
   * elsewhere can refer to them by number.
   */
  readonly #requested: Predicate[] = [];

  constructor(registry: Registry, shared?: Validators) {
    this.#registry = registry;
    this.#shared = shared;
    this.#evaluators = new Evaluators(registry, (schema) => this.validate(schema));
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
      validate: (schema, ...segments) => this.validate(readChild(this.#registry, part, schema, ...segments)),
      evaluate: (without) => this.#evaluators.of(this.#registry.without(part, without)),
      validateReference: (name) => this.validate(this.#registry.resolve(part, name)),
    };
  }
}

/** Creates the check of one keyword. It must accept values of types to which the keyword does not apply. */
export type KeywordCheck = (context: CheckContext) => Predicate | undefined;

export interface CheckContext {
  readonly value: unknown;
  readonly part: Part;
  /** The value of another keyword of the same schema. */
  sibling(name: string): unknown;
  /** The predicate of a subschema. */
  validate(schema: unknown, ...segments: (string | number)[]): Predicate;
  /** The predicate of the target of a `$ref` next to the keyword. */
  validateReference(name: Reference): Predicate;
  /** What the schema covers, without one of its keywords. */
  evaluate(without: string): Evaluator;
}
