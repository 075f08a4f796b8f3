/** What an error of the framework is: its code, its status, its class, and how a class is defined. */
import type { ErrorPlace } from './error-place.ts';

/** An error with a permanent code. Match on `code`, never on the text. */
export interface CodedError extends Error {
  /** The permanent code: `FST_ERR_CTP_BODY_TOO_LARGE`. */
  code: string;
  /** HTTP status that the default error handler answers with. */
  statusCode: number;
  /** What to do about it, where the catalogue knows. */
  hint?: string;
  /** The plugin, the route and the line that an error of boot comes from. */
  where?: ErrorPlace;
}

export interface ErrorOptions {
  cause?: unknown;
  where?: ErrorPlace;
}

/** A class of errors. Callable without `new`; `instanceof` holds across copies of the package. */
export interface ErrorClass<Arguments extends unknown[] = unknown[]> {
  new (...args: Arguments): CodedError;
  (...args: Arguments): CodedError;
  readonly code: string;
  readonly prototype: CodedError;
  /** The same error as the ecosystem knows it: under its name and in its words. Instances of the one are instances of the other. */
  readonly ecosystem: ErrorClass<Arguments>;
  /** The same error, with the place or the cause it came from. */
  at(options: ErrorOptions, ...args: Arguments): CodedError;
}

export type Text<Arguments extends unknown[]> = string | ((...args: Arguments) => string);

export interface ErrorDefinition<Arguments extends unknown[]> {
  code: string;
  /** HTTP status; 500 unless told. */
  status?: number;
  /** The text, or a function from what was received to the text. */
  message: Text<Arguments>;
  /** The text that the ecosystem has for the same error, where it is another one. */
  ecosystemMessage?: Text<Arguments>;
  hint?: string;
  /** The built-in class that it also is, for callers that test with `instanceof TypeError`. */
  base?: ErrorConstructor;
}
