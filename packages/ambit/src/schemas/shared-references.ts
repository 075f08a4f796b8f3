/** What references of schemas may lead to: the shared schemas of a dialect, but neither names that every object has, nor back to the schema. */
import {
  declaredDialect,
  findReference,
  followReference,
  pointerOf,
  type SchemaLocation,
  stepsOf,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SchemaDialect, SharedSchemas } from '../types/compilers.ts';
import { SchemaDialectMismatch, SchemaLoop, SchemaReferenceReserved } from '../types/errors.ts';

/** Whether a shared schema declares its dialect, so that references may lead from one dialect to another. */
export function haveDeclaredDialects(shared: SharedSchemas): boolean {
  return Object.values(shared).some((schema) => declaredDialect(schema) !== undefined);
}

/** The shared schemas that schemas of a dialect may refer to: those that declare this dialect, and those that declare none. */
export function sharedFor(dialect: SchemaDialect, shared: SharedSchemas): SharedSchemas {
  const isVisible = (schema: JsonSchema): boolean => (declaredDialect(schema) ?? dialect) === dialect;
  const entries = Object.entries(shared);
  return entries.every(([, schema]) => isVisible(schema))
    ? shared
    : Object.fromEntries(entries.filter(([, schema]) => isVisible(schema)));
}

/**
 * Collects the names of the shared schemas that a schema refers to, directly or through other schemas.
 *
 * @throws {SchemaDialectMismatch} if one of them declares another dialect.
 */
export function collectReferencedShared(
  schema: unknown,
  shared: SharedSchemas,
  dialect: SchemaDialect,
  referenced: Set<string> = new Set(),
): Set<string> {
  findReference(schema, (reference) => {
    const [id] = reference.split('#', 1) as [string];
    if (id === '' || referenced.has(id) || !Object.hasOwn(shared, id)) return false;
    const declared = declaredDialect(shared[id]);
    if (declared !== undefined && declared !== dialect) {
      throw new SchemaDialectMismatch(dialect, id, `which is of the dialect ${declared}`);
    }
    referenced.add(id);
    collectReferencedShared(shared[id], shared, dialect, referenced);
    return false;
  });
  return referenced;
}

/**
 * Rejects references to names that every JavaScript object has, such as `toString`. Ajv looks schemas up in plain objects: if there is no
 * schema with that name, it would use the inherited function as a schema, and accept everything.
 *
 * @throws {SchemaReferenceReserved}
 */
export function checkReferences(schema: unknown, shared: SharedSchemas): void {
  findReference(schema, (reference) => {
    const [id, pointer = ''] = reference.split('#', 2) as [string, string?];
    if (id in Object.prototype) throw new SchemaReferenceReserved(reference, id);
    // Other documents are not checked: they may be nested in this one or in a shared one, and are not known here.
    const document = id === '' ? schema : Object.hasOwn(shared, id) ? shared[id] : undefined;
    if (document !== undefined) checkPointer(document, pointer, reference);
    return false;
  });
}

function checkPointer(document: unknown, pointer: string, reference: string): void {
  let part: unknown = document;
  for (const name of stepsOf(pointer)) {
    if (typeof part !== 'object' || part === null) return;
    if (!Object.hasOwn(part, name) && name in part) throw new SchemaReferenceReserved(reference, name);
    part = (part as Record<string, unknown>)[name];
  }
}

/** A schema that applies to a value, and where it is. */
export interface SchemaPart {
  readonly schema: JsonSchema;
  readonly location: SchemaLocation;
}

/**
 * The schemas that apply to a value by `$ref` and `allOf`, in the order of validation: the schema itself comes last. References that lead
 * nowhere are left out.
 */
export function partsOf(
  schema: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
  parts: SchemaPart[] = [],
  seen: Set<unknown> = new Set(),
): SchemaPart[] {
  if (!isPlainObject(schema) || seen.has(schema)) return parts;
  seen.add(schema);
  const target = followReference(schema.$ref, location, shared);
  if (target !== undefined) partsOf(target.schema, target.location, shared, parts, seen);
  for (const [index, branch] of [schema.allOf ?? []].flat().entries())
    partsOf(branch, { ...location, pointer: `${location.pointer}/allOf/${index}` }, shared, parts, seen);
  parts.push({ schema, location });
  return parts;
}

/**
 * Keywords whose schemas always apply to the same value. Of `oneOf`, each does, also beside a `discriminator`: a value of a branch that loops
 * could never be checked.
 */
const alwaysInPlace: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'not', 'if']);
/** Longer chains are left to the engine, which fails for them. */
const maxDepth = 500;

/**
 * Rejects schemas that refer to themselves for the same value: a validator of such a schema would call itself until the stack overflows.
 * Loops that a condition may end (`then`, `else`, `dependentSchemas`, later branches of `anyOf`) are accepted, because they work for the
 * values that do not take them.
 *
 * @param triesAll Whether all branches of `anyOf` are tried, also after one that matches: Ajv does so for `unevaluatedProperties`.
 * @throws {SchemaLoop} for the first loop in a schema, or in what it refers to, that every value takes.
 */
export function checkLoops(schema: unknown, shared: SharedSchemas, triesAll: boolean): void {
  const visits = new Visits(shared, `loops ${triesAll}`);
  const open = new Map<unknown, string>();
  const starts: (readonly [schema: unknown, location: SchemaLocation])[] = [
    [schema, { document: schema, pointer: '#' }],
  ];

  const visit = (part: unknown, location: SchemaLocation): void => {
    if (!isPlainObject(part)) return;
    const { pointer } = location;
    if (open.has(part)) {
      const chain = [...open.values()];
      const loop = [...chain.slice(chain.indexOf(open.get(part)!)), pointer].join(' -> ');
      throw Object.assign(new SchemaLoop(loop), { schemaPath: pointer });
    }
    if (open.size === maxDepth || !visits.add(part, location)) return;
    open.set(part, pointer);
    const target = followReference(part.$ref, location, shared);
    if (target !== undefined) visit(target.schema, target.location);
    for (const inner of subschemasOf(part)) {
      const { schema: child, keyword, name } = inner;
      if (!isPlainObject(child)) continue;
      const at = { ...location, pointer: pointerOf(inner, pointer) };
      const isTried = keyword === 'anyOf' && (triesAll || name === 0);
      if (alwaysInPlace.has(keyword) || isTried) visit(child, at);
      else starts.push([child, at]);
    }
    open.delete(part);
  };
  // The list grows while the loop runs.
  for (const [start, location] of starts) visit(start, location);
}
