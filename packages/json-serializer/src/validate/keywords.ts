/** The checks of the keywords that decide whether a value is valid, by name. Each accepts the types to which its keyword does not apply. */
import { compilePattern, isEqual, isSchemaObject, type JsonType, joinPointer } from '@ambit/json-schema';
import { ofType, type Predicate } from '../shape/test.ts';
import type { CheckContext, Evaluator, KeywordCheck } from './validators.ts';

type Dictionary = Record<string, unknown>;

export const draft7Checks: Readonly<Record<string, KeywordCheck>> = {
  // Values of any type.
  type({ value: type, sibling }) {
    const names = (Array.isArray(type) ? type : [type]) as JsonType[];
    const predicates = names.flatMap((name) => ofType[name] ?? []);
    if (sibling('nullable') === true) predicates.push(ofType.null);
    const [only] = predicates;
    return predicates.length === 1 ? only : (value) => predicates.some((predicate) => predicate(value));
  },
  enum({ value }) {
    if (!Array.isArray(value)) return undefined;
    const list = copyData(value) as unknown[];
    return (instance) => list.some((allowed) => isEqual(allowed, instance));
  },
  const({ value }) {
    const constant = copyData(value);
    return (instance) => isEqual(constant, instance);
  },

  // Numbers.
  minimum: compare(whenNumber, (value, bound) => value >= bound),
  maximum: compare(whenNumber, (value, bound) => value <= bound),
  exclusiveMinimum: compare(whenNumber, (value, bound) => value > bound),
  exclusiveMaximum: compare(whenNumber, (value, bound) => value < bound),
  multipleOf: compare(whenNumber, isMultipleOf),

  // Strings.
  minLength: compare(whenString, (text, bound) => countCodePoints(text) >= bound),
  maxLength: compare(whenString, (text, bound) => countCodePoints(text) <= bound),
  pattern({ value: source, part }) {
    const pattern = compilePattern(String(source), joinPointer(part.pointer, 'pattern'));
    return whenString((text) => pattern.test(text));
  },
  format({ value: name }) {
    // Draft 7, section 7.2 of the validation part: an unknown format passes.
    const check = formats.get(String(name));
    return check === undefined ? undefined : whenString(check);
  },

  // Objects.
  properties(context) {
    const entries = validateEach(context, 'properties');
    return whenObject((value) =>
      entries.every(([name, matches]) => {
        const property = readProperty(value, name);
        return property === undefined || matches(property);
      }),
    );
  },
  required({ value }) {
    return Array.isArray(value) ? requireAll(value) : undefined;
  },
  patternProperties(context) {
    const patterns = readPatterns(context);
    const predicates = validateEach(context, 'patternProperties').map(([, matches]) => matches);
    return whenObject((value) =>
      Object.keys(value).every((key) =>
        patterns.every((pattern, index) => !pattern.test(key) || predicates[index]!(value[key])),
      ),
    );
  },
  additionalProperties(context) {
    const declared = new Set(Object.keys(context.sibling('properties') ?? {}));
    const patterns = readPatterns(context);
    const matches = context.validate(context.value, 'additionalProperties');
    const isDeclared = (key: string) => declared.has(key) || patterns.some((pattern) => pattern.test(key));
    return whenObject((value) => Object.keys(value).every((key) => isDeclared(key) || matches(value[key])));
  },
  propertyNames({ value: schema, validate }) {
    const matches = validate(schema, 'propertyNames');
    return whenObject((value) => Object.keys(value).every(matches));
  },
  dependencies({ value: map, validate }) {
    if (!isSchemaObject(map)) return undefined;
    return applyDependents(
      Object.entries(map).map(([name, dependency]) => [
        name,
        Array.isArray(dependency) ? requireAll(dependency) : validate(dependency, 'dependencies', name),
      ]),
    );
  },
  minProperties: compare(whenObject, (value, bound) => Object.keys(value).length >= bound),
  maxProperties: compare(whenObject, (value, bound) => Object.keys(value).length <= bound),

  // Arrays.
  items({ value: items, validate }) {
    if (Array.isArray(items)) {
      const predicates = items.map((item, index) => validate(item, 'items', index));
      return whenArray((value) => value.every((item, index) => predicates[index]?.(item) ?? true));
    }
    const matches = validate(items, 'items');
    return whenArray((value) => value.every((item) => matches(item)));
  },
  additionalItems({ value: schema, sibling, validate }) {
    const items = sibling('items');
    if (!Array.isArray(items)) return undefined;
    const { length } = items;
    const matches = validate(schema, 'additionalItems');
    return whenArray((value) => value.slice(length).every((item) => matches(item)));
  },
  contains({ value: schema, validate }) {
    const matches = validate(schema, 'contains');
    return whenArray((value) => value.some((item) => matches(item)));
  },
  minItems: compare(whenArray, (value, bound) => value.length >= bound),
  maxItems: compare(whenArray, (value, bound) => value.length <= bound),
  uniqueItems({ value: isOn }) {
    if (isOn !== true) return undefined;
    return whenArray((value) =>
      value.every((item, index) => !value.slice(0, index).some((other) => isEqual(item, other))),
    );
  },

  // Schemas for the same value.
  $ref: ({ validateReference }) => validateReference('$ref'),
  allOf(context) {
    const all = validateAll(context, 'allOf');
    return (value) => all.every((matches) => matches(value));
  },
  anyOf(context) {
    const any = validateAll(context, 'anyOf');
    return (value) => any.some((matches) => matches(value));
  },
  oneOf(context) {
    const one = validateAll(context, 'oneOf');
    return (value) => one.filter((matches) => matches(value)).length === 1;
  },
  not({ value: schema, validate }) {
    const matches = validate(schema, 'not');
    return (value) => !matches(value);
  },
  if({ value: schema, sibling, validate }) {
    const matches = validate(schema, 'if');
    const then = sibling('then') === undefined ? undefined : validate(sibling('then'), 'then');
    const otherwise = sibling('else') === undefined ? undefined : validate(sibling('else'), 'else');
    return (value) => (matches(value) ? then : otherwise)?.(value) ?? true;
  },
};

/** In 2020-12, some keywords are new, and some have another meaning. */
export const draft2020Checks: Readonly<Record<string, KeywordCheck>> = {
  ...draft7Checks,
  $dynamicRef: ({ validateReference }) => validateReference('$dynamicRef'),
  additionalItems: () => undefined,
  prefixItems(context) {
    const predicates = validateAll(context, 'prefixItems');
    return whenArray((value) =>
      predicates.every((matches, index) => index >= value.length || matches(value[index])),
    );
  },
  items({ value: schema, sibling, validate }) {
    const first = sibling('prefixItems');
    const from = Array.isArray(first) ? first.length : 0;
    const matches = validate(schema, 'items');
    return whenArray((value) => value.every((item, index) => index < from || matches(item)));
  },
  contains({ value: schema, sibling, validate }) {
    const least = (sibling('minContains') as number | undefined) ?? 1;
    const most = (sibling('maxContains') as number | undefined) ?? Number.POSITIVE_INFINITY;
    const matches = validate(schema, 'contains');
    return whenArray((value) => {
      const count = value.filter((item) => matches(item)).length;
      return count >= least && count <= most;
    });
  },
  unevaluatedItems({ value: schema, validate, evaluate }) {
    const rest = checkUncovered(evaluate('unevaluatedItems'), validate(schema, 'unevaluatedItems'));
    return whenArray((value) => rest(value as never));
  },
  unevaluatedProperties: ({ value: schema, validate, evaluate }) =>
    whenObject(checkUncovered(evaluate('unevaluatedProperties'), validate(schema, 'unevaluatedProperties'))),
  dependentRequired({ value: map }) {
    if (!isSchemaObject(map)) return undefined;
    return applyDependents(
      Object.entries(map).map(([name, others]) => [name, requireAll(others as string[])]),
    );
  },
  dependentSchemas: (context) => applyDependents(validateEach(context, 'dependentSchemas')),
};

function whenNumber(check: (value: number | bigint) => boolean): Predicate {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || check(value);
}

function whenString(check: (value: string) => boolean): Predicate {
  return (value) => typeof value !== 'string' || check(value);
}

function whenArray(check: (value: readonly unknown[]) => boolean): Predicate {
  return (value) => !Array.isArray(value) || check(value);
}

function whenObject(check: (value: Dictionary) => boolean): Predicate {
  return (value) =>
    typeof value !== 'object' || value === null || Array.isArray(value) || check(value as Dictionary);
}

/** The check of a keyword whose value is a number. */
function compare<T>(
  when: (check: (value: T) => boolean) => Predicate,
  passes: (value: T, bound: number) => boolean,
): KeywordCheck {
  return ({ value: bound }) =>
    typeof bound === 'number' ? when((value) => passes(value, bound)) : undefined;
}

function validateAll({ value: list, validate }: CheckContext, name: string): Predicate[] {
  return Array.isArray(list) ? list.map((schema, index) => validate(schema, name, index)) : [];
}

function validateEach({ value: map, validate }: CheckContext, name: string): [string, Predicate][] {
  if (!isSchemaObject(map)) return [];
  return Object.entries(map).map(([key, schema]) => [key, validate(schema, name, key)]);
}

function readPatterns({ sibling, part }: CheckContext): RegExp[] {
  const place = joinPointer(part.pointer, 'patternProperties');
  return Object.keys(sibling('patternProperties') ?? {}).map((source) => compilePattern(source, place));
}

/** The value of a property for validation, which ignores inherited properties. */
function readProperty(value: Dictionary, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(value, name) ? undefined : value[name];
}

function requireAll(list: readonly string[]): Predicate {
  // A copy, so that later changes of a schema do not affect compiled code.
  const names = [...list];
  return whenObject((value) => names.every((name) => readProperty(value, name) !== undefined));
}

/** What must hold for objects that have a property, by its name. */
function applyDependents(entries: readonly (readonly [string, Predicate])[]): Predicate {
  return whenObject((value) =>
    entries.every(([name, matches]) => readProperty(value, name) === undefined || matches(value)),
  );
}

/** Whether a predicate holds for everything that a schema does not cover. */
function checkUncovered(evaluate: Evaluator, matches: Predicate): (value: Dictionary) => boolean {
  return (value) => {
    const found = new Set<string>();
    evaluate(value, found);
    return Object.keys(value).every((name) => found.has(name) || matches(value[name]));
  };
}

function copyData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyData);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyData(inner)]));
}

/** Length in code points: a pair of surrogates counts as one. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-]\d{2}(?::?\d{2})?)$/i;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  // setUTCFullYear, because Date.UTC treats the years 0 to 99 as 1900 to 1999.
  const parsed = new Date(0);
  parsed.setUTCFullYear(year, month - 1, day);
  return month >= 1 && parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const [, hour, minute, second] = time.exec(text)?.map(Number) ?? [];
  return hour !== undefined && hour <= 23 && minute! <= 59 && second! <= 60;
}

function isDateTime(text: string): boolean {
  const [day = '', clock = '', ...rest] = text.split(/t|\s/i);
  return rest.length === 0 && isDate(day) && isTime(clock);
}

function isIpv6(text: string): boolean {
  return text.includes(':') && URL.canParse(`http://[${text}]/`);
}

/** The formats that are checked if a string decides between branches. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['email', matching(new RegExp(`^[a-z0-9!#$%&'*+/=?^_\`{|}~.-]+@(?:${label}\\.)+${label}$`, 'i'))],
  ['hostname', matching(new RegExp(`^(?=.{1,253}\\.?$)${label}(?:\\.${label})*\\.?$`, 'i'))],
  ['ipv4', matching(new RegExp(`^(?:${byte}\\.){3}${byte}$`))],
  ['ipv6', isIpv6],
  ['uri', (text: string) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text) && URL.canParse(text)],
  ['uuid', matching(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
]);

/** Numbers below this limit keep 15 significant digits (IEEE 754 binary64), so scaling and rounding them is exact. */
const maxScaled = 1e15;

/**
 * Whether a number is a multiple of another. Both count as the decimal numbers that are written for them, as in a JSON text: 19.99 is a
 * multiple of 0.01, although no binary fraction equals one of them.
 *
 * @param value The number that is checked.
 * @param divisor A number > 0.
 */
export function isMultipleOf(value: number | bigint, divisor: number): boolean {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return false;
    let scale = 1;
    while (Math.round(divisor * scale) / scale !== divisor && divisor * scale < maxScaled) scale *= 10;
    const [scaled, step] = [Math.round(value * scale), Math.round(divisor * scale)];
    if (Math.abs(scaled) < maxScaled && step < maxScaled && step / scale === divisor)
      return scaled / scale === value && scaled % step === 0;
  }
  const [dividend, factor] = [readDecimal(value), readDecimal(divisor)];
  const exponent = Math.min(dividend.exponent, factor.exponent);
  const digitsAt = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return digitsAt(dividend) % digitsAt(factor) === 0n;
}

/** The number `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function readDecimal(number: number | bigint): Decimal {
  const [mantissa, exponent = '0'] = String(number).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
