/** Owns validation, for choosing branches only: one predicate per schema, made on first need, from one check per keyword. */
import { readChild } from '../schema/flatten.ts';
import { keyword, type Part, type Registry } from '../schema/registry.ts';
import { arrayKeywords } from './arrays.ts';
import { combinatorKeywords } from './combinators.ts';
import { numberKeywords } from './numbers.ts';
import { objectKeywords } from './objects.ts';
import { stringKeywords } from './strings.ts';
import { typeKeywords } from './types.ts';

export type Predicate = (value: unknown) => boolean;

/** Makes the check of one keyword. It must pass values of types that the keyword does not speak of. */
export type KeywordCheck = (context: CheckContext) => Predicate | undefined;

export interface CheckContext {
  readonly value: unknown;
  readonly part: Part;
  /** Another keyword of the same schema. */
  sibling(name: string): unknown;
  /** The predicate of a subschema. */
  validate(schema: unknown, ...segments: (string | number)[]): Predicate;
  /** The predicate of the schema that the `$ref` beside points at. */
  validateReference(): Predicate;
}

const checks = new Map<string, KeywordCheck>(
  [typeKeywords, numberKeywords, stringKeywords, objectKeywords, arrayKeywords, combinatorKeywords].flatMap(
    (keywords) => Object.entries(keywords),
  ),
);

export class Validators {
  readonly #registry: Registry;
  readonly #predicates = new Map<Part, Predicate>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** A predicate for a schema. Recursive schemas are fine: what it reaches is made when it is first asked. */
  validate(schema: Part | boolean): Predicate {
    if (typeof schema === 'boolean') return () => schema;
    const known = this.#predicates.get(schema);
    if (known !== undefined) return known;
    let made: Predicate | undefined;
    const predicate = (value: unknown) => {
      made ??= this.#make(schema);
      return made(value);
    };
    this.#predicates.set(schema, predicate);
    return predicate;
  }

  /** Makes every predicate asked for so far, and what they reach: faults must surface when compiling, not later. */
  complete(): void {
    for (const part of this.#predicates.keys()) this.#make(part);
  }

  #make(part: Part): Predicate {
    const own: Predicate[] = [];
    for (const name of Object.keys(part.schema)) {
      const value = keyword(part, name);
      const check = value === undefined ? undefined : checks.get(name)?.(this.#context(part, value));
      if (check !== undefined) own.push(check);
    }
    const [first, second] = own;
    if (first === undefined) return () => true;
    if (second === undefined) return first;
    if (own.length === 2) return (value) => first(value) && second(value);
    return (value) => own.every((check) => check(value));
  }

  #context(part: Part, value: unknown): CheckContext {
    return {
      value,
      part,
      sibling: (name) => keyword(part, name),
      validate: (schema, ...segments) => this.validate(readChild(this.#registry, part, schema, ...segments)),
      validateReference: () => this.validate(this.#registry.resolve(part)),
    };
  }
}
