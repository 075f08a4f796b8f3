/** The interfaces with which the value of one part of a form is read. */
import type { FormShape } from '../../types/multipart.ts';
import type { FormEntry } from './form-body.ts';
import type { FormLimits } from './form-limits.ts';

/** The settings that all forms of one route share. */
export interface FormRules {
  readonly shape: FormShape;
  readonly limits: FormLimits;
  /** Parses JSON, or throws. */
  readonly readJson: (text: string) => unknown;
}

/** Receives the bytes of one part, and creates its value. */
export interface PartTarget {
  /** @throws An error of the catalogue for a value that is too large. */
  write(chunk: Buffer<ArrayBuffer>): void;
  end(): FormEntry | undefined | Promise<FormEntry | undefined>;
}
