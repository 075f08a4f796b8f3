/** Owns the shape of every error the framework raises, and the factory that makes one class per code. */
import { format } from 'node:util';

/** Where at boot an error arose; printed with the error, never part of its message. */
export interface ErrorPlace {
  /** The plugin path of the context, from the root: `root > users > admin`. */
  plugin?: string | undefined;
  /** Method and URL of the route, as declared: `GET /users/:id`. */
  route?: string | undefined;
  /** `file:line:column` of the code that called the framework. */
  file?: string | undefined;
  /** What boot was waiting on when it gave up. */
  step?: string | undefined;
}

/** An error with a permanent code. Match on `code`, never on the text. */
export interface CodedError extends Error {
  code: string;
  /** HTTP status that the default error handler answers with. */
  statusCode: number;
  /** What to do about it, where the catalogue knows. */
  hint?: string;
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
  /** The same error, with the place or the cause it came from. */
  at(options: ErrorOptions, ...args: Arguments): CodedError;
}

export interface ErrorDefinition<Arguments extends unknown[]> {
  code: string;
  /** HTTP status; 500 unless told. */
  status?: number;
  /** The text, or a function from what was received to the text. */
  message: string | ((...args: Arguments) => string);
  hint?: string;
  /** The built-in class that it also is, for callers that test with `instanceof TypeError`. */
  base?: ErrorConstructor;
}

/** Defines one entry of the error catalogue. */
export function defineError<Arguments extends unknown[] = unknown[]>(
  definition: ErrorDefinition<Arguments>,
): ErrorClass<Arguments> {
  const { code, status = 500, message, hint, base: Base = Error } = definition;
  const brand = Symbol.for(`ambit.error.${code}`);
  // Errors with the ecosystem's codes go by the ecosystem's name: both are matched on.
  const name = code.startsWith('FST_') ? 'FastifyError' : 'AmbitError';

  function build(args: Arguments, options: ErrorOptions, above: unknown): CodedError {
    const text = typeof message === 'function' ? message(...args) : format(message, ...args);
    const error = Object.create(Defined.prototype) as CodedError;
    Object.defineProperty(error, 'message', { value: text, writable: true, configurable: true });
    error.name = name;
    error.code = code;
    error.statusCode = status;
    if (hint !== undefined) error.hint = hint;
    if (options.where !== undefined) error.where = options.where;
    if ('cause' in options) {
      Object.defineProperty(error, 'cause', { value: options.cause, writable: true, configurable: true });
    }
    Error.captureStackTrace(error, above as (...args: never) => unknown);
    return error;
  }

  function Defined(...args: Arguments): CodedError {
    return build(args, {}, Defined);
  }
  Defined.prototype = Object.create(Base.prototype, {
    constructor: { value: Defined, writable: true, configurable: true },
    toString: {
      value(this: CodedError) {
        return `${this.name} [${this.code}]: ${this.message}`;
      },
      writable: true,
      configurable: true,
    },
    [brand]: { value: true },
  });
  Defined.code = code;
  Defined.at = (options: ErrorOptions, ...args: Arguments): CodedError => build(args, options, Defined.at);
  Object.defineProperty(Defined, 'name', { value: name });
  Object.defineProperty(Defined, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && brand in value,
  });
  return Defined as unknown as ErrorClass<Arguments>;
}
