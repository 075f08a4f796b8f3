/** Owns how deep an engine has to go for a schema: through its own levels, and those of all that it refers to. */

/** A schema that others refer to by name. */
export interface Link {
  /** How many schemas stand one in another, itself included. */
  readonly levels: number;
  /** The names that it refers to. */
  readonly references: ReadonlySet<string>;
}

/**
 * How many levels may follow one another, from any link on; from `most` on, it may be more than what is said. Links in a circle, and
 * those that lead to one, count as one chain: which way an engine takes through them depends on where it starts.
 */
export function deepestChain(links: ReadonlyMap<string, Link>, most: number): number {
  const chains = new Map<string, number>();
  let open = [...links];
  let longest = 0;
  for (let isSettling = true; isSettling && longest <= most; ) {
    // Those whose references are settled.
    const ready = open.filter(([, { references }]) => [...references].every((name) => chains.has(name)));
    for (const [name, { levels, references }] of ready) {
      const chain = levels + [...references].reduce((far, other) => Math.max(far, chains.get(other)!), 0);
      chains.set(name, chain);
      longest = Math.max(longest, chain);
    }
    open = open.filter(([name]) => !chains.has(name));
    isSettling = ready.length > 0;
  }
  return longest + open.reduce((sum, [, { levels }]) => sum + levels, 0);
}
