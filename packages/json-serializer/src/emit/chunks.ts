/** Owns the joining of pieces of output into one JavaScript expression, with neighbouring constants made one. */

export type Chunk =
  /** Text known at compile time. */
  | { readonly literal: string }
  /** An expression whose value is the text, or converts to it as JSON would write it; in `buffer/`, the position after it. */
  | { readonly code: string }
  /** A variable that is true or false. */
  | { readonly flag: string };

export function literal(text: string): Chunk {
  return { literal: text };
}

export function code(expression: string): Chunk {
  return { code: expression };
}

/** A concatenation of all pieces. */
export function joinChunks(chunks: readonly Chunk[]): string {
  const merged = mergeLiterals(chunks);
  const terms = toTerms(merged);
  // A number at the front would be added, not joined.
  if (merged[0] === undefined || !('literal' in merged[0])) terms.unshift('""');
  return terms.join('+');
}

/**
 * All pieces after the text of a variable. Joined from left to right, since a rope that grows at its end is made flat without
 * recursion; and a comma that may be due is part of the constant that the pieces begin with.
 *
 * @param isNext A variable that says whether the comma is due.
 */
export function appendChunks(text: string, isNext: string, chunks: readonly Chunk[]): string {
  const [first, ...rest] = mergeLiterals([literal(''), ...chunks]);
  const start = (first as { literal: string }).literal;
  return [text, `(${isNext}?${JSON.stringify(`,${start}`)}:${JSON.stringify(start)})`, ...toTerms(rest)].join(
    '+',
  );
}

/** A boolean takes the constant after it into its two branches: one concatenation less. */
function toTerms(merged: readonly Chunk[]): string[] {
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
  return terms;
}

/** The same pieces, neighbouring constants made one. */
export function mergeLiterals(chunks: readonly Chunk[]): Chunk[] {
  const merged: Chunk[] = [];
  for (const chunk of chunks) {
    const last = merged.at(-1);
    if ('literal' in chunk && last !== undefined && 'literal' in last) {
      merged[merged.length - 1] = { literal: last.literal + chunk.literal };
    } else merged.push(chunk);
  }
  return merged;
}
