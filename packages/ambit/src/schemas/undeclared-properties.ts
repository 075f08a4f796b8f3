/** Finds properties that a JSON Schema requires but does not declare. Most of them are misspelled, and nothing else reports them. */

import {
  branchLists,
  DeclaredNames,
  declares,
  followReference,
  pointerOf,
  type ReferenceTarget,
  type SchemaLocation,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import { nearestName } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SharedSchemas } from '../types/compilers.ts';

/** A property that is required and not declared. */
export interface Undeclared {
  readonly name: string;
  /** The schema that requires it. */
  readonly schema: JsonSchema;
  /** Where it is required, as a JSON Pointer in a URI fragment: `#/properties/owner`. */
  readonly pointer: string;
  /**
   * `never`: no value is valid, because the schema forbids what it requires. `removed`: the property is removed after validation.
   * `open`: the property is allowed, but not declared.
   */
  readonly effect: 'never' | 'removed' | 'open';
  /** A property with a similar name that is declared and not required. */
  readonly nearest: string | undefined;
}

export interface UndeclaredOptions {
  readonly shared: SharedSchemas;
  /**
   * What happens to properties that an object does not declare. `refused`, `removed`: they are rejected or removed if
   * `additionalProperties` is false. `always`: they are always removed. `merged`: all schemas for one object count as one, and only what
   * they declare is written.
   */
  readonly others: 'refused' | 'removed' | 'always' | 'merged';
}

/** A mistake can be found several times, because a schema is checked together with each schema that refers to it. */
export function findUndeclared(schema: unknown, options: UndeclaredOptions): readonly Undeclared[] {
  const search = new UndeclaredSearch(options);
  search.visit(schema, { document: schema, pointer: '#' });
  return search.undeclared;
}

/** One of the schemas that apply to the same object. */
interface Member {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Keywords whose schemas describe other values: members and items. */
const valueKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'additionalItems'],
]);

class UndeclaredSearch {
  readonly undeclared: Undeclared[] = [];
  readonly #options: UndeclaredOptions;
  readonly #checked: Visits;
  readonly #entered: Visits;

  constructor(options: UndeclaredOptions) {
    this.#options = options;
    this.#checked = new Visits(options.shared, `names ${options.others}`);
    this.#entered = new Visits(options.shared, `parts ${options.others}`);
  }

  visit(schema: unknown, location: SchemaLocation): void {
    if (!isPlainObject(schema) || !this.#checked.add(schema, location)) return;
    // A reference alone adds nothing to its target.
    const target = isReference(schema) ? this.#follow(schema, location) : undefined;
    if (target !== undefined) this.visit(target.schema, target.location);
    else {
      if (!this.#isUnion(schema)) this.#check(schema, location);
      this.#visitParts(schema, location);
    }
  }

  /** Whether a schema only lists branches, which describe different objects. */
  #isUnion(schema: JsonSchema): boolean {
    return !('properties' in schema) && !('required' in schema) && ('anyOf' in schema || 'oneOf' in schema);
  }

  #visitParts(schema: JsonSchema, location: SchemaLocation): void {
    if (!this.#entered.add(schema, location)) return;
    const { document, pointer } = location;
    const isUnion = this.#isUnion(schema);
    for (const inner of subschemasOf(schema)) {
      const { schema: part, keyword } = inner;
      const isBranch = branchLists.includes(keyword);
      if (!isBranch && !valueKeywords.has(keyword)) continue;
      const at = { document, pointer: pointerOf(inner, pointer) };
      if (!isBranch || (isUnion && keyword !== 'allOf')) this.visit(part, at);
      else if (isPlainObject(part)) this.#visitParts(part, at);
    }
    // The target of a reference applies to the same object, so it was checked together with it.
    const target = this.#follow(schema, location);
    if (isPlainObject(target?.schema)) this.#visitParts(target.schema, target.location);
  }

  #check(schema: JsonSchema, location: SchemaLocation): void {
    const members = this.#members(schema, location);
    if (!members.some(({ schema: { required } }) => Array.isArray(required) && required.length > 0)) return;
    const declared = new DeclaredNames(schema, location, this.#options.shared);
    // Such a schema may only add requirements to another schema.
    if (declared.names.size === 0 && members.every(({ schema: { type } }) => type !== 'object')) return;
    const required = new Set(members.flatMap(({ schema }) => namesIn(schema.required)));
    const unrequired = [...declared.names].filter((name) => !required.has(name));
    for (const [at, { schema: requiring, pointer }] of members.entries()) {
      for (const name of namesIn(requiring.required)) {
        const effect = this.#effectOf(name, at, members, declared);
        if (effect === undefined) continue;
        const nearest = nearestName(name, unrequired);
        this.undeclared.push({ name, schema: requiring, pointer, effect, nearest });
      }
    }
  }

  /** The first member that forbids the name decides the effect: validation fails if it comes before the member that requires the name. */
  #effectOf(
    name: string,
    at: number,
    members: readonly Member[],
    declared: DeclaredNames,
  ): Undeclared['effect'] | undefined {
    const { others } = this.#options;
    const forbidding = members.findIndex(({ schema }) => this.#isClosed(schema) && !declares(schema, name));
    if (forbidding !== -1) return others === 'refused' || forbidding < at ? 'never' : 'removed';
    return declared.isOpen || declared.has(name) ? undefined : 'open';
  }

  #isClosed({ additionalProperties, properties }: JsonSchema): boolean {
    const { others } = this.#options;
    if (others === 'always' && additionalProperties === undefined) return properties !== undefined;
    return others !== 'merged' && additionalProperties === false;
  }

  /** All schemas that apply to the object, in the order of validation: the schema itself comes last. */
  #members(schema: JsonSchema, location: SchemaLocation, seen: Set<unknown> = new Set()): Member[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const members: Member[] = [];
    const target = this.#follow(schema, location);
    if (target !== undefined && isPlainObject(target.schema)) {
      members.push(...this.#members(target.schema, target.location, seen));
    }
    for (const [i, branch] of [schema.allOf ?? []].flat().entries()) {
      const at = { ...location, pointer: `${location.pointer}/allOf/${i}` };
      if (isPlainObject(branch)) members.push(...this.#members(branch, at, seen));
    }
    return [...members, { schema, pointer: location.pointer }];
  }

  #follow({ $ref: reference }: JsonSchema, location: SchemaLocation): ReferenceTarget | undefined {
    return followReference(reference, location, this.#options.shared);
  }
}

function isReference(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) =>
    ['$ref', 'title', 'description', '$comment'].includes(keyword),
  );
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
