/** The checks that all options share: their names, and the types of their values. */
import { nearestName } from '../../shared/nearest-name.ts';
import { isAsyncFunction, isGeneratorFunction } from '../../shared/values.ts';
import {
  type BodyLimitInvalid,
  HandlerIsGenerator,
  OptionInvalid,
  OptionsInvalid,
  RuntimeUnsupported,
  SchemaErrorFormatterNotFunction,
  UnknownOption,
} from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import { warnMisspelled } from '../../types/warnings.ts';

/**
 * The allowed types of options, by name: types as `typeof` returns them, `array`, or single values as they are written in code.
 * `null` and `undefined` mean that the option is not set, and are always allowed.
 */
export type OptionTypes = Readonly<Record<string, readonly string[]>>;

/** Creates the error for a value that is not allowed. */
export type MakeError = (problem: string) => Error;

/** A function, or `false`, so that users can write `condition && function`. */
export const functionOrFalse = ['function', 'false'] as const;
/** An object, or `false`, so that users can write `condition && object`. */
export const objectOrFalse = ['object', 'false'] as const;

/** The longest delay of a timer. Node replaces a longer one by 1 ms. */
export const maxTimerMs: number = 2 ** 31 - 1;

/** Whether declarations are checked that Fastify accepts. */
export type Checks = Pick<Compatibility, 'checksDeclarations'>;

export const allChecks: Checks = { checksDeclarations: true };

/** Without these, there would be another server, one without TLS for instance. Fastify refuses nearly all such values, too. */
const neverIgnored: ReadonlySet<string> = new Set([
  'https',
  'serverFactory',
  'clientErrorHandler',
  'onBadUrl',
  'routerOptions',
]);

/** Reports a declaration that Fastify accepts: it fails boot, or it causes a warning where declarations are not checked. */
export function reportMistake({ checksDeclarations }: Checks, error: Error): void {
  if (checksDeclarations) throw error;
  warnMisspelled(error.message);
}

/** Runs a check that Fastify does not make. Returns false if it fails where declarations are not checked: the value must be ignored. */
export function passes(checks: Checks, check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    reportMistake(checks, error as Error);
    return false;
  }
}

/** Refuses names that are not known. Where declarations are not checked, it warns of a name that is similar to a known one. */
export function checkNames(
  options: object,
  knownNames: readonly string[],
  owner: string,
  checks: Checks = allChecks,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || knownNames.includes(name)) continue;
    const nearest = nearestName(name, knownNames);
    if (nearest !== undefined || checks.checksDeclarations)
      reportMistake(checks, new UnknownOption(name, owner, nearest));
  }
}

/** Refuses values of a wrong type. Where declarations are not checked, they are replaced in `options`, mostly by `undefined`. */
export function checkTypes(
  options: object,
  types: OptionTypes,
  makeError: MakeError,
  checks: Checks = allChecks,
): void {
  const values = options as Record<string, unknown>;
  for (const name of Object.keys(types)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const allowed = types[name]!;
    if (isOfType(value, allowed)) continue;
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    const error = makeError(`${name} must be ${joinTypes(allowed)}, instead got ${typeOf(value)}`);
    reportMistake(neverIgnored.has(name) && !isEmpty ? allChecks : checks, error);
    // Fastify reads any value of such an option as true or false.
    values[name] = allowed.join() === 'boolean' ? Boolean(value) : undefined;
  }
}

/** @param allowed As in `OptionTypes`. */
export function isOfType(value: unknown, allowed: readonly string[]): boolean {
  return allowed.includes(typeOf(value)) || allowed.includes(literalOf(value));
}

function joinTypes(allowed: readonly string[]): string {
  return allowed.filter((type) => type !== 'false').join(' or ');
}

function literalOf(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'boolean' ? String(value) : '';
}

/** The type of a value, for errors. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Checks the argument of a method. */
export function checkFunction(value: unknown, method: string): void {
  if (typeof value !== 'function')
    throw new OptionInvalid(method, `requires a function, instead got ${typeOf(value)}`);
}

export function checkObject(value: unknown, method: string): void {
  if (typeof value !== 'object' || value === null)
    throw new OptionInvalid(method, `requires an object, instead got ${typeOf(value)}`);
}

/** A schema error formatter must return its error synchronously, because nothing would wait for a promise. */
export function checkFormatter(formatter: unknown): void {
  if (typeof formatter !== 'function') throw new SchemaErrorFormatterNotFunction(typeof formatter);
  if (isAsyncFunction(formatter)) throw new SchemaErrorFormatterNotFunction('AsyncFunction');
}

export function checkPositiveInteger(value: unknown, Invalid: typeof BodyLimitInvalid): void {
  if (value !== undefined && !(Number.isInteger(value) && (value as number) > 0)) throw new Invalid(value);
}

/** @param orElse Further values that are allowed, for the error. */
export function checkInteger(
  name: string,
  value: unknown,
  from: number,
  makeError: MakeError,
  { to = Number.POSITIVE_INFINITY, orElse = '' }: { readonly to?: number; readonly orElse?: string } = {},
): void {
  if (
    value === undefined ||
    (Number.isInteger(value) && (value as number) >= from && (value as number) <= to)
  )
    return;
  const range = to === Number.POSITIVE_INFINITY ? `>= ${from}` : `from ${from} to ${to}`;
  throw makeError(`${name} must be an integer ${range}${orElse}, instead got ${String(value)}`);
}

/** Runs `use`, which passes an option to a library. An error of the library becomes our error, with the library's error as the cause. */
export function wrapOptionError<T>(option: string, use: () => T, hint?: string): T {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof RuntimeUnsupported) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw OptionsInvalid.at({ cause, hint }, `${option}: ${reason}`);
  }
}

export function rejectGenerator(checks: Checks, handler: unknown, what: string): void {
  if (isGeneratorFunction(handler)) reportMistake(checks, new HandlerIsGenerator(what));
}

/** Turns text into a number if the default of the option is a number: such options often come from environment variables. */
export function numberIfText(value: unknown, defaultValue: unknown): unknown {
  const isText = typeof defaultValue === 'number' && typeof value === 'string' && /^\d+$/.test(value);
  return isText ? Number(value) : value;
}

/**
 * Refuses names that look misspelled. Other unknown names are accepted.
 *
 * @param isAllowed Whether a name is accepted although it is similar to a known one.
 */
export function checkSpelling(
  options: object,
  known: readonly string[],
  owner: string,
  checks: Checks,
  isAllowed: (name: string, value: unknown, nearest: string) => boolean = () => false,
): void {
  const values = options as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(values)) {
    if (values[name] === undefined || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    if (nearest === undefined || values[nearest] !== undefined || differsByWord(name, nearest)) continue;
    if (!isAllowed(name, values[name], nearest))
      reportMistake(checks, new UnknownOption(name, owner, nearest));
  }
}

/** Whether two names differ by a whole word, such as `wsHandler` and `handler`: that is not a spelling mistake. */
function differsByWord(a: string, b: string): boolean {
  if (a.length === b.length) return false;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const asLastWord = shorter.charAt(0).toUpperCase() + shorter.slice(1);
  if (longer.endsWith(asLastWord)) return true;
  return longer.startsWith(shorter) && /[A-Z\d]/.test(longer.charAt(shorter.length));
}
