/** Why a form is refused, or a file of it cannot be read. */

/**
 * - `FORM_INVALID`: it is not `multipart/form-data`, or a part is not a field of a form; the message says why.
 * - `FORM_INCOMPLETE`: its source was closed before it had ended.
 * - `TOO_MANY_FILES`, `FILE_TOO_LARGE`, `TOO_MANY_FIELDS`, `FIELD_TOO_LARGE`, `FIELD_NAME_TOO_LONG`, `PART_HEAD_TOO_LARGE`: it exceeds the
 *   limit of that name; `field` and `limit` say which.
 * - `FILE_NOT_STORED`: a file cannot be written to the temporary folder; `cause` says why.
 * - `FILE_REMOVED`: a file is read or written after `remove` of its storage.
 */
export type FormErrorCode =
  | 'FORM_INVALID'
  | 'FORM_INCOMPLETE'
  | 'TOO_MANY_FILES'
  | 'FILE_TOO_LARGE'
  | 'TOO_MANY_FIELDS'
  | 'FIELD_TOO_LARGE'
  | 'FIELD_NAME_TOO_LONG'
  | 'PART_HEAD_TOO_LARGE'
  | 'FILE_NOT_STORED'
  | 'FILE_REMOVED';

interface Details {
  readonly field?: string;
  readonly limit?: number;
  readonly cause?: unknown;
}

/** An error of a form. Its `code` is permanent, its message is not. */
export class FormError extends Error {
  /** Why the form is refused. */
  readonly code: FormErrorCode;
  /** The name of the field, of a name that is too long only the beginning; empty if it is not known. */
  readonly field: string;
  /** The limit that is exceeded, in bytes or as a number of parts; 0 for other errors. */
  readonly limit: number;

  /**
   * @param code Why.
   * @param message The text for people. Details are the field, the limit and the cause.
   */
  constructor(code: FormErrorCode, message: string, { field = '', limit = 0, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FormError';
    this.code = code;
    this.field = field;
    this.limit = limit;
  }
}

export function invalid(problem: string): FormError {
  return new FormError('FORM_INVALID', problem);
}
