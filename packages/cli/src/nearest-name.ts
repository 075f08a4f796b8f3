/** Finds what was probably meant by a misspelled name. */

/** @returns The nearest of the known names; `undefined` if none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** How many characters must be added, removed, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      row.push(cost);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
