/** Owns the errors of this package: each with a permanent code, and the place that it is about. */
import type { CodedError, ErrorPlace } from 'ambit';

/** The permanent codes of this package's errors. */
export type OpenAPIErrorCode =
  /** An option is unknown, or not what it should be. */
  | 'AMBIT_ERR_OPENAPI_OPTION'
  /** A schema of a route cannot be described. */
  | 'AMBIT_ERR_OPENAPI_SCHEMA'
  /** A requirement names a security scheme that is declared nowhere, or a scheme is declared twice and differently. */
  | 'AMBIT_ERR_OPENAPI_SECURITY'
  /** The package that the documentation page comes from is not installed. */
  | 'AMBIT_ERR_OPENAPI_PAGE';

/** Raised at boot, or by `toOpenAPI`. Match on `code`, never on the text. */
export class OpenAPIError extends Error implements CodedError {
  /** The permanent code. */
  readonly code: OpenAPIErrorCode;
  /** The status of the response, if the error reaches the default error handler. */
  readonly statusCode = 500;
  /** The route or the option that the error is about. */
  readonly where?: ErrorPlace;

  /**
   * @param code The permanent code.
   * @param message What is wrong.
   * @param options The place and the cause.
   */
  constructor(
    code: OpenAPIErrorCode,
    message: string,
    options: { where?: ErrorPlace; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'OpenAPIError';
    this.code = code;
    if (options.where !== undefined) this.where = options.where;
  }
}
