/** Owns the keywords of arrays: items as one schema or a tuple, additionalItems. */
import { readChild } from '../schema/flatten.ts';
import { keyword, type Part } from '../schema/registry.ts';
import type { Shape } from './shape.ts';
import type { ShapeBody, SubschemaReader } from './subschema-reader.ts';
import type { Test } from './test.ts';

export function readArray(reader: SubschemaReader, flat: readonly Part[], place: string): ShapeBody {
  const lengths = flat
    .map((part) => keyword(part, 'items'))
    .map((items) => (Array.isArray(items) ? items.length : 0));
  const isTuple = flat.some((part) => Array.isArray(keyword(part, 'items')));
  if (!isTuple) return { kind: 'array', item: readAt(reader, flat, 0, place) };
  const items = Array.from({ length: Math.max(...lengths) }, (_, index) => {
    const shape = readAt(reader, flat, index, place);
    return { shape, accepts: acceptItem(shape) };
  });
  const rest = flat.some((part) => hasRest(part)) ? readAt(reader, flat, items.length, place) : undefined;
  return { kind: 'tuple', items, rest: rest?.kind === 'never' ? undefined : rest };
}

function hasRest(part: Part): boolean {
  const items = keyword(part, 'items');
  const rest = keyword(part, 'additionalItems');
  return Array.isArray(items) && rest !== undefined && rest !== false;
}

/** The shape of the item at an index: all parts have a say. */
function readAt(reader: SubschemaReader, flat: readonly Part[], index: number, place: string): Shape {
  const children: (Part | boolean)[] = [];
  for (const part of flat) {
    const items = keyword(part, 'items');
    const isListed = Array.isArray(items) && index < items.length;
    const schema = isListed ? items[index] : Array.isArray(items) ? keyword(part, 'additionalItems') : items;
    const segments = isListed ? ['items', index] : [Array.isArray(items) ? 'additionalItems' : 'items'];
    if (schema !== undefined) children.push(readChild(reader.registry, part, schema, ...segments));
  }
  if (children.includes(false)) return reader.readBoolean(false, place);
  const parts = children.filter((child) => typeof child !== 'boolean');
  return parts.length === 0 ? reader.readBoolean(true, place) : reader.read(parts);
}

/** A tuple is strict about the types of its items: an item of another type is an error, not coerced. */
function acceptItem(shape: Shape): Test {
  switch (shape.kind) {
    case 'any':
    case 'never':
    case 'const':
    case 'choice':
      return { kind: 'always' };
    case 'tuple':
      return { kind: 'types', types: ['array'] };
    case 'string':
      return { kind: 'writable', type: 'string' };
    default:
      return { kind: 'types', types: shape.nullable ? [shape.kind, 'null'] : [shape.kind] };
  }
}
