/** Declares what the walk along a shape provides for its parts: a list for diagnostics, and a guard for each step. */
import type { Rounding } from '../runtime/numbers.ts';

/** One change by serialization. */
export interface Diagnostic {
  /**
   * `dropped`: the schema does not declare it, or JSON cannot express it. `coerced`: written as another type.
   * `missing`: its default was written.
   */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer (RFC 6901) inside the value; empty for the value itself. */
  readonly path: string;
  /** What happened, in words. */
  readonly message: string;
}

export interface Inspector {
  readonly rounding: Rounding;
  /** Runs a step for a value. An error of the step gets the path of the value. It also distinguishes a cycle from a very deep value. */
  guard(value: unknown, path: string, step: () => void): void;
  /** Reports that a value was written as something else, which the text describes. */
  reportCoerced(value: unknown, target: string, path: string): void;
  /** Reports that a value was left out, and why. */
  reportDropped(reason: string, path: string): void;
}
