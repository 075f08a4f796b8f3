/**
 * Determines which properties and items the keywords of a schema cover. `unevaluatedProperties` and `unevaluatedItems` apply to the others.
 */
import {
  isSchemaObject,
  keyword,
  type Part,
  parsePattern,
  type Registry,
  references,
} from '@ambit/json-schema';
import { readChild } from '../shape/flatten.ts';
import type { Predicate } from '../shape/test.ts';

type Container = Readonly<Record<string, unknown>>;

/** Adds the names of properties, or the indexes of items, that a schema covers. */
export type Evaluator = (value: Container, found: Set<string>) => void;

/** Keywords that cover all remaining properties of objects, and items of lists. */
const objectRestKeywords = ['additionalProperties', 'unevaluatedProperties'];
const listRestKeywords = ['items', 'unevaluatedItems'];

export class Evaluators {
  readonly #registry: Registry;
  readonly #validate: (schema: Part | boolean) => Predicate;
  readonly #byPart = new Map<Part, Evaluator>();

  constructor(registry: Registry, validate: (schema: Part | boolean) => Predicate) {
    this.#registry = registry;
    this.#validate = validate;
  }

  /** What all keywords of a schema cover together. */
  of(schema: Part | boolean): Evaluator {
    if (typeof schema === 'boolean') return () => {};
    const known = this.#byPart.get(schema);
    if (known !== undefined) return known;
    let evaluators: readonly Evaluator[] = [];
    const evaluator: Evaluator = (value, found) => {
      for (const each of evaluators) each(value, found);
    };
    // Stored before it is complete, because a schema may refer to itself.
    this.#byPart.set(schema, evaluator);
    evaluators = [...this.#ofKeywords(schema), ...this.#ofSubschemas(schema)];
    return evaluator;
  }

  /** What the keywords of the schema itself cover. */
  *#ofKeywords(part: Part): Generator<Evaluator> {
    const names = Object.keys(keyword(part, 'properties') ?? {});
    const patterns = Object.keys(keyword(part, 'patternProperties') ?? {}).map(
      (source) => parsePattern(source)!,
    );
    const first = keyword(part, 'prefixItems');
    const length = Array.isArray(first) ? first.length : 0;
    const contains = keyword(part, 'contains');
    const matchesContains =
      contains === undefined
        ? undefined
        : this.#validate(readChild(this.#registry, part, contains, 'contains'));
    yield (value, found) => {
      const isList = Array.isArray(value);
      for (const name of Object.keys(value)) {
        const isCovered = isList
          ? Number(name) < length || matchesContains?.(value[name]) === true
          : names.includes(name) || patterns.some((pattern) => pattern.test(name));
        if (isCovered) found.add(name);
      }
    };
    const [ofObject, ofList] = [objectRestKeywords, listRestKeywords].map((keywords) =>
      keywords.some((name) => keyword(part, name) !== undefined),
    );
    yield (value, found) => {
      if (Array.isArray(value) ? ofList : ofObject) for (const name of Object.keys(value)) found.add(name);
    };
  }

  /** What other schemas that apply to the same value cover, if they accept it. */
  *#ofSubschemas(part: Part): Generator<Evaluator> {
    const child = (schema: unknown, ...segments: (string | number)[]) =>
      readChild(this.#registry, part, schema, ...segments);
    for (const name of references(part)) yield this.of(this.#registry.resolve(part, name));
    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      const branches = (keyword(part, name) ?? []) as unknown[];
      for (const [index, branch] of branches.entries()) yield this.#ifAccepted(child(branch, name, index));
    }
    const dependents = keyword(part, 'dependentSchemas');
    for (const [name, schema] of Object.entries(isSchemaObject(dependents) ? dependents : {})) {
      const evaluator = this.of(child(schema, 'dependentSchemas', name));
      yield (value, found) => {
        if (!Array.isArray(value) && Object.hasOwn(value, name)) evaluator(value, found);
      };
    }
    if (keyword(part, 'if') === undefined) return;
    const condition = child(keyword(part, 'if'), 'if');
    yield this.#ifAccepted(condition);
    const holds = this.#validate(condition);
    const [then, otherwise] = ['then', 'else'].map((name) =>
      this.of(child(keyword(part, name) ?? true, name)),
    );
    yield (value, found) => (holds(value) ? then : otherwise)!(value, found);
  }

  #ifAccepted(schema: Part | boolean): Evaluator {
    const matches = this.#validate(schema);
    const evaluator = this.of(schema);
    return (value, found) => {
      if (matches(value)) evaluator(value, found);
    };
  }
}
