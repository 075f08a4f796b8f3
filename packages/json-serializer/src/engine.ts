/** The facts about JavaScript engines, and the thresholds that were measured on them (docs/architecture/serialization.md). */

/** When values are concatenated, written into a buffer, or copied for native `JSON.stringify`. */
export interface Strategy {
  /** Number of values from which a shape is written into a buffer. A date counts as three. */
  readonly bufferMinValues: number;
  /** Greatest share of strings among the values for writing into a buffer. Two objects allow one more string. */
  readonly bufferMaxStringShare: number;
  /** Length from which an array of objects is copied and written natively, if it is not written into a buffer. */
  readonly nativeRows: number;
  /** The same for an array of strings or numbers; for one of strings, also inside a buffer. */
  readonly nativeItems: number;
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
  /** Whether a string gets its quotes together with its escapes (native code adds them), or from the constants around it. */
  readonly quotesApart: boolean;
  /** Length below which a loop searches for characters to escape. */
  readonly loopChars: number;
  /** Lengths at which a regular expression searches; at others native code writes the string. */
  readonly patternFrom: number;
  readonly patternTo: number;
}

const never = Number.POSITIVE_INFINITY;

// Node 20 to 24, V8 11 to 13; measured on 24. Native rows of strings are fast; numbers, single objects and long strings are not.
const forNode24: Strategy = {
  bufferMinValues: 4,
  bufferMaxStringShare: never,
  nativeRows: 4,
  nativeItems: 8,
  nativeFields: 30,
  nativeStringShare: 0.45,
  nativeDateShare: 0,
  nativeChars: 100,
  nativeCharsTo: 2000,
  quotesApart: false,
  loopChars: 24,
  patternFrom: 0,
  patternTo: never,
};

// Node 26. In V8 13.8, JSON.stringify has a path without side effects, which is faster than any concatenation of strings.
const forNode26: Strategy = {
  bufferMinValues: 8,
  bufferMaxStringShare: 0.34,
  nativeRows: 2,
  nativeItems: 2,
  nativeFields: 3,
  nativeStringShare: 0,
  nativeDateShare: 0.3,
  nativeChars: 80,
  nativeCharsTo: never,
  quotesApart: true,
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
  return major > 13 || (major === 13 && minor >= 8) ? forNode26 : forNode24;
}

const { bun, v8 } = process.versions;

export const strategy: Strategy = pickStrategy(bun === undefined ? v8 : javaScriptCore);
