/** The factory that makes one class of errors for each code of the catalogue. */
import { format } from 'node:util';
import type { CodedError, ErrorClass, ErrorDefinition, ErrorOptions, Text } from './coded-error.ts';

const ownName = 'AmbitError';
const ecosystemName = 'FastifyError';

/** What an error is worded from, where it has words of two kinds. */
const messageArguments = new WeakMap<object, unknown[]>();

/** Leads from an error to its class, unless it is in the ecosystem's words already. */
const ownClass = Symbol.for('ambit.error.class');

/** What a class is made from. Other copies of the package find it too. */
const definitionKey = Symbol.for('ambit.error.definition');

interface ClassDefinition<Arguments extends unknown[]> extends ErrorDefinition<Arguments> {
  readonly name: string;
  readonly isOfEcosystem: boolean;
  readonly Class: ErrorClass<Arguments>;
  ecosystem: ErrorClass<Arguments> | undefined;
  isMarked: boolean;
}

type DefinedClass = ErrorClass & { readonly [definitionKey]: ClassDefinition<unknown[]> };

/** What all classes inherit. Each class has as little of its own as possible, because every import of the framework makes a hundred. */
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

/** What the errors of all classes inherit, by the built-in class that they also are. */
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

/** Defines one entry of the error catalogue. */
export function defineError<Arguments extends unknown[] = unknown[]>(
  definition: ErrorDefinition<Arguments>,
): ErrorClass<Arguments> {
  return makeClass(definition, ownName, false);
}

function makeEcosystemClass(definition: ClassDefinition<unknown[]>): ErrorClass {
  const { code, message, ecosystemMessage = message } = definition;
  const name = code.startsWith('FST_') ? ecosystemName : ownName;
  return makeClass({ ...definition, message: ecosystemMessage }, name, true);
}

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

function build(
  definition: ClassDefinition<unknown[]>,
  args: unknown[],
  options: ErrorOptions,
  above: unknown,
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
  Error.captureStackTrace(error, above as (...args: never) => unknown);
  return error;
}

/** By its brand, an error is an instance of its class, of the other class of its code, and of those of other copies of the package. */
function brandOf({ code }: { readonly code: string }): symbol {
  return Symbol.for(`ambit.error.${code}`);
}

/** Before the first instance. */
function markPrototype(definition: ClassDefinition<unknown[]>): void {
  if (definition.isMarked) return;
  definition.isMarked = true;
  const { Class } = definition;
  Object.defineProperty(Class.prototype, brandOf(definition), { value: true });
  if (!definition.isOfEcosystem) Object.defineProperty(Class.prototype, ownClass, { value: Class });
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
  const ecosystem = own.ecosystem as DefinedClass;
  const worded = error as CodedError;
  const definition = ecosystem[definitionKey] as ClassDefinition<unknown[]> | undefined;
  // Another version of the package may have made the error.
  if (definition !== undefined) markPrototype(definition);
  Object.setPrototypeOf(worded, ecosystem.prototype);
  worded.name = ecosystem.name;
  const args = messageArguments.get(worded);
  if (args !== undefined) worded.message = textOf(definition!.message, args);
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
