/** Joins pieces of output into one JavaScript expression. Neighbouring constants are merged. */

export type Chunk =
  /** Text that is known at compile time. */
  | { readonly literal: string }
  /** An expression whose value is the text, or is converted to it as JSON would write it; in `buffer/`, the position after the text. */
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
  // If a number came first, `+` would add numbers instead of joining texts.
  if (merged[0] === undefined || !('literal' in merged[0])) terms.unshift('""');
  return terms.join('+');
}

/**
 * All pieces after the text of a variable, joined from left to right: V8 makes a rope that grows at its end flat
 * without recursion. If a comma may be needed, it is part of the constant with which the pieces begin.
 *
 * @param isNext A variable that says whether the comma is needed.
 */
export function appendChunks(text: string, isNext: string, chunks: readonly Chunk[]): string {
  const [first, ...rest] = mergeLiterals([literal(''), ...chunks]);
  const start = (first as { literal: string }).literal;
  return [text, `(${isNext}?${JSON.stringify(`,${start}`)}:${JSON.stringify(start)})`, ...toTerms(rest)].join(
    '+',
  );
}

/** The constant after a boolean becomes part of its two branches, which saves a concatenation. */
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

/** The same pieces, with neighbouring constants merged. */
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
