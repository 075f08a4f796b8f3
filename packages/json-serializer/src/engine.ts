/** The facts about JavaScript engines, and the thresholds that were measured on them (docs/architecture/serialization.md). */

/** When values are concatenated, written into a buffer, or copied for native `JSON.stringify`. */
export interface Strategy {
  /** Number of values from which a shape is written into a buffer. A date counts as three. */
  readonly bufferMinValues: number;
  /** Greatest share of strings among the values for writing into a buffer. Two objects allow one more string. */
  readonly bufferMaxStringShare: number;
  /** Characters from which native code copies a string into a buffer, instead of a loop. */
  readonly copiedChars: number;
  /** Length from which an array of objects is copied and written natively, if it is not written into a buffer. */
  readonly nativeRows: number;
  /** The same for an array of strings. */
  readonly nativeStrings: number;
  /** The same for an array of numbers. */
  readonly nativeNumbers: number;
  /** Length from which an array of strings inside a buffer is written natively; never, if a buffer writes it faster. */
  readonly nativeBufferStrings: number;
  /** Number of values in an object from which it is copied and written natively. */
  readonly nativeFields: number;
  /** Smallest share of strings among the values for writing natively. */
  readonly nativeStringShare: number;
  /** Greatest share of dates, whose texts are always concatenated. */
  readonly nativeDateShare: number;
  /** Characters in the strings of one object from which it is copied and written natively. */
  readonly nativeChars: number;
  /** Characters from which this no longer applies, because long strings are joined faster. */
  readonly nativeCharsTo: number;
  /**
   * Items in the lists of an object from which the whole object is written natively, if it otherwise has only numbers,
   * booleans and nulls.
   */
  readonly nativeListItems: number;
  /** Whether a string gets its quotes together with its escapes (native code adds them), or from the constants around it. */
  readonly quotesApart: boolean;
  /** Number of optional properties from which an object without most of them is walked, instead of reading each. */
  readonly sparseFields: number;
  /** Length below which a loop searches for characters to escape. */
  readonly loopChars: number;
  /** Lengths at which a regular expression searches; at others native code writes the string. */
  readonly patternFrom: number;
  readonly patternTo: number;
}

export const never: number = Number.POSITIVE_INFINITY;

// Node 22 and 24, V8 12 and 13. Native rows of strings are fast; numbers, single objects and long strings are not.
const forNode22: Strategy = {
  bufferMinValues: 4,
  bufferMaxStringShare: never,
  copiedChars: 24,
  nativeRows: 4,
  nativeStrings: 8,
  nativeBufferStrings: 8,
  nativeNumbers: 8,
  nativeFields: 30,
  nativeStringShare: 0.45,
  nativeDateShare: 0,
  nativeChars: 100,
  nativeCharsTo: 2000,
  nativeListItems: 16,
  quotesApart: false,
  sparseFields: 16,
  loopChars: 24,
  patternFrom: 0,
  patternTo: never,
};

// Node 20, V8 11. Native serialization is slow, except for long arrays of strings or numbers.
const forNode20: Strategy = {
  ...forNode22,
  copiedChars: 32,
  nativeRows: never,
  nativeStrings: 64,
  nativeBufferStrings: never,
  nativeFields: never,
  nativeChars: never,
};

// Node 26. In V8 13.8, JSON.stringify has a path without side effects, which is faster than any concatenation of
// strings.
const forNode26: Strategy = {
  bufferMinValues: 8,
  bufferMaxStringShare: 0.34,
  copiedChars: 24,
  nativeRows: 2,
  nativeStrings: 2,
  nativeBufferStrings: 2,
  nativeNumbers: 2,
  nativeFields: 3,
  nativeStringShare: 0,
  nativeDateShare: 0.3,
  nativeChars: 80,
  nativeCharsTo: never,
  nativeListItems: 16,
  quotesApart: true,
  sparseFields: 16,
  loopChars: 10,
  patternFrom: 29,
  patternTo: 160,
};

// Bun. As on Node 26, but a buffer is faster than native code for fewer values (bench/strategies.mjs).
const forJavaScriptCore: Strategy = { ...forNode26, bufferMinValues: 4 };

/** Stands for the version of V8 where there is none: Bun names one all the same, for programs that ask for it. */
export const javaScriptCore = 'JavaScriptCore';

export function pickStrategy(engine: string | undefined): Strategy {
  if (engine === javaScriptCore) return forJavaScriptCore;
  const [major = 0, minor = 0] = String(engine).split('.').map(Number);
  if (major > 13 || (major === 13 && minor >= 8)) return forNode26;
  return major >= 12 ? forNode22 : forNode20;
}

const { bun, v8 } = process.versions;

export const strategy: Strategy = pickStrategy(bun === undefined ? v8 : javaScriptCore);
