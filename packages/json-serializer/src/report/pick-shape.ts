/** Picks the shape as which a value is written, where a schema has several. */
import { failItem, failMatch } from '../runtime/failures.ts';
import type {
  Conditional,
  ConditionalShape,
  ObjectShape,
  Selector,
  Shape,
  TupleShape,
} from '../shape/shape.ts';
import { matches } from './matches.ts';

/** The object that the conditions leave of all possible ones. */
export function readOutcome(shape: ConditionalShape, value: unknown): ObjectShape {
  const leaves = shape.selectors.map((selector) => readLeaf(selector, value));
  const holds = ({ when }: Conditional) => when === undefined || leaves[when.selector] === when.leaf;
  return {
    ...shape,
    kind: 'object',
    properties: shape.properties.filter(holds),
    patterns: [],
    additional: undefined,
    otherRequired: shape.otherRequired.filter(holds).map(({ name }) => name),
  };
}

function readLeaf(selector: Selector, value: unknown): number {
  if (typeof selector === 'number') return selector;
  const branch = selector.branches.find(({ test }) => matches(test, value));
  return branch === undefined ? failMatch(selector.schemaPath) : readLeaf(branch.next, value);
}

/** The shape of one item of a tuple. */
export function pickItem(shape: TupleShape, value: readonly unknown[], index: number): Shape {
  const item = shape.items[index];
  if (item === undefined) return shape.rest ?? failItem(shape.items.length);
  return matches(item.accepts, value[index]) ? item.shape : failItem(index);
}
