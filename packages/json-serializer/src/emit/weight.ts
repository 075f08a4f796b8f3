/** Owns the estimate of what a shape writes, which decides how it is written. */
import type { Shape } from '../shape/shape.ts';

/** How many items an array is taken to have, when its weight inside an object is estimated. */
const assumedItems = 4;

/** What a shape writes, by and large: the counts that decide which way is faster. */
export interface Weight {
  values: number;
  strings: number;
  dates: number;
  objects: number;
}

const none: Weight = { values: 0, strings: 0, dates: 0, objects: 0 };
const one: Weight = { ...none, values: 1 };

/** Each shape is weighed once, since schemas that refer to one another have more paths through them than can be walked. */
export function weigh(shape: Shape, known: Map<Shape, Weight> = new Map()): Weight {
  const answer = known.get(shape);
  if (answer !== undefined) return answer;
  // What a shape holds of itself weighs little.
  known.set(shape, one);
  const weight = weighInside(shape, (inner) => weigh(inner, known));
  known.set(shape, weight);
  return weight;
}

function weighInside(shape: Shape, ask: (inner: Shape) => Weight): Weight {
  switch (shape.kind) {
    case 'object':
      return sum([{ ...none, objects: 1 }, ...shape.properties.map((property) => ask(property.shape))]);
    case 'tuple':
      return sum(shape.items.map((item) => ask(item.shape)));
    case 'array':
      return sum(new Array<Weight>(assumedItems).fill(ask(shape.item)));
    case 'choice':
      return shape.branches
        .map((branch) => ask(branch.shape))
        .reduce((most, each) => (each.values > most.values ? each : most), none);
    case 'string':
      return shape.format === undefined ? { ...one, strings: 1 } : { ...one, dates: 1 };
    default:
      return one;
  }
}

function sum(weights: readonly Weight[]): Weight {
  const total = { ...none };
  for (const { values, strings, dates, objects } of weights) {
    total.values += values;
    total.strings += strings;
    total.dates += dates;
    total.objects += objects;
  }
  return total;
}
