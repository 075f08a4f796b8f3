/** Owns the text of strings: what must be escaped, and what other values become as strings. */
import { strategy } from '../engine.ts';
import { SerializationError } from '../errors.ts';
import { findSpecial } from './output-buffer.ts';

const { loopChars, patternFrom, patternTo, escapesApart } = strategy;
/** Length from which a copy is looked through. Bench: bench/strings.mjs. */
const copyFrom = 512;
// All but what JSON escapes; no surrogates either, since a lone one must be escaped (JSON.stringify tells lone from paired).
const safe = String.raw`[ !#-[\]-\ud7ff\ue000-\uffff]`;
const [two, four, eight] = [2, 4, 8].map((count) => safe.repeat(count));
// As many as there are, from the start. Eight at a time is twice as fast as looking for one that is not safe, and nothing in it can
// be tried again: it takes linear time whatever the string.
const safeStart = new RegExp(`(?:${eight})*(?:${four})?(?:${two})?${safe}?`, 'y');
const isUnsafeCode = new Uint8Array(65_536);
isUnsafeCode.fill(1, 0, 32).fill(1, 0xd800, 0xe000);
isUnsafeCode[34] = 1;
isUnsafeCode[92] = 1;

// HOT: once per string. Which way is fastest at which length differs by engine: bench/strings.mjs.
/** Whether a string may need escapes. It is said to where native code would find out and escape it sooner. */
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

/** What stands between the quotes. */
export function escapeText(text: string): string {
  return (escapesApart ? escapeApart(text) : undefined) ?? JSON.stringify(text).slice(1, -1);
}

/** The escape of each character that has one (RFC 8259, section 7), by code. */
const escapes = Array.from({ length: 93 }, (_, code) =>
  isUnsafeCode[code] === 1 ? JSON.stringify(String.fromCharCode(code)).slice(1, -1) : undefined,
);
/** As many escapes as a text may begin with, and one more in so many characters. Denser ones native code writes faster. */
const maxAtStart = 2;
const charsPerEscape = 32;

/** What is harmless as it is, with the escapes between: undefined where they are dense, or a surrogate has to be looked at. */
function escapeApart(text: string): string | undefined {
  let escaped = '';
  let start = 0;
  for (let count = 1; ; count++) {
    safeStart.lastIndex = start;
    safeStart.test(text);
    const index = safeStart.lastIndex;
    if (index === text.length) return escaped + text.slice(start);
    const written = escapes[text.charCodeAt(index)];
    if (written === undefined || count > maxAtStart + index / charsPerEscape) return undefined;
    escaped += text.slice(start, index) + written;
    start = index + 1;
  }
}

export function quote(text: string): string {
  if (!needsEscape(text)) return `"${text}"`;
  return escapesApart ? `"${escapeText(text)}"` : JSON.stringify(text);
}

/** The string a value becomes under `type: string`. */
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

/** Whether a list of types that has `string` takes the value as one. */
export function isWritableString(value: unknown): boolean {
  if (typeof value === 'string' || value === null) return true;
  if (typeof value !== 'object') return false;
  if (value instanceof Date || value instanceof RegExp) return true;
  return typeof value.toString === 'function' && value.toString !== Object.prototype.toString;
}
