/** Finds the known name that a misspelled one was probably meant to be. */

/**
 * Finds the name that a misspelled one was probably meant to be, for error messages of plugins and tools. Two letters in the
 * wrong order are one edit. Upper and lower case make no difference.
 * @param name The misspelled name.
 * @param candidates The names that exist.
 * @param mostEdits How far the name may be from a candidate. Default: two edits, or one if the name has at most four letters.
 * @returns The closest candidate; `undefined` if none is close enough.
 */
export function nearestName(
  name: string,
  candidates: Iterable<string>,
  mostEdits: number = name.length <= 4 ? 1 : 2,
): string | undefined {
  let best: string | undefined;
  let bestDistance = mostEdits + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A hint for an error about an unknown name: `did you mean 'onRequest'?`; `undefined` if no known name is close enough. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined || nearest === name ? undefined : `did you mean '${nearest}'?`;
}

/** Damerau-Levenshtein distance of edits that do not overlap: insertion, deletion, substitution, swap of neighbours. Row by row. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(previous[j]! + 1, row[j - 1]! + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2]! + 1);
      }
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
