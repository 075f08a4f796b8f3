/** What the value of one part of a form is read with. */
import type { FormShape } from '../../contract/multipart.ts';
import type { FormEntry } from './form-body.ts';
import type { FormLimits } from './form-limits.ts';

/** What the forms of one route have in common. */
export interface FormRules {
  readonly shape: FormShape;
  readonly limits: FormLimits;
  /** Parses JSON, or throws. */
  readonly readJson: (text: string) => unknown;
}

/** What takes the value of one part. */
export interface PartTarget {
  /** @throws An error of the catalogue for a value that is too large. */
  write(chunk: Buffer<ArrayBuffer>): void;
  end(): FormEntry | undefined | Promise<FormEntry | undefined>;
}
