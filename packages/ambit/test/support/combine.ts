/** How many combinations of flavors, transports and cases the tests try. */

/** A run that names its package is repeated while code is written, so vitest.config.ts makes it try less. `npm test` tries all. */
export const isShort = process.env.TEST_COMBINATIONS === 'pairs';

type Combination<Tables extends readonly (readonly unknown[])[]> = {
  -readonly [at in keyof Tables]: Tables[at][number];
};

/**
 * All combinations of one value from each table. In a short run as few as have every pair of values together: a fault that needs three
 * values at once is rare.
 */
export function combine<const Tables extends readonly (readonly unknown[])[]>(
  ...tables: Tables
): Combination<Tables>[] {
  let all: number[][] = [[]];
  for (const table of tables)
    all = all.flatMap((combination) => table.map((_, index) => [...combination, index]));
  const chosen = isShort ? coverPairs(all) : all;
  return chosen.map((indexes) => indexes.map((index, at) => tables[at]![index])) as Combination<Tables>[];
}

/** Chooses the combination with the most pairs that are still missing, until none is. */
function coverPairs(all: readonly (readonly number[])[]): (readonly number[])[] {
  const missing = new Set(all.flatMap(pairsIn));
  const chosen: (readonly number[])[] = [];
  while (missing.size > 0) {
    const gains = all.map((combination) => pairsIn(combination).filter((pair) => missing.has(pair)).length);
    const best = all[gains.indexOf(Math.max(...gains))]!;
    for (const pair of pairsIn(best)) missing.delete(pair);
    chosen.push(best);
  }
  return chosen;
}

function pairsIn(combination: readonly number[]): string[] {
  return combination.flatMap((index, at) =>
    combination.slice(at + 1).map((other, distance) => `${at}:${index} ${at + 1 + distance}:${other}`),
  );
}
