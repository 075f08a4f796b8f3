/** Creates the class of errors for each code of the catalogue. */
import { format } from 'node:util';
import type { ErrorPlace } from './call-site.ts';
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

/** The property of an error that holds its class. An error that already has Fastify's name and message does not have it. */
const ownClass = Symbol.for('ambit.error.class');

/** The property of a class that holds its definition. The symbol is global, so that other copies of the package find it, too. */
const definitionKey = Symbol.for('ambit.error.definition');

interface ClassDefinition<Arguments extends unknown[]> extends ErrorDefinition<Arguments> {
  readonly name: string;
  readonly isOfEcosystem: boolean;
  readonly Class: ErrorClass<Arguments>;
  ecosystem: ErrorClass<Arguments> | undefined;
  isMarked: boolean;
}

type DefinedClass = ErrorClass & { readonly [definitionKey]: ClassDefinition<unknown[]> };

/** Defines one entry of the error catalogue. */
export function defineError<Arguments extends unknown[] = unknown[]>(
  definition: ErrorDefinition<Arguments>,
): ErrorClass<Arguments> {
  return makeClass(definition, ownName, false);
}

/**
 * Changes an error of the catalogue, in place, to the name and message that Fastify has for it. Other values stay the same. It must be
 * called before the stack is read, because V8 then creates the text of the stack, which begins with name and message.
 */
export function toEcosystemError<T>(error: T): T {
  const own = ownClassOf(error);
  if (own === undefined) return error;
  const ecosystem = own.ecosystem as DefinedClass;
  const codedError = error as CodedError;
  const definition = ecosystem[definitionKey] as ClassDefinition<unknown[]> | undefined;
  // The error may come from another version of the package.
  if (definition !== undefined) markPrototype(definition);
  Object.setPrototypeOf(codedError, ecosystem.prototype);
  codedError.name = ecosystem.name;
  const args = messageArguments.get(codedError);
  if (args !== undefined) codedError.message = textOf(definition!.message, args);
  return error;
}

function ownClassOf(error: unknown): ErrorClass | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    return (error as { [ownClass]?: ErrorClass })[ownClass];
  } catch {
    // A proxy that throws is not an error of the catalogue.
    return undefined;
  }
}

/** Whether a value is an error of the catalogue, in either flavor. */
export function isCatalogueError(value: unknown): boolean {
  const code = readField(value, 'code');
  try {
    return typeof code === 'string' && brandOf({ code }) in Object(value);
  } catch {
    return false;
  }
}

const ownName = 'AmbitError';
const ecosystemName = 'FastifyError';

function makeClass<Arguments extends unknown[]>(
  definition: ErrorDefinition<Arguments>,
  name: string,
  isOfEcosystem: boolean,
): ErrorClass<Arguments> {
  function Defined(...args: Arguments): CodedError {
    return build(own as never, args, {}, Defined);
  }
  const Class = Defined as unknown as ErrorClass<Arguments>;
  const own: ClassDefinition<Arguments> = {
    ...definition,
    name,
    isOfEcosystem,
    Class,
    ecosystem: undefined,
    isMarked: false,
  };
  Object.setPrototypeOf(Defined, classMembers);
  Object.setPrototypeOf(Defined.prototype, instanceMembersOf(definition.base ?? Error));
  Object.defineProperty(Defined, 'name', { value: name });
  Defined.code = definition.code;
  Defined[definitionKey] = own;
  return Class;
}

/** The members that errors of all classes inherit, by the built-in class that they extend. */
const instanceMembers = new Map<ErrorConstructor, object>();

function instanceMembersOf(Base: ErrorConstructor): object {
  let members = instanceMembers.get(Base);
  if (members === undefined) {
    members = Object.create(Base.prototype, {
      toString: {
        value(this: CodedError) {
          return `${this.name} [${this.code}]: ${this.message}`;
        },
        writable: true,
        configurable: true,
      },
    }) as object;
    instanceMembers.set(Base, members);
  }
  return members;
}

/**
 * The members that all classes inherit. A class itself has as few members as possible, because each import of the framework creates a
 * hundred.
 */
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
      definition.ecosystem ??= makeEcosystemClass(definition);
      return definition.ecosystem;
    },
  },
  [Symbol.hasInstance]: {
    value(this: DefinedClass, value: unknown): boolean {
      return typeof value === 'object' && value !== null && brandOf(this[definitionKey]) in value;
    },
  },
}) as ErrorClass;

function makeEcosystemClass(definition: ClassDefinition<unknown[]>): ErrorClass {
  const { code, message, ecosystemMessage = message } = definition;
  const name = code.startsWith('FST_') ? ecosystemName : ownName;
  return makeClass({ ...definition, message: ecosystemMessage }, name, true);
}

function build(
  definition: ClassDefinition<unknown[]>,
  args: unknown[],
  options: ErrorOptions,
  calledFunction: unknown,
): CodedError {
  const { code, name, status = 500, hint, message, ecosystemMessage } = definition;
  markPrototype(definition);
  const error = Object.create(definition.Class.prototype) as CodedError;
  const text = textOf(message, args);
  Object.defineProperty(error, 'message', { value: text, writable: true, configurable: true });
  error.name = name;
  error.code = code;
  error.statusCode = status;
  if (hint !== undefined) error.hint = hint;
  if (options.where !== undefined) error.where = options.where;
  if ('cause' in options) {
    Object.defineProperty(error, 'cause', { value: options.cause, writable: true, configurable: true });
  }
  if (ecosystemMessage !== undefined) messageArguments.set(error, args);
  Error.captureStackTrace(error, calledFunction as (...args: never) => unknown);
  return error;
}

/** The arguments of the message of an error that has two messages: its own and Fastify's. */
const messageArguments = new WeakMap<object, unknown[]>();

function textOf<Arguments extends unknown[]>(text: Text<Arguments>, args: Arguments): string {
  return typeof text === 'function' ? text(...args) : format(text, ...args);
}

/** Marks the prototype of a class, when its first instance is created. */
function markPrototype(definition: ClassDefinition<unknown[]>): void {
  if (definition.isMarked) return;
  definition.isMarked = true;
  const { Class } = definition;
  Object.defineProperty(Class.prototype, brandOf(definition), { value: true });
  if (!definition.isOfEcosystem) Object.defineProperty(Class.prototype, ownClass, { value: Class });
}

/**
 * The symbol that `instanceof` looks for. It depends only on the code, so it works for both classes of a code, and across copies of the
 * package.
 */
function brandOf({ code }: { readonly code: string }): symbol {
  return Symbol.for(`ambit.error.${code}`);
}
