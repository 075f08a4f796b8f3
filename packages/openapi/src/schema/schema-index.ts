/** Indexes the schemas in a document that have their own identifier or anchor. */
import { isObject } from '../json.ts';
import { dataKeywords } from './keywords.ts';
import { baseOf } from './schema-uri.ts';

export interface IndexEntry {
  readonly schema: unknown;
  readonly base: string;
  readonly id: string;
}

/** The schemas in a document that have their own identifier or anchor. */
class SchemaIndex {
  readonly byUri: Map<string, IndexEntry> = new Map();
  /** Those with a `$dynamicAnchor`, by the base URI of their resource. */
  readonly dynamic: Map<string, IndexEntry[]> = new Map();
}

const indexes = new WeakMap<object, Map<string, SchemaIndex>>();
const emptyIndex = new SchemaIndex();

export function indexOf(document: unknown, base: string): SchemaIndex {
  if (!isObject(document)) return emptyIndex;
  const byBase = indexes.get(document) ?? new Map<string, SchemaIndex>();
  indexes.set(document, byBase);
  const known = byBase.get(base);
  if (known !== undefined) return known;
  const index = new SchemaIndex();
  byBase.set(base, index);
  collect(document, base, index);
  return index;
}

function collect(value: unknown, base: string, index: SchemaIndex): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, base, index);
    return;
  }
  if (!isObject(value)) return;
  const own = baseOf(value, base);
  const { $id, $anchor, $dynamicAnchor } = value;
  if (typeof $id === 'string' && !index.byUri.has(own))
    index.byUri.set(own, { schema: value, base: own, id: $id });
  const hashId = typeof $id === 'string' && $id.includes('#') ? $id.slice($id.indexOf('#') + 1) : '';
  for (const anchor of [hashId, $anchor, $dynamicAnchor]) {
    if (typeof anchor === 'string' && anchor !== '')
      index.byUri.set(`${own}#${anchor}`, { schema: value, base: own, id: anchor });
  }
  if (typeof $dynamicAnchor === 'string') {
    const dynamic = index.dynamic.get(own) ?? [];
    dynamic.push({ schema: value, base: own, id: $dynamicAnchor });
    index.dynamic.set(own, dynamic);
  }
  for (const [keyword, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && !dataKeywords.has(keyword)) collect(inner, own, index);
  }
}
