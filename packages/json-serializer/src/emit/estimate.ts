/** Estimates the output of a shape, which decides how it is written. */
import type { Shape } from '../shape/shape.ts';

/** The number of items that an estimate assumes for an array inside an object. */
const assumedItems = 4;

/** The approximate output of a shape: the counts that decide which way is faster. */
export interface Estimate {
  values: number;
  strings: number;
  dates: number;
  objects: number;
}

const none: Estimate = { values: 0, strings: 0, dates: 0, objects: 0 };
const one: Estimate = { ...none, values: 1 };

/** Each shape is estimated once, because schemas that refer to one another have too many paths to walk all of them. */
export function estimateShape(shape: Shape, known: Map<Shape, Estimate> = new Map()): Estimate {
  const answer = known.get(shape);
  if (answer !== undefined) return answer;
  // A shape inside itself counts little.
  known.set(shape, one);
  const estimate = estimateParts(shape, (inner) => estimateShape(inner, known));
  known.set(shape, estimate);
  return estimate;
}

function estimateParts(shape: Shape, estimate: (inner: Shape) => Estimate): Estimate {
  switch (shape.kind) {
    case 'object':
      return sum([{ ...none, objects: 1 }, ...shape.properties.map((property) => estimate(property.shape))]);
    case 'tuple':
      return sum(shape.items.map((item) => estimate(item.shape)));
    case 'array':
      return sum(new Array<Estimate>(assumedItems).fill(estimate(shape.item)));
    case 'choice':
      return shape.branches
        .map((branch) => estimate(branch.shape))
        .reduce((most, each) => (each.values > most.values ? each : most), none);
    case 'string':
      return shape.format === undefined ? { ...one, strings: 1 } : { ...one, dates: 1 };
    default:
      return one;
  }
}

function sum(estimates: readonly Estimate[]): Estimate {
  const total = { ...none };
  for (const { values, strings, dates, objects } of estimates) {
    total.values += values;
    total.strings += strings;
    total.dates += dates;
    total.objects += objects;
  }
  return total;
}
