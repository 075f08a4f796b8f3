/** Generates the statements that write pieces of output into a buffer: `p` is the position, `s` the output. */
import { type Chunk, mergeLiterals } from '../chunks.ts';
import { emitLiteral } from './literal.ts';

/** Statements that write all pieces, where `code` is an expression for the position after its text. */
export function emitChunks(chunks: readonly Chunk[]): string {
  const merged = mergeLiterals(chunks);
  const statements: string[] = [];
  for (let index = 0; index < merged.length; index++) {
    const chunk = merged[index]!;
    if ('literal' in chunk) statements.push(emitLiteral(chunk.literal));
    else if ('code' in chunk) statements.push(`p=${chunk.code};\n`);
    else {
      // A boolean takes the constant after it into its branches.
      const next = merged[index + 1];
      const tail = next !== undefined && 'literal' in next ? next.literal : '';
      if (tail !== '') index++;
      statements.push(
        `if(${chunk.flag}){${emitLiteral(`true${tail}`)}}else{${emitLiteral(`false${tail}`)}}\n`,
      );
    }
  }
  return statements.join('');
}

/** Checks the free space, where an earlier piece may have left too little for the next one. */
export const flushIfFull = 'if(p>flushThreshold)p=flush(p,s);\n';
/** The end of a function. It makes room, so that its caller need not check. */
export const returnPosition = 'return p>flushThreshold?flush(p,s):p;';

/**
 * Statements that end a list, which may be empty. Each item is followed by a comma, which is a literal of its own. So
 * the comma is in the buffer even if the item bypassed the buffer.
 */
export function closeList(bracket: '}' | ']'): string {
  const byte = bracket.charCodeAt(0);
  return `if(s.bytes[p-1]===44)s.bytes[p-1]=${byte};else s.bytes[p++]=${byte};\n`;
}
