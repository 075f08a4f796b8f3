/** Creates the class of errors for each code of the catalogue. */
import { format } from 'node:util';
import type { ErrorPlace } from './call-site.ts';
import { showReport } from './readable.ts';
import { readField } from './thrown-values.ts';

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
interface ErrorOptions {
  cause?: unknown;
  where?: ErrorPlace;
  /** In place of the hint of the class. */
  hint?: string | undefined;
}

/** A class of errors. It can be called without `new`. `instanceof` works across copies of the package. */
export interface ErrorClass<Arguments extends unknown[] = unknown[]> {
  new (...args: Arguments): CodedError;
  (...args: Arguments): CodedError;
  readonly code: string;
  readonly prototype: CodedError;
  /** The class of the same error with Fastify's name and message. Instances of one class are instances of the other, too. */
  readonly ecosystem: ErrorClass<Arguments>;
  /** Creates the error with its location, its cause or its hint. */
  at(options: ErrorOptions, ...args: Arguments): CodedError;
}

/** A message: a format string, or a function that returns it from the arguments. */
type Text<Arguments extends unknown[]> = string | ((...args: Arguments) => string);
interface ErrorDetails<Arguments extends unknown[]> {
  /** HTTP status. Default 500. */
  status?: number;
  /** A message that is no format string. */
  message?: Text<Arguments>;
  /** Fastify's message for the same error, if it differs. */
  fastifyMessage?: Text<Arguments>;
  hint?: string;
  /** The built-in class that it extends, for callers that check `instanceof TypeError`. */
  base?: ErrorConstructor;
}
interface Definition extends ErrorDetails<unknown[]> {
  readonly code: string;
  readonly message: Text<unknown[]>;
  /** Whether errors of the class have Fastify's name and message. */
  readonly isFastifys: boolean;
  readonly Class: ErrorClass;
  ecosystem: ErrorClass | undefined;
  isMarked: boolean;
}
type DefinedClass = ErrorClass & { readonly [definitionKey]: Definition };

// The symbols are global, so that other copies of the package find them, too.
/** The property of an error that holds its class. An error that already has Fastify's name and message does not have it. */
const ownClass = Symbol.for('ambit.error.class');
/** The property of a class that holds its definition. */
const definitionKey = Symbol.for('ambit.error.definition');

/** Defines an entry of the catalogue. @param text Code and message: `FST_ERR_VALIDATION: %s`; the code alone if the details have it. */
export function defineError<Arguments extends unknown[] = unknown[]>(
  text: string,
  details: ErrorDetails<Arguments> = {},
): ErrorClass<Arguments> {
  const [code = ''] = text.split(':', 1);
  const message = text.slice(code.length + 2);
  return makeClass({ message, ...details, code } as Definition, false) as ErrorClass<Arguments>;
}

/** Defines an entry whose errors are instances of `TypeError`. */
export function typeError<Arguments extends unknown[] = unknown[]>(
  text: string,
  details?: ErrorDetails<Arguments>,
): ErrorClass<Arguments> {
  return defineError(text, { ...details, base: TypeError });
}

/** Whether a value is an error of the catalogue, in either flavor. */
export function isCatalogueError(value: unknown): boolean {
  const code = readField(value, 'code');
  return typeof code === 'string' && isOfCode(value, code);
}

/** Changes an error, in place, to Fastify's name and message. To be called before the stack is read, whose text begins with them. */
export function toEcosystemError<T>(error: T): T {
  const own = typeof error === 'object' ? (readField(error, ownClass) as ErrorClass | undefined) : undefined;
  if (own === undefined) return error;
  const { ecosystem } = own;
  const codedError = error as CodedError;
  // Undefined if the error comes from another version of the package.
  const definition = (ecosystem as DefinedClass)[definitionKey] as Definition | undefined;
  if (definition !== undefined) markPrototype(definition);
  Object.setPrototypeOf(codedError, ecosystem.prototype);
  codedError.name = (ecosystem as DefinedClass & { readonly name: string }).name;
  const args = messageArguments.get(codedError);
  if (args !== undefined) codedError.message = textOf(definition!.message, args);
  return error;
}

/** The arguments of the message of an error that has two messages: its own and Fastify's. */
const messageArguments = new WeakMap<object, unknown[]>();

function makeClass(details: Definition, isFastifys: boolean): ErrorClass {
  function Defined(...args: unknown[]): CodedError {
    return build(own, args, {}, Defined);
  }
  const Class = Defined as unknown as ErrorClass;
  const own: Definition = { ...details, isFastifys, Class, ecosystem: undefined, isMarked: false };
  Object.setPrototypeOf(Defined, classMembers);
  Object.setPrototypeOf(Defined.prototype, instanceMembers.get(details.base ?? Error)!);
  Object.defineProperty(Defined, 'name', { value: nameOf(own) });
  Defined.code = details.code;
  Defined[definitionKey] = own;
  return Class;
}

function nameOf({ code, isFastifys }: Definition): string {
  return isFastifys && code.startsWith('FST_') ? 'FastifyError' : 'AmbitError';
}

/** The members that errors of all classes inherit, by the built-in class that they extend. */
const instanceMembers = new Map(
  [Error, TypeError, RangeError, URIError].map((Base): [ErrorConstructor, object] => [
    Base,
    Object.create(Base.prototype, {
      toString: {
        value(this: CodedError) {
          return `${this.name} [${this.code}]: ${this.message}`;
        },
        writable: true,
        configurable: true,
      },
    }),
  ]),
);

/** The members that all classes inherit. A class itself has as few as possible, because each import creates a hundred. */
const classMembers = Object.create(Function.prototype, {
  at: {
    value: function at(this: DefinedClass, options: ErrorOptions, ...args: unknown[]): CodedError {
      return build(this[definitionKey], args, options, at);
    },
  },
  // Created when it is first read, because only the facade needs it.
  ecosystem: {
    get(this: DefinedClass): ErrorClass {
      const definition = this[definitionKey];
      const { message, fastifyMessage = message } = definition;
      definition.ecosystem ??= makeClass({ ...definition, message: fastifyMessage }, true);
      return definition.ecosystem;
    },
  },
  [Symbol.hasInstance]: {
    value(this: DefinedClass, value: unknown): boolean {
      return typeof value === 'object' && isOfCode(value, this[definitionKey].code);
    },
  },
}) as ErrorClass;

function build(
  definition: Definition,
  args: unknown[],
  options: ErrorOptions,
  calledFunction: (...args: never[]) => unknown,
): CodedError {
  const { code, status = 500, message, fastifyMessage, Class } = definition;
  const { hint = definition.hint } = options;
  markPrototype(definition);
  const error = Object.create(Class.prototype) as CodedError;
  const text = textOf(message, args);
  Object.defineProperty(error, 'message', { value: text, writable: true, configurable: true });
  error.name = nameOf(definition);
  error.code = code;
  error.statusCode = status;
  if (hint !== undefined) error.hint = hint;
  if (options.where !== undefined) error.where = options.where;
  if ('cause' in options)
    Object.defineProperty(error, 'cause', { value: options.cause, writable: true, configurable: true });
  if (fastifyMessage !== undefined) messageArguments.set(error, args);
  Error.captureStackTrace(error, calledFunction);
  if (options.where !== undefined) showReport(error, true);
  return error;
}

function textOf(text: Text<unknown[]>, args: unknown[]): string {
  return typeof text === 'function' ? text(...args) : format(text, ...args);
}

/** Marks the prototype of a class, when its first instance is created. */
function markPrototype(definition: Definition): void {
  if (definition.isMarked) return;
  definition.isMarked = true;
  const { code, Class, isFastifys } = definition;
  Object.defineProperty(Class.prototype, brandOf(code), { value: true });
  if (!isFastifys) Object.defineProperty(Class.prototype, ownClass, { value: Class });
}

function isOfCode(value: unknown, code: string): boolean {
  return readField(value, brandOf(code)) === true;
}

/** The symbol that `instanceof` looks for: the same for both classes of a code, and in all copies of the package. */
function brandOf(code: string): symbol {
  return Symbol.for(`ambit.error.${code}`);
}
