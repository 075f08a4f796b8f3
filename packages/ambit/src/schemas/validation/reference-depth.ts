/** Computes how deep an engine recurses for a schema, through its own levels and those of all schemas that it refers to. */

/** A schema that others refer to by name. */
export interface ReferencedSchema {
  /** How many levels of schemas it has, including itself. */
  readonly depth: number;
  /** The names that it refers to. */
  readonly references: ReadonlySet<string>;
}

/**
 * Returns the depth of the deepest chain of references. The result is exact up to `maxDepth`. Schemas in a circle, and schemas that refer
 * to one, count as one chain, because the order in which an engine reads them depends on where it starts.
 */
export function findLongestChain(schemas: ReadonlyMap<string, ReferencedSchema>, maxDepth: number): number {
  const chains = new Map<string, number>();
  let unsettled = [...schemas];
  let longest = 0;
  for (let isSettling = true; isSettling && longest <= maxDepth; ) {
    // The schemas all of whose references are settled.
    const ready = unsettled.filter(([, { references }]) => [...references].every((name) => chains.has(name)));
    for (const [name, { depth, references }] of ready) {
      const chain =
        depth + [...references].reduce((deepest, other) => Math.max(deepest, chains.get(other)!), 0);
      chains.set(name, chain);
      longest = Math.max(longest, chain);
    }
    unsettled = unsettled.filter(([name]) => !chains.has(name));
    isSettling = ready.length > 0;
  }
  return longest + unsettled.reduce((sum, [, { depth }]) => sum + depth, 0);
}
