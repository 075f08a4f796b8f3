/** Measures the length of a text in bytes of UTF-8. */
// The global `Buffer` is a getter, which each use would call.
import { Buffer } from 'node:buffer';
import { isNode } from './js-runtime.ts';

const shortLength = 2048;
const scratchBytes = 32 * 1024;
/** Memory to write to for counting. It is never read. */
const scratch = isNode ? Buffer.allocUnsafeSlow(scratchBytes) : undefined;
/** The longest character. A write that stops because the memory is full stops closer to the end than this. */
const longestCharacterBytes = 4;

/**
 * HOT: once per reply. Before Node 26, V8 counts a long concatenated text character by character. Writing it to memory takes a quarter of
 * the time, which saves 2 % of the CPU time of benchmark `rows`. An ASCII text has as many bytes as characters; any other text has more
 * bytes. Bun and Deno count faster than they write.
 */
export function utf8Length(text: string): number {
  const { length } = text;
  const fits = isNode && length > shortLength && length < scratchBytes - longestCharacterBytes;
  return fits && scratch!.write(text) === length ? length : Buffer.byteLength(text);
}
