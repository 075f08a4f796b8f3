/** What the walk along a shape offers to the parts of it: where diagnostics go, and how steps are guarded. */
import type { Rounding } from '../runtime/numbers.ts';

/** One thing that serializing changes. */
export interface Diagnostic {
  /** `dropped`: the schema does not declare it, or JSON does not have it. `coerced`: written as another type. `missing`: its default was written. */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer (RFC 6901) inside the value; empty for the value itself. */
  readonly path: string;
  /** What happened, in words. */
  readonly message: string;
}

export interface Inspector {
  readonly rounding: Rounding;
  /** Runs a step for a value; whatever it throws gets the value's path, and a cycle is told from mere depth. */
  guard(value: unknown, path: string, step: () => void): void;
  /** Reports that a value was written as something else, said in words. */
  reportCoerced(value: unknown, target: string, path: string): void;
  /** Reports that a value was left out, and why, in words. */
  reportDropped(reason: string, path: string): void;
}
