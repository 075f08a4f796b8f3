/** Refuses references of schemas that lead to names which every object has, or back to the schema. */
import {
  findReference,
  followReference,
  isPlainObject,
  maxDepth,
  pointerOf,
  type SchemaLocation,
  splitReference,
  stepsOf,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import { SchemaRefused } from './errors.ts';
import type { SharedSchemas } from './options.ts';

/**
 * Rejects references to names that every JavaScript object has, such as `toString`. Ajv looks schemas up in plain objects: if there is no
 * schema with that name, it would use the inherited function as a schema, and accept everything.
 *
 * @throws {SchemaRefused}
 */
export function checkReferences(schema: unknown, shared: SharedSchemas): void {
  findReference(schema, (reference) => {
    const [id, pointer] = splitReference(reference);
    if (id in Object.prototype) throw new SchemaRefused('REFERENCE_RESERVED', [reference, id]);
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
    if (!Object.hasOwn(part, name) && name in part)
      throw new SchemaRefused('REFERENCE_RESERVED', [reference, name]);
    part = (part as Record<string, unknown>)[name];
  }
}

/**
 * Keywords whose schemas always apply to the same value. Of `oneOf`, each does, also beside a `discriminator`: a value of a branch that loops
 * could never be checked.
 */
const alwaysInPlace: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'not', 'if']);

/**
 * Rejects schemas that refer to themselves for the same value: a validator of such a schema would call itself until the stack overflows.
 * Loops that a condition may end (`then`, `else`, `dependentSchemas`, later branches of `anyOf`) are accepted, because they work for the
 * values that do not take them.
 *
 * @param triesAll Whether all branches of `anyOf` are tried, also after one that matches: Ajv does so for `unevaluatedProperties`.
 * @throws {SchemaRefused} for the first loop in a schema, or in what it refers to, that every value takes.
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
      throw Object.assign(new SchemaRefused('LOOP', [loop]), { schemaPath: pointer });
    }
    // Longer chains are left to the engine, which fails for them.
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
