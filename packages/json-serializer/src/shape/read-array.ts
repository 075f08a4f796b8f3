/** Reads the keywords of arrays: items as one schema or a tuple, and the items after the tuple. */
import { keyword, type Part } from '@ambit/json-schema';
import { readChild } from './flatten.ts';
import type { ShapeReader } from './read-shape.ts';
import type { Shape, ShapeBody } from './shape.ts';
import type { Test } from './test.ts';

export function readArray(reader: ShapeReader, flat: readonly Part[], schemaPath: string): ShapeBody {
  const lists = flat.map(readItems);
  const isTuple = lists.some(({ first }) => first !== undefined);
  if (!isTuple) return { kind: 'array', item: readAt(reader, lists, 0, schemaPath) };
  const length = Math.max(...lists.map(({ first }) => first?.length ?? 0));
  const items = Array.from({ length }, (_, index) => {
    const shape = readAt(reader, lists, index, schemaPath);
    return { shape, accepts: acceptItem(shape) };
  });
  const rest = lists.some(hasRest) ? readAt(reader, lists, length, schemaPath) : undefined;
  return { kind: 'tuple', items, rest: rest?.kind === 'never' ? undefined : rest };
}

/** The keywords of a part for items, in either dialect. */
interface Items {
  readonly part: Part;
  /** The schemas of the first items, if each has its own. */
  readonly first: readonly unknown[] | undefined;
  readonly firstName: string;
  /** The schema of all other items. */
  readonly others: unknown;
  readonly othersName: string;
}

function readItems(part: Part): Items {
  const hasList = Array.isArray(keyword(part, 'items'));
  const [firstName, othersName] =
    part.base.dialect.name === '2020-12'
      ? ['prefixItems', 'items']
      : ['items', hasList ? 'additionalItems' : 'items'];
  const first = firstName === 'prefixItems' || hasList ? keyword(part, firstName) : undefined;
  return { part, first: first as Items['first'], firstName, others: keyword(part, othersName), othersName };
}

/** Whether there may be items after the tuple. Draft 7 must allow them explicitly; 2020-12 must forbid them explicitly. */
function hasRest({ part, first, others }: Items): boolean {
  if (part.base.dialect.name === '2020-12') return others !== false;
  return first !== undefined && others !== undefined && others !== false;
}

/** The shape of the item at an index: all parts apply. */
function readAt(reader: ShapeReader, lists: readonly Items[], index: number, schemaPath: string): Shape {
  const children: (Part | boolean)[] = [];
  for (const { part, first, firstName, others, othersName } of lists) {
    const isListed = first !== undefined && index < first.length;
    const schema = isListed ? first[index] : others;
    const segments = isListed ? [firstName, index] : [othersName];
    if (schema !== undefined) children.push(readChild(reader.registry, part, schema, ...segments));
  }
  return reader.readAll(children, schemaPath);
}

/** The test for an item of a tuple. An item of another type is an error; it is not converted. */
function acceptItem(shape: Shape): Test {
  switch (shape.kind) {
    case 'any':
    case 'never':
    case 'const':
    case 'choice':
    case 'conditional':
      return { kind: 'always' };
    case 'string':
      return { kind: 'writable', type: 'string' };
    default: {
      const type = shape.kind === 'tuple' ? 'array' : shape.kind;
      return { kind: 'types', types: shape.nullable ? [type, 'null'] : [type] };
    }
  }
}
