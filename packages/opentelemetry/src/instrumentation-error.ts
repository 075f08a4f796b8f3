/** The errors of this package. Each has a permanent code. */

/** The permanent codes of this package's errors. */
export type AmbitInstrumentationErrorCode =
  /** An option is unknown, or its value is invalid. */
  | 'AMBIT_ERR_OPENTELEMETRY_OPTION'
  /** The package `@opentelemetry/api` is not installed. */
  | 'AMBIT_ERR_OPENTELEMETRY_API_MISSING'
  /** Another instrumentation of this kind is already enabled, so each request would have two spans. */
  | 'AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE';

/** Raised by `AmbitInstrumentation`. Match on `code`, never on the text. */
export class AmbitInstrumentationError extends Error {
  /** The permanent code. */
  readonly code: AmbitInstrumentationErrorCode;

  /**
   * @param code The permanent code.
   * @param message Says what is wrong, and what to do.
   * @param cause The original error.
   */
  constructor(code: AmbitInstrumentationErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AmbitInstrumentationError';
    this.code = code;
  }
}
