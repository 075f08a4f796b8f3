/** Owns the text of strings: what must be escaped, and what other values become as strings. */
import { strategy } from '../engine.ts';

const { loopChars, nativeChars } = strategy;
// Everything that JSON escapes; surrogates too, since a lone one must be escaped (JSON.stringify tells lone from paired).
const unsafe = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

// HOT: once per string. Short strings by a loop, middling ones by a regular expression; bench: "string-heavy".
/** Whether a string may need escapes. Long strings are said to, since native code finds out faster. */
export function isDirty(text: string): boolean {
  const { length } = text;
  if (length < loopChars) {
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code < 93 ? code < 32 || code === 34 || code === 92 : code >= 0xd800 && code <= 0xdfff) return true;
    }
    return false;
  }
  return length >= nativeChars || unsafe.test(text);
}

/** What stands between the quotes. */
export function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function quote(text: string): string {
  return isDirty(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The string a value becomes under `type: string`. */
export function toStringValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
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
