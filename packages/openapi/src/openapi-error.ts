/** The errors of this package. Each has a permanent code, and the route or option that is wrong. */
import type { CodedError, ErrorPlace } from 'ambit';

/** The permanent codes of this package's errors. */
export type OpenAPIErrorCode =
  /** An option is unknown, or its value is invalid. */
  | 'AMBIT_ERR_OPENAPI_OPTION'
  /** A schema of a route cannot be described. */
  | 'AMBIT_ERR_OPENAPI_SCHEMA'
  /** A security requirement names an undeclared scheme, or two different schemes have the same name. */
  | 'AMBIT_ERR_OPENAPI_SECURITY'
  /** The package of the documentation page is not installed, or the runtime cannot read its files. */
  | 'AMBIT_ERR_OPENAPI_PAGE';

/** Raised at boot, or by `toOpenAPI`. Match on `code`, never on the text. */
export class OpenAPIError extends Error implements CodedError {
  /** The permanent code. */
  readonly code: OpenAPIErrorCode;
  /** The status of the response, if the error reaches the default error handler. */
  readonly statusCode = 500;
  /** The route or the option that is wrong. */
  readonly where?: ErrorPlace;

  /**
   * @param code The permanent code.
   * @param message Says what is wrong.
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
