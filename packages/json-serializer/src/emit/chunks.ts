/** Owns the joining of pieces of output into one JavaScript expression, with neighbouring constants made one. */

export type Chunk =
  /** Text known at compile time. */
  | { readonly literal: string }
  /** An expression whose value is the text, or converts to it as JSON would write it. */
  | { readonly code: string }
  /** A variable that is true or false. */
  | { readonly flag: string };

export function literal(text: string): Chunk {
  return { literal: text };
}

export function code(expression: string): Chunk {
  return { code: expression };
}

/** A concatenation of all pieces. A boolean takes the constant after it into its two branches: one concatenation less. */
export function joinChunks(chunks: readonly Chunk[]): string {
  const merged = mergeLiterals(chunks);
  const terms: string[] = [];
  for (let index = 0; index < merged.length; index++) {
    const chunk = merged[index]!;
    if ('literal' in chunk) terms.push(JSON.stringify(chunk.literal));
    else if ('code' in chunk) terms.push(chunk.code);
    else {
      const next = merged[index + 1];
      const tail = next !== undefined && 'literal' in next ? next.literal : '';
      if (tail !== '') index++;
      terms.push(`(${chunk.flag}?${JSON.stringify(`true${tail}`)}:${JSON.stringify(`false${tail}`)})`);
    }
  }
  // A number at the front would be added, not joined.
  if (merged[0] === undefined || !('literal' in merged[0])) terms.unshift('""');
  return terms.join('+');
}

function mergeLiterals(chunks: readonly Chunk[]): Chunk[] {
  const merged: Chunk[] = [];
  for (const chunk of chunks) {
    const last = merged.at(-1);
    if ('literal' in chunk && last !== undefined && 'literal' in last) {
      merged[merged.length - 1] = { literal: last.literal + chunk.literal };
    } else merged.push(chunk);
  }
  return merged;
}
