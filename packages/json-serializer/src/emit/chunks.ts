/** Joins pieces of output into one JavaScript expression. Neighbouring constants are merged. */

export type Chunk =
  /** Text that is known at compile time. */
  | { readonly literal: string }
  /** An expression whose value is the text, or is converted to it as JSON would write it; for a buffer, the position after the text. */
  | { readonly code: string }
  /** A variable that is true or false. */
  | { readonly flag: string };

/** The constant after a boolean becomes part of its two branches, which saves a concatenation. */
export type MergedChunk = Exclude<Chunk, { flag: string }> | { readonly flag: string; readonly tail: string };

export function literal(text: string): Chunk {
  return { literal: text };
}

export function code(expression: string): Chunk {
  return { code: expression };
}

/** A concatenation of all pieces. */
export function joinChunks(chunks: readonly Chunk[]): string {
  const merged = mergeChunks(chunks);
  const terms = merged.map(toTerm);
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
  const [first, ...rest] = mergeChunks([literal(''), ...chunks]);
  const start = (first as { literal: string }).literal;
  const comma = `(${isNext}?${JSON.stringify(`,${start}`)}:${JSON.stringify(start)})`;
  return [text, comma, ...rest.map(toTerm)].join('+');
}

function toTerm(chunk: MergedChunk): string {
  if ('literal' in chunk) return JSON.stringify(chunk.literal);
  if ('code' in chunk) return chunk.code;
  return `(${chunk.flag}?${JSON.stringify(`true${chunk.tail}`)}:${JSON.stringify(`false${chunk.tail}`)})`;
}

export function mergeChunks(chunks: readonly Chunk[]): MergedChunk[] {
  const merged: MergedChunk[] = [];
  for (const chunk of chunks) {
    const last = merged.at(-1);
    if ('flag' in chunk) merged.push({ flag: chunk.flag, tail: '' });
    else if ('code' in chunk || last === undefined || 'code' in last) merged.push(chunk);
    else if ('literal' in last)
      merged[merged.length - 1] = literal(last.literal + chunk.literal) as MergedChunk;
    else merged[merged.length - 1] = { flag: last.flag, tail: last.tail + chunk.literal };
  }
  return merged;
}
