/** The text of strings: which characters are escaped, and how other values become strings. */
import { strategy } from '../engine.ts';
import { SerializationError } from '../errors.ts';
import { findSpecial } from './output-buffer.ts';

const { loopChars, patternFrom, patternTo } = strategy;
/** Length from which the characters are checked in a copy. Bench: bench/strings.mjs. */
const copyFrom = 512;
// All characters that JSON does not escape. Surrogates are not among them, because a lone one must be escaped
// (JSON.stringify finds lone ones).
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
