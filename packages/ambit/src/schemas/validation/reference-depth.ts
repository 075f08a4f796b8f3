/** A pure helper: how deep an engine recurses for a schema, through its own levels and those of all schemas that it refers to. */

/** A schema that others refer to by name. */
export interface Link {
  /** How many levels of schemas it has, itself included. */
  readonly depth: number;
  /** The names that it refers to. */
  readonly references: ReadonlySet<string>;
}

/**
 * The depth of the deepest chain of links; the result is exact up to `most`. Links in a circle, and links that lead to one, count as one
 * chain, because the order in which an engine walks them depends on where it starts.
 */
export function deepestChain(links: ReadonlyMap<string, Link>, most: number): number {
  const chains = new Map<string, number>();
  let open = [...links];
  let longest = 0;
  for (let isSettling = true; isSettling && longest <= most; ) {
    // Those whose references are settled.
    const ready = open.filter(([, { references }]) => [...references].every((name) => chains.has(name)));
    for (const [name, { depth, references }] of ready) {
      const chain = depth + [...references].reduce((far, other) => Math.max(far, chains.get(other)!), 0);
      chains.set(name, chain);
      longest = Math.max(longest, chain);
    }
    open = open.filter(([name]) => !chains.has(name));
    isSettling = ready.length > 0;
  }
  return longest + open.reduce((sum, [, { depth }]) => sum + depth, 0);
}
