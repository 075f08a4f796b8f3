/** Owns the shape of every error the framework raises, and the factory that makes one class per code. */
import { format } from 'node:util';
import { isError } from './thrown-values.ts';

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
  /** The part of the route's schema: `body`, `response 200 (text/csv)`. */
  part?: string | undefined;
  /** Where in that schema, as a JSON Pointer: `#/properties/name`; in a shared schema, behind its `$id`. */
  schemaPath?: string | undefined;
}

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

/** Says where an error arose, unless it says so itself. Errors that cannot take it, such as frozen ones, stay as they are. */
export function locateError<T>(error: T, where: () => ErrorPlace): T {
  if (!isError(error)) return error;
  try {
    if (!('where' in error)) Object.assign(error, { where: where() });
  } catch {
    // What failed is more important than where.
  }
  return error;
}

/**
 * Runs a function of the framework for a caller: what it throws says where.
 *
 * @param translate Gives errors of the catalogue the name and message that the application uses.
 */
export function withErrorPlace<T>(run: () => T, where: () => ErrorPlace, translate: <E>(error: E) => E): T {
  try {
    return run();
  } catch (error) {
    throw translate(locateError(error, where));
  }
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

type Text<Arguments extends unknown[]> = string | ((...args: Arguments) => string);

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

const ownName = 'AmbitError';
const ecosystemName = 'FastifyError';

/** What an error is worded from, where it has words of two kinds. */
const messageArguments = new WeakMap<object, unknown[]>();

/** Leads from an error to its class, unless it is in the ecosystem's words already. */
const ownClass = Symbol.for('ambit.error.class');

/** Defines one entry of the error catalogue. */
export function defineError<Arguments extends unknown[] = unknown[]>(
  definition: ErrorDefinition<Arguments>,
): ErrorClass<Arguments> {
  const { message, ecosystemMessage } = definition;
  const own = makeClass(definition, ownName, message);
  Object.defineProperty(own.prototype, ownClass, { value: own });
  // Created when it is first read, because only the facade needs it.
  let ecosystem: ErrorClass<Arguments> | undefined;
  const name = definition.code.startsWith('FST_') ? ecosystemName : ownName;
  Object.defineProperty(own, 'ecosystem', {
    get: () => {
      ecosystem ??= makeClass(definition, name, ecosystemMessage ?? message);
      return ecosystem;
    },
  });
  return own;
}

function makeClass<Arguments extends unknown[]>(
  { code, status = 500, hint, base: Base = Error, ecosystemMessage }: ErrorDefinition<Arguments>,
  name: string,
  text: Text<Arguments>,
): ErrorClass<Arguments> {
  const brand = Symbol.for(`ambit.error.${code}`);

  function build(args: Arguments, options: ErrorOptions, above: unknown): CodedError {
    const error = Object.create(Defined.prototype) as CodedError;
    const message = textOf(text, args);
    Object.defineProperty(error, 'message', { value: message, writable: true, configurable: true });
    error.name = name;
    error.code = code;
    error.statusCode = status;
    if (hint !== undefined) error.hint = hint;
    if (options.where !== undefined) error.where = options.where;
    if ('cause' in options) {
      Object.defineProperty(error, 'cause', { value: options.cause, writable: true, configurable: true });
    }
    if (ecosystemMessage !== undefined) messageArguments.set(error, args);
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
  Defined.text = text;
  Defined.at = (options: ErrorOptions, ...args: Arguments): CodedError => build(args, options, Defined.at);
  Object.defineProperty(Defined, 'name', { value: name });
  Object.defineProperty(Defined, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && brand in value,
  });
  return Defined as unknown as ErrorClass<Arguments>;
}

function textOf<Arguments extends unknown[]>(text: Text<Arguments>, args: Arguments): string {
  return typeof text === 'function' ? text(...args) : format(text, ...args);
}

/**
 * Changes an error of the catalogue, in place, to the name and message that the ecosystem knows. Other values stay the
 * same. V8 creates the text of the stack, which begins with name and message, when it is first read. So this must come
 * before.
 */
export function toEcosystemError<T>(error: T): T {
  const own = ownClassOf(error);
  if (own === undefined) return error;
  const { ecosystem } = own;
  const worded = error as CodedError;
  Object.setPrototypeOf(worded, ecosystem.prototype);
  worded.name = ecosystem.name;
  const args = messageArguments.get(worded);
  if (args !== undefined)
    worded.message = textOf((ecosystem as unknown as { text: Text<unknown[]> }).text, args);
  return error;
}

function ownClassOf(error: unknown): ErrorClass | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    return (error as { [ownClass]?: ErrorClass })[ownClass];
  } catch {
    // A proxy that throws is not one of our errors.
    return undefined;
  }
}
