/** The text of strings: which characters are escaped, how other values become strings, and how strings get into a buffer. */
import { strategy } from '../engine.ts';
import { SerializationError } from '../errors.ts';
import {
  bypassCostChars,
  findSpecial,
  flush,
  flushThreshold,
  isPlainAscii,
  type OutputBuffer,
  writeOutside,
  writeText,
} from './output-buffer.ts';

const { loopChars, patternFrom, patternTo } = strategy;
/** Length from which the characters are checked in a copy. Bench: bench/strings.mjs. */
const copyFrom = 512;
// All characters that JSON does not escape, but no surrogates: a lone one must be escaped, and JSON.stringify finds it.
const safe = String.raw`[ !#-[\]-\ud7ff\ue000-\uffff]`;
const [two, four, eight] = [2, 4, 8].map((count) => safe.repeat(count));
// Matches as many safe characters as possible from the start. Eight at a time is twice as fast as searching for one
// that is not safe. The expression never backtracks, so it takes linear time for any string.
const safeStart = new RegExp(`(?:${eight})*(?:${four})?(?:${two})?${safe}?`, 'y');
const isUnsafeCode = new Uint8Array(65_536);
isUnsafeCode.fill(1, 0, 32).fill(1, 0xd800, 0xe000);
isUnsafeCode[34] = 1;
isUnsafeCode[92] = 1;

// HOT: once per string. The fastest way depends on length and engine: bench/strings.mjs.
/** Whether a string may need escapes. It may return true without a check if native code would find and escape the characters faster. */
export function needsEscape(text: string): boolean {
  const { length } = text;
  if (length >= loopChars) {
    if (length < patternFrom || length >= patternTo) return true;
    return (length >= copyFrom ? findSpecial(text) : undefined) ?? !isSafe(text);
  }
  for (let index = 0; index < length; index++) if (isUnsafeCode[text.charCodeAt(index)] === 1) return true;
  return false;
}

function isSafe(text: string): boolean {
  safeStart.lastIndex = 0;
  safeStart.test(text);
  return safeStart.lastIndex === text.length;
}

/** The text between the quotes. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function quote(text: string): string {
  return needsEscape(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The string to which a value is converted under `type: string`. */
export function toStringValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (value === undefined) throw new SerializationError('undefined cannot be converted to a string.');
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RegExp) return value.source;
  return String((value as { toString(): string }).toString());
}

export function stringText(value: unknown): string {
  return quote(typeof value === 'string' ? value : toStringValue(value));
}

/** Whether a list of types with `string` accepts the value as a string. */
export function isWritableString(value: unknown): boolean {
  if (typeof value === 'string' || value === null) return true;
  // An array has a `toString`, but its text is never what a list of types means.
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  if (value instanceof Date || value instanceof RegExp) return true;
  return typeof value.toString === 'function' && value.toString !== Object.prototype.toString;
}

/** Characters from which native code copies a string into a buffer, instead of a loop. */
export const copiedChars = 24;
/** Characters that cannot be copied unchanged: those that JSON escapes, and those that do not fit into a byte. */
const isSpecial = new Uint8Array(65_536).fill(1, 0, 32).fill(1, 256);
isSpecial[34] = 1;
isSpecial[92] = 1;

// HOT: once per string. Bench: "100 rows".
/** Writes the text between the quotes. */
export function writeString(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  if (position > flushThreshold) return writeString(text, flush(position, output), output);
  if (length < copiedChars) return writeByLoop(text, position, output);
  // At most three bytes for each character, and six for one that is escaped.
  if (position + 6 * length > flushThreshold) return writeEscapedOutside(text, position, output);
  output.lostChars += bypassCostChars;
  const end = position + output.write(text, position);
  if (end - position !== length) return writeByLoop(text, position, output);
  return isPlainAscii(output, position, end) ? end : writeEscaped(text, position, output);
}

// Four characters are one write. They are checked together afterwards, because nearly always none needs an escape.
function writeByLoop(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  const { bytes, view } = output;
  let special = 0;
  let index = 0;
  for (; index + 3 < length; index += 4) {
    const first = text.charCodeAt(index);
    const second = text.charCodeAt(index + 1);
    const third = text.charCodeAt(index + 2);
    const fourth = text.charCodeAt(index + 3);
    special |= isSpecial[first]! | isSpecial[second]! | isSpecial[third]! | isSpecial[fourth]!;
    view.setInt32(position + index, first | (second << 8) | (third << 16) | (fourth << 24), true);
  }
  for (; index < length; index++) {
    const code = text.charCodeAt(index);
    special |= isSpecial[code]!;
    bytes[position + index] = code;
  }
  return special === 0 ? position + length : writeEscaped(text, position, output);
}

function writeEscapedOutside(text: string, position: number, output: OutputBuffer): number {
  return writeOutside(needsEscape(text) ? escapeText(text) : text, position, output);
}

/** The letters of the short escapes (RFC 8259, section 7), by the code of the escaped character; `u` for all others. */
const escapeLetters = new Uint8Array(128).fill(117, 0, 32);
for (const char of '\b\t\n\f\r"\\') escapeLetters[char.charCodeAt(0)] = JSON.stringify(char).charCodeAt(2);
const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

function writeEscaped(text: string, position: number, output: OutputBuffer): number {
  output.lostChars += bypassCostChars;
  const { bytes } = output;
  let end = position;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 255) return writeEscapedOutside(text, position, output);
    const letter = code < 128 ? escapeLetters[code]! : 0;
    if (letter === 0) {
      bytes[end++] = code;
      continue;
    }
    bytes[end] = 92;
    bytes[end + 1] = letter;
    end += 2;
    if (letter !== 117) continue;
    bytes[end] = 48;
    bytes[end + 1] = 48;
    bytes[end + 2] = hexDigits[code >> 4]!;
    bytes[end + 3] = hexDigits[code & 15]!;
    end += 4;
  }
  return end;
}

export function writeQuoted(text: string, position: number, output: OutputBuffer): number {
  output.bytes[position] = 34;
  const end = writeString(text, position + 1, output);
  output.bytes[end] = 34;
  return end + 1;
}

/** Writes any value under `type: string`, with its quotes. */
export function writeStringValue(value: unknown, position: number, output: OutputBuffer): number {
  return typeof value === 'string'
    ? writeQuoted(value, position, output)
    : writeText(stringText(value), position, output);
}
