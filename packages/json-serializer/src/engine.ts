/** Owns what is known of the JavaScript engine, and the thresholds measured on it (docs/architecture/serialization-compiler.md). */

/** Thresholds between generated concatenation and native `JSON.stringify`. */
export interface Strategy {
  /** Whether values may be copied into plain objects and given to `JSON.stringify` whole. */
  native: boolean;
  /** Array length from which `native` copies an array. */
  nativeRows: number;
  /** Number of values in an object from which `native` copies it. */
  nativeFields: number;
  /** Length up to which a string is scanned by a loop; beyond it by a regular expression. */
  loopChars: number;
  /** Length from which a string goes to `JSON.stringify` unscanned. */
  nativeChars: number;
}

const concatenation: Strategy = {
  native: false,
  nativeRows: Number.POSITIVE_INFINITY,
  nativeFields: Number.POSITIVE_INFINITY,
  loopChars: 32,
  nativeChars: 4000,
};

// V8 13.8 gave JSON.stringify a path without side effects, which no concatenation of strings can match.
const withFastStringify: Strategy = {
  native: true,
  nativeRows: 2,
  nativeFields: 8,
  loopChars: 24,
  nativeChars: 24,
};

export function pickStrategy(v8Version: string | undefined): Strategy {
  const [major = 0, minor = 0] = String(v8Version).split('.').map(Number);
  return major > 13 || (major === 13 && minor >= 8) ? withFastStringify : concatenation;
}

export const strategy: Strategy = pickStrategy(process.versions.v8);
