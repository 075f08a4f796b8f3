/** The rules that options keep: which names there are, and what may stand under them. */
import {
  type BodyLimitInvalid,
  HandlerIsGenerator,
  OptionInvalid,
  OptionsInvalid,
  RuntimeUnsupported,
  UnknownOption,
} from '../../contract/errors.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { isGeneratorFunction } from '../../shared/thenable.ts';

/**
 * What options may be, by name: types as `typeof` has them, `array`, or single values as they are written in code.
 * Null and undefined are no value at all, and pass.
 */
export type OptionTypes = Readonly<Record<string, readonly string[]>>;

/** A function, or what `condition && function` comes to. */
export const functionOrFalse = ['function', 'false'] as const;
/** An object, or what `condition && object` comes to. */
export const objectOrFalse = ['object', 'false'] as const;

/** The longest delay of a timer; node replaces longer ones by 1 ms. */
export const maxTimerMs: number = 2 ** 31 - 1;

/** @throws {UnknownOption} with the nearest name there is. */
export function checkNames(given: object, known: readonly string[], owner: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(name))
      throw new UnknownOption(name, owner, nearestName(name, known));
  }
}

/** @throws What `makeError` makes of the first value that is not of its type. */
export function checkTypes(given: object, types: OptionTypes, makeError: (problem: string) => Error): void {
  const values = given as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(types)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const allowed = types[name]!;
    if (isOfType(value, allowed)) continue;
    throw makeError(`${name} must be ${inWords(allowed)}, instead got ${typeOf(value)}`);
  }
}

/** @param allowed As in `OptionTypes`. */
export function isOfType(value: unknown, allowed: readonly string[]): boolean {
  return allowed.includes(typeOf(value)) || allowed.includes(asWritten(value));
}

function inWords(allowed: readonly string[]): string {
  return allowed.filter((type) => type !== 'false').join(' or ');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function asWritten(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'boolean' ? String(value) : '';
}

/** @throws {OptionInvalid} when what a setter was given is no function. */
export function checkFunction(value: unknown, setter: string): void {
  if (typeof value !== 'function') {
    throw new OptionInvalid(setter, `requires a function, instead got ${typeOf(value)}`);
  }
}

/** @throws {OptionInvalid} when what a method was given is no object. */
export function checkObject(value: unknown, method: string): void {
  if (typeof value !== 'object' || value === null) {
    throw new OptionInvalid(method, `requires an object, instead got ${typeOf(value)}`);
  }
}

export function checkPositiveInteger(value: unknown, Invalid: typeof BodyLimitInvalid): void {
  if (value !== undefined && !(Number.isInteger(value) && (value as number) > 0)) throw new Invalid(value);
}

/** Hands an option to the library behind it; what the library refuses is refused in our name. */
export function wrapOptionError<T>(option: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof RuntimeUnsupported) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw OptionsInvalid.at({ cause }, `${option}: ${reason}`);
  }
}

/** @throws {HandlerIsGenerator} */
export function refuseGenerator(handler: unknown, what: string): void {
  if (isGeneratorFunction(handler)) throw new HandlerIsGenerator(what);
}

/** Numbers often come from the environment, as text. */
export function numberIfText(value: unknown, like: unknown): unknown {
  const isText = typeof like === 'number' && typeof value === 'string' && /^\d+$/.test(value);
  return isText ? Number(value) : value;
}
