/** The methods of a context for errors, logs and the ids of requests. */
import type { Context } from '../context.ts';
import type { ContextTypes } from '../context-types.ts';
import type { ErrorHandler } from '../handlers.ts';
import type { ChildLoggerFactory } from '../logger.ts';
import type { ErrorFormat } from '../problem.ts';
import type { AllowedResponses } from '../response-types.ts';

/** Sets how failed requests are answered. */
export interface ErrorMethods<Types extends ContextTypes> {
  /**
   * Sets the error handler of this context and of its children.
   *
   * @param handler Takes the error, the request and the reply. If it throws, the error handler of the context around it is called.
   * @throws {FST_ERR_ERROR_HANDLER_NOT_FN} if `handler` is not a function.
   * @throws {FST_ERR_ERROR_HANDLER_ALREADY_SET} if this context has one, and the option `allowErrorHandlerOverride` is `false`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setErrorHandler(handler: ErrorHandler<Types>): this;
  /** The error handler of this context. The default one replies with a JSON body with `statusCode`, `code`, `error` and `message`. */
  readonly errorHandler: ErrorHandler;
  /**
   * Sets the format of the reply to errors of this context and of its children that no error handler answers.
   *
   * @param format `json`, or `problem` for problem details (RFC 9457).
   * @throws {AMBIT_ERR_OPTION_INVALID} for any other value.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setErrorFormat(format: ErrorFormat): this;
  /** The format of error replies in this context. Default: the option `errors` of the application, which is `json` by default. */
  readonly errorFormat: ErrorFormat;
  /**
   * Sets which responses the routes of this context and of its children may send, if they have a response schema.
   *
   * @param responses `declared`: a reply whose status or media type the response schemas of its route do not declare fails with 500, because
   *   all its properties would be sent. `any`: such a reply is sent.
   * @throws {AMBIT_ERR_OPTION_INVALID} for any other value.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setResponses(responses: AllowedResponses): this;
}

/** Sets how loggers and ids of requests are created. Nothing here depends on the context's types. */
export interface LogMethods {
  /**
   * Sets the function that creates the logger of each request of this context and of its children.
   *
   * @param factory Takes the context's logger, the fields and options of the new one, and node's request. It returns the logger.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `factory` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this;
  /** The function that creates the logger of each request of this context. Default: it calls `child` of the context's logger. */
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
  /**
   * Sets the function that creates the ids of requests of this context and of its children.
   *
   * @param generate Takes node's request, and returns the id.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `generate` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setGenReqId(generate: (rawRequest: never) => string): this;
  /** The function that creates the ids of requests of this context. Default: a counter (`req-1`). */
  readonly genReqId: (rawRequest: never) => string;
}
