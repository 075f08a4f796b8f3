/** Finds properties that a JSON Schema requires but does not declare: most are misspelled, and nothing else reports them. */

import type { JsonSchema } from '../contract/compiler.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { branchLists, DeclaredNames, declares } from './declared-names.ts';
import { encodeStep } from './json-pointer.ts';
import { followReference, type ReferenceTarget, type SchemaPlace } from './reference-target.ts';

/** A property that is required and not declared. */
export interface Undeclared {
  readonly name: string;
  /** Where it is required, as a JSON Pointer in a URI fragment: `#/properties/owner`. */
  readonly pointer: string;
  /**
   * `never`: no value passes, because the schema forbids what it requires. `removed`: the property passes validation and is removed then.
   * `open`: the property is only not declared.
   */
  readonly effect: 'never' | 'removed' | 'open';
  /** A property with a similar name that is declared and not required. */
  readonly nearest: string | undefined;
}

export interface UndeclaredOptions {
  /** Returns the shared schemas by `$id`; called when the schema refers to one. */
  readonly shared: () => Readonly<Record<string, unknown>>;
  /**
   * What happens to properties that an object does not declare. `refused` or `removed`: where `additionalProperties` is false. `always`:
   * removed everywhere. `merged`: all schemas for one object count as one, and nothing that they do not declare is written.
   */
  readonly others: 'refused' | 'removed' | 'always' | 'merged';
}

export function findUndeclared(schema: unknown, options: UndeclaredOptions): readonly Undeclared[] {
  const walk = new Walk(options);
  walk.visit(schema, { document: schema, pointer: '#' });
  return walk.found;
}

/** One of the schemas that apply to the same object. */
interface Member {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

class Walk {
  readonly found: Undeclared[] = [];
  readonly #options: UndeclaredOptions;
  /** Schemas may refer to one another in circles. */
  readonly #visited = new Set<unknown>();

  constructor(options: UndeclaredOptions) {
    this.#options = options;
  }

  visit(schema: unknown, place: SchemaPlace): void {
    if (!isPlainObject(schema) || this.#visited.has(schema)) return;
    this.#visited.add(schema);
    if (!this.#isUnion(schema)) this.#check(schema, place);
    this.#visitParts(schema, place);
  }

  /** A schema whose branches describe different objects. */
  #isUnion(schema: JsonSchema): boolean {
    return !('properties' in schema) && !('required' in schema) && ('anyOf' in schema || 'oneOf' in schema);
  }

  #visitParts(schema: JsonSchema, { document, pointer }: SchemaPlace): void {
    const isUnion = this.#isUnion(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${pointer}/${keyword}`;
      if (keyword === 'properties' || keyword === 'patternProperties') {
        for (const [name, part] of Object.entries(Object(value))) {
          this.visit(part, { document, pointer: `${at}/${encodeStep(name)}` });
        }
      } else if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'additionalItems') {
        for (const [i, part] of [value].flat().entries()) {
          this.visit(part, { document, pointer: Array.isArray(value) ? `${at}/${i}` : at });
        }
      } else if (Array.isArray(value) && (branchLists as readonly string[]).includes(keyword)) {
        for (const [i, branch] of value.entries()) {
          const place = { document, pointer: `${at}/${i}` };
          if (isUnion && keyword !== 'allOf') this.visit(branch, place);
          else if (isPlainObject(branch)) this.#visitParts(branch, place);
        }
      }
    }
    // The target of a reference applies to the same object, and was checked with it.
    const target = this.#follow(schema, { document, pointer });
    if (target === undefined || !isPlainObject(target.schema) || this.#visited.has(target.schema)) return;
    this.#visited.add(target.schema);
    this.#visitParts(target.schema, target.place);
  }

  #check(schema: JsonSchema, place: SchemaPlace): void {
    const members = this.#members(schema, place);
    if (!members.some(({ schema: { required } }) => Array.isArray(required) && required.length > 0)) return;
    const declared = new DeclaredNames(schema, place, this.#options.shared);
    // It may only add requirements to another schema.
    if (declared.names.size === 0 && members.every(({ schema: { type } }) => type !== 'object')) return;
    const required = new Set(members.flatMap(({ schema }) => namesIn(schema.required)));
    const free = [...declared.names].filter((name) => !required.has(name));
    for (const [at, { schema: requiring, pointer }] of members.entries()) {
      for (const name of namesIn(requiring.required)) {
        const effect = this.#effectOf(name, at, members, declared);
        if (effect !== undefined && !this.#isFound(name, pointer))
          this.found.push({ name, pointer, effect, nearest: nearestName(name, free) });
      }
    }
  }

  /** A schema that several others refer to is checked with each of them. */
  #isFound(name: string, pointer: string): boolean {
    return this.found.some((other) => other.name === name && other.pointer === pointer);
  }

  /** The first member that forbids the name decides, by its position before or after the member that requires it. */
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
  #members(schema: JsonSchema, place: SchemaPlace, seen: Set<unknown> = new Set()): Member[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const members: Member[] = [];
    const target = this.#follow(schema, place);
    if (target !== undefined && isPlainObject(target.schema)) {
      members.push(...this.#members(target.schema, target.place, seen));
    }
    for (const [i, branch] of [schema.allOf ?? []].flat().entries()) {
      const at = { ...place, pointer: `${place.pointer}/allOf/${i}` };
      if (isPlainObject(branch)) members.push(...this.#members(branch, at, seen));
    }
    return [...members, { schema, pointer: place.pointer }];
  }

  #follow({ $ref: reference }: JsonSchema, place: SchemaPlace): ReferenceTarget | undefined {
    return followReference(reference, place, this.#options.shared);
  }
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
