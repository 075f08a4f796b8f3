/** Owns which shapes may be copied: those for which native code writes the copy as the schema requires. */
import type { Shape } from '../../shape/shape.ts';
import { maxVariables } from '../properties.ts';

/** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
export function isProjectable(shape: Shape, known: Map<Shape, boolean>): boolean {
  // Assumes true while the answer is computed, so that recursive shapes end. False is final at once, but true only
  // after everything that it depends on is known.
  const assumed = new Set<Shape>();
  function ask(inner: Shape): boolean {
    const answer = known.get(inner);
    if (answer !== undefined) return answer;
    if (assumed.has(inner)) return true;
    assumed.add(inner);
    const found = findProjectable(inner, ask);
    if (!found) known.set(inner, false);
    return found;
  }
  if (!ask(shape)) return false;
  for (const each of assumed) known.set(each, true);
  return true;
}

function findProjectable(shape: Shape, ask: (inner: Shape) => boolean): boolean {
  switch (shape.kind) {
    case 'object':
      return (
        shape.patterns.length === 0 &&
        shape.additional === undefined &&
        shape.properties.length <= maxVariables &&
        shape.properties.every((property) => !isIndex(property.name) && ask(property.shape))
      );
    case 'array':
      return ask(shape.item);
    case 'choice':
      return shape.branches.every((branch) => ask(branch.shape));
    case 'tuple':
      return shape.rest === undefined && shape.items.every((item) => ask(item.shape));
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
