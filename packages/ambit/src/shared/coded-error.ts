/** The types of the framework's errors: an error with its code and status, its class, and the definition of a class. */
import type { ErrorPlace } from './error-place.ts';

/** An error with a permanent code. Match on `code`, never on the text. */
export interface CodedError extends Error {
  /** The permanent code: `FST_ERR_CTP_BODY_TOO_LARGE`. */
  code: string;
  /** HTTP status of the reply of the default error handler. */
  statusCode: number;
  /** How to fix the error, if the catalogue has a hint. */
  hint?: string;
  /** The plugin, the route and the line that an error of boot comes from. */
  where?: ErrorPlace;
}

export interface ErrorOptions {
  cause?: unknown;
  where?: ErrorPlace;
}

/** A class of errors. It can be called without `new`. `instanceof` works across copies of the package. */
export interface ErrorClass<Arguments extends unknown[] = unknown[]> {
  new (...args: Arguments): CodedError;
  (...args: Arguments): CodedError;
  readonly code: string;
  readonly prototype: CodedError;
  /** The class of the same error with Fastify's name and message. Instances of one class are instances of the other, too. */
  readonly ecosystem: ErrorClass<Arguments>;
  /** Creates the error with its location or its cause. */
  at(options: ErrorOptions, ...args: Arguments): CodedError;
}

export type Text<Arguments extends unknown[]> = string | ((...args: Arguments) => string);

export interface ErrorDefinition<Arguments extends unknown[]> {
  code: string;
  /** HTTP status. Default 500. */
  status?: number;
  /** The text, as a format string, or a function that returns it from the arguments. */
  message: Text<Arguments>;
  /** Fastify's text for the same error, if it differs. */
  ecosystemMessage?: Text<Arguments>;
  hint?: string;
  /** The built-in class that it extends, for callers that check `instanceof TypeError`. */
  base?: ErrorConstructor;
}
