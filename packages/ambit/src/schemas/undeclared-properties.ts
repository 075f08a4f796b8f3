/** Finds properties that a JSON Schema requires and does not declare: most are misspelt, and nothing else will say so. */

import type { JsonSchema } from '../contract/compiler.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { encodeStep, resolvePointer } from './json-pointer.ts';

/** A property that is required and not declared. */
export interface Undeclared {
  readonly name: string;
  /** Where it is required, as a JSON Pointer in a URI fragment: `#/properties/owner`. */
  readonly pointer: string;
  /**
   * `never`: nothing passes, since the schema forbids what it requires. `removed`: it is there when it is checked, and taken away then.
   * `open`: no more than that nobody declares it.
   */
  readonly fate: 'never' | 'removed' | 'open';
  /** A property that is declared, not required, and has almost that name. */
  readonly nearest: string | undefined;
}

export interface Surroundings {
  /** The shared schemas, by `$id`; asked for when there is a reference to one. */
  readonly shared: () => Readonly<Record<string, unknown>>;
  /**
   * What becomes of properties that an object does not declare: they are `refused` where `additionalProperties` is false, or `removed`
   * there; `always` removed, also where it does not say so; or `merged`: schemas of one object count as one, and nothing else leaves.
   */
  readonly others: 'refused' | 'removed' | 'always' | 'merged';
}

export function findUndeclared(schema: unknown, dependencies: Surroundings): readonly Undeclared[] {
  const walk = new Walk(dependencies);
  walk.visit(schema, { document: schema, pointer: '#' });
  return walk.found;
}

/** Where a subschema stands. */
interface Place {
  readonly document: unknown;
  /** Behind the `$id` of the document, where that is a shared schema. */
  readonly pointer: string;
}

/** One of the schemas that hold for one object together. */
interface Member {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** What a composition of schemas says of the names of one object. */
interface Declared {
  readonly names: Set<string>;
  readonly patterns: string[];
  /** Other names are welcome, or nobody can tell. */
  isOpen: boolean;
}

const branchLists = ['allOf', 'anyOf', 'oneOf'] as const;
const branches = ['if', 'then', 'else'] as const;
/** Keywords that declare names in ways that are not followed here. */
const unknownKeywords = ['$merge', '$patch', 'dependentSchemas', 'unevaluatedProperties', 'discriminator'];

class Walk {
  readonly found: Undeclared[] = [];
  readonly #dependencies: Surroundings;
  /** Schemas that were visited, since they may refer to one another. */
  readonly #visited = new Set<unknown>();

  constructor(dependencies: Surroundings) {
    this.#dependencies = dependencies;
  }

  visit(schema: unknown, place: Place): void {
    if (!isPlainObject(schema) || this.#visited.has(schema)) return;
    this.#visited.add(schema);
    if (!this.#isUnion(schema)) this.#check(schema, place);
    this.#visitParts(schema, place);
  }

  /** Branches that stand for objects of their own. */
  #isUnion(schema: JsonSchema): boolean {
    return !('properties' in schema) && !('required' in schema) && ('anyOf' in schema || 'oneOf' in schema);
  }

  #visitParts(schema: JsonSchema, { document, pointer }: Place): void {
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
    // What it refers to holds for the same object, and was looked at with it.
    const target = this.#follow(schema, { document, pointer });
    if (target === undefined || !isPlainObject(target.schema) || this.#visited.has(target.schema)) return;
    this.#visited.add(target.schema);
    this.#visitParts(target.schema, target.place);
  }

  #check(schema: JsonSchema, place: Place): void {
    const members = this.#members(schema, place);
    if (!members.some(({ schema: { required } }) => Array.isArray(required) && required.length > 0)) return;
    const declared: Declared = { names: new Set(), patterns: [], isOpen: false };
    this.#declare(schema, place, declared, new Set());
    // It may say what another one requires besides.
    if (declared.names.size === 0 && members.every(({ schema: { type } }) => type !== 'object')) return;
    const required = new Set(members.flatMap(({ schema }) => namesIn(schema.required)));
    const free = [...declared.names].filter((name) => !required.has(name));
    for (const [at, { schema: requiring, pointer }] of members.entries()) {
      for (const name of namesIn(requiring.required)) {
        const fate = this.#fateOf(name, at, members, declared);
        if (fate !== undefined && !this.#isFound(name, pointer))
          this.found.push({ name, pointer, fate, nearest: nearestName(name, free) });
      }
    }
  }

  /** Schemas that many refer to are looked at with each. */
  #isFound(name: string, pointer: string): boolean {
    return this.found.some((other) => other.name === name && other.pointer === pointer);
  }

  /** The first member that forbids a name decides: whether it comes before the one that requires it, or after. */
  #fateOf(
    name: string,
    at: number,
    members: readonly Member[],
    declared: Declared,
  ): Undeclared['fate'] | undefined {
    const { others } = this.#dependencies;
    const forbidding = members.findIndex(({ schema }) => this.#isClosed(schema) && !declares(schema, name));
    if (forbidding !== -1) return others === 'refused' || forbidding < at ? 'never' : 'removed';
    const isDeclared =
      declared.isOpen ||
      declared.names.has(name) ||
      declared.patterns.some((pattern) => matches(pattern, name));
    return isDeclared ? undefined : 'open';
  }

  #isClosed({ additionalProperties, properties }: JsonSchema): boolean {
    const { others } = this.#dependencies;
    if (others === 'always' && additionalProperties === undefined) return properties !== undefined;
    return others !== 'merged' && additionalProperties === false;
  }

  /** The schemas that all hold for the object, in the order in which they are asked: itself comes last. */
  #members(schema: JsonSchema, place: Place, seen: Set<unknown> = new Set()): Member[] {
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

  /** Collects the names that a schema declares, itself or in any of its branches. */
  #declare(schema: unknown, place: Place, declared: Declared, seen: Set<unknown>): void {
    if (!isPlainObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const name of Object.keys(Object(schema.properties))) declared.names.add(name);
    declared.patterns.push(...Object.keys(Object(schema.patternProperties)));
    const { additionalProperties: others } = schema;
    declared.isOpen ||=
      others === true || isPlainObject(others) || unknownKeywords.some((name) => name in schema);
    for (const list of branchLists) {
      for (const branch of [schema[list] ?? []].flat()) this.#declare(branch, place, declared, seen);
    }
    for (const branch of branches) this.#declare(schema[branch], place, declared, seen);
    for (const part of Object.values(Object(schema.dependencies))) this.#declare(part, place, declared, seen);
    if (schema.$ref === undefined) return;
    const target = this.#follow(schema, place);
    if (target === undefined) declared.isOpen = true;
    else this.#declare(target.schema, target.place, declared, seen);
  }

  /** What a reference leads to, by name and pointer; other forms are not followed. */
  #follow({ $ref: reference }: JsonSchema, place: Place): { schema: unknown; place: Place } | undefined {
    if (typeof reference !== 'string') return undefined;
    const [written, pointer = ''] = reference.split('#', 2) as [string, string?];
    const id = written === '' ? place.pointer.split('#', 1)[0]! : written;
    const document = written === '' ? place.document : this.#sharedSchema(id);
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    const schema = resolvePointer(document, pointer);
    return schema === undefined ? undefined : { schema, place: { document, pointer: `${id}#${pointer}` } };
  }

  #sharedSchema(id: string): unknown {
    const shared = this.#dependencies.shared();
    return Object.hasOwn(shared, id) ? shared[id] : undefined;
  }
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function declares({ properties, patternProperties }: JsonSchema, name: string): boolean {
  return (
    Object.hasOwn(Object(properties), name) ||
    Object.keys(Object(patternProperties)).some((pattern) => matches(pattern, name))
  );
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    // The engine refuses it.
    return true;
  }
}
