/** Decides which shapes may be copied: those for which native code writes the copy as the schema requires. */
import type { Shape } from '../../shape/shape.ts';
import { maxVariables } from '../properties.ts';

/** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
export function isProjectable(shape: Shape, known: Map<Shape, boolean>): boolean {
  // Assumes true while the answer is computed, so that recursive shapes end. False is final at once, but true only
  // after everything that it depends on is known.
  const assumed = new Set<Shape>();
  function check(inner: Shape): boolean {
    const knownAnswer = known.get(inner);
    if (knownAnswer !== undefined) return knownAnswer;
    if (assumed.has(inner)) return true;
    assumed.add(inner);
    const isCopyable = findProjectable(inner, check);
    if (!isCopyable) known.set(inner, false);
    return isCopyable;
  }
  if (!check(shape)) return false;
  for (const each of assumed) known.set(each, true);
  return true;
}

function findProjectable(shape: Shape, check: (inner: Shape) => boolean): boolean {
  switch (shape.kind) {
    case 'object':
      return (
        shape.patterns.length === 0 &&
        shape.additional === undefined &&
        shape.properties.length <= maxVariables &&
        shape.properties.every((property) => !isIndex(property.name) && check(property.shape))
      );
    case 'array':
      return check(shape.item);
    case 'choice':
      return shape.branches.every((branch) => check(branch.shape));
    case 'tuple':
      return shape.rest === undefined && shape.items.every((item) => check(item.shape));
    case 'conditional':
    case 'never':
    case 'any':
      return false;
    default:
      return true;
  }
}

/** Names like `0`: an object has them first, in any order of the schema. */
function isIndex(name: string): boolean {
  return String(Number(name) >>> 0) === name;
}
