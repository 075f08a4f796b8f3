/** Finds the definitions of a schema that references inside it refer to. */
import { findReference, type SchemaRoot } from './references.ts';
import { baseOf } from './schema-uri.ts';

const cache = new WeakMap<SchemaRoot, ReadonlySet<unknown>>();

/** Whether a reference in a root refers to the schema. */
export function isReferredIn(root: SchemaRoot, schema: unknown): boolean {
  const referred = cache.get(root) ?? targetsIn(root);
  cache.set(root, referred);
  return referred.has(schema);
}

function targetsIn(root: SchemaRoot): ReadonlySet<unknown> {
  const targets = new Set<unknown>();
  const walk = (value: unknown, base: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const own = baseOf(value, base);
    const { $ref, $dynamicRef } = value as { $ref?: unknown; $dynamicRef?: unknown };
    for (const reference of [$ref, $dynamicRef])
      if (typeof reference === 'string') targets.add(findReference(reference, root, own)?.schema);
    for (const inner of Object.values(value)) walk(inner, own);
  };
  walk(root.document, root.base);
  return targets;
}
