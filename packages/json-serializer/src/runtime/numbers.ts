/** The text of numbers: coercion, rounding of integers, bigint, and what JSON cannot hold. */
import { SerializationError } from '../errors.ts';
import { describe } from './describe.ts';

/** How a fraction becomes an integer. */
export type Rounding = 'ceil' | 'floor' | 'round' | 'trunc';

export const roundings: readonly Rounding[] = ['ceil', 'floor', 'round', 'trunc'];

function toNumber(value: unknown): number {
  const number = typeof value === 'symbol' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new SerializationError(`The value ${describe(value)} cannot be converted to a number.`);
  }
  return number;
}

const integerPattern = /^\s*[+-]?\d+\s*$/;

/** A bigint, or a text of digits that a number cannot hold, as a bigint: all its digits are written. */
function toLongInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'string' || Number.isSafeInteger(Number(value)) || !integerPattern.test(value))
    return undefined;
  return BigInt(value.trim().replace(/^\+/, ''));
}

/** A number, or a bigint if a number would lose digits. */
export function toExactNumber(value: unknown): number | bigint {
  return toLongInteger(value) ?? toNumber(value);
}

/** JSON has no infinity, so it is written as `null`, as by `JSON.stringify`. */
export function numberText(value: unknown): string {
  const number = toExactNumber(value);
  if (typeof number === 'bigint') return `${number}`;
  return Number.isFinite(number) ? finiteText(number) : 'null';
}

/** The texts of 0, 0.001 … 0.999 without zeros at the end. Created at first use. */
let thousandthTexts: readonly string[] | undefined;
/**
 * Up to this number of thousandths, the text has at most 15 digits, and is the shortest text of the double (IEEE 754
 * binary64 preserves any 15 digits).
 */
const maxThousandths = 1e15;

// HOT: once per fraction. V8 searches for the shortest text. With up to three decimals, a division finds it in a third
// of the time.
/** The text of a finite number, as ECMA-262 has it (6.1.6.1.20): the shortest that reads as the same number. */
export function finiteText(number: number): string {
  if (Math.floor(number) === number) return `${number}`;
  const size = Math.abs(number);
  const thousandths = Math.round(size * 1000);
  if (thousandths / 1000 !== size || thousandths >= maxThousandths) return `${number}`;
  thousandthTexts ??= Array.from({ length: 1000 }, (_, index) => `${index / 1000}`.slice(1));
  const whole = Math.floor(thousandths / 1000);
  const text = whole + thousandthTexts[thousandths - whole * 1000]!;
  return number < 0 ? `-${text}` : text;
}

export function toInteger(value: unknown, rounding: Rounding): number | bigint {
  if (Number.isInteger(value)) return value as number;
  const long = toLongInteger(value);
  if (long !== undefined) return long;
  const integer = typeof value === 'symbol' ? Number.NaN : Math[rounding](value as number);
  if (!Number.isFinite(integer)) {
    throw new SerializationError(`The value ${describe(value)} cannot be converted to an integer.`);
  }
  return integer;
}
