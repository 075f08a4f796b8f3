/** The text of numbers: coercion, rounding of integers, bigint, what JSON cannot hold, and digits in a buffer. */
import { describe, SerializationError } from '../errors.ts';
import { bypassCostChars, type OutputBuffer } from './output-buffer.ts';

/** How a fraction becomes an integer. */
export type Rounding = 'ceil' | 'floor' | 'round' | 'trunc';

export const roundings: readonly Rounding[] = ['ceil', 'floor', 'round', 'trunc'];

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

/** A number, or a bigint if a number would lose digits. */
export function toExactNumber(value: unknown): number | bigint {
  const long = toLongInteger(value);
  if (long !== undefined) return long;
  const number = typeof value === 'symbol' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new SerializationError(`The value ${describe(value)} cannot be converted to a number.`);
  }
  return number;
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

const integerPattern = /^\s*[+-]?\d+\s*$/;

/** A bigint, or a text of digits that a number cannot hold, as a bigint: all its digits are written. */
function toLongInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'string' || Number.isSafeInteger(Number(value)) || !integerPattern.test(value))
    return undefined;
  return BigInt(value.trim().replace(/^\+/, ''));
}

/** The codes of two digits for each number below 100, to write both at once. */
export const digitPairs: Uint16Array = Uint16Array.from(
  { length: 100 },
  (_, number) => (48 + Math.floor(number / 10)) | ((48 + (number % 10)) << 8),
);

// HOT: once per integer. Bench: "100 rows".
/** Writes a number that is an integer. */
export function writeInteger(number: number, position: number, output: OutputBuffer): number {
  const small = number | 0;
  if (small !== number || small === -2_147_483_648) return writeShort(`${number}`, position, output);
  if (small < 0) {
    output.bytes[position] = 45;
    return writeDigits(-small, position + 1, output);
  }
  return writeDigits(small, position, output);
}

/** Writes a number from 0 to 2³¹ - 1. */
function writeDigits(number: number, position: number, output: OutputBuffer): number {
  const { view } = output;
  const end = position + countDigits(number);
  let rest = number;
  let next = end;
  while (rest >= 100) {
    const quotient = (rest / 100) | 0;
    next -= 2;
    view.setUint16(next, digitPairs[rest - quotient * 100]!, true);
    rest = quotient;
  }
  if (rest >= 10) view.setUint16(next - 2, digitPairs[rest]!, true);
  else output.bytes[next - 1] = 48 + rest;
  return end;
}

function countDigits(number: number): number {
  if (number < 100_000)
    return number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : number < 10_000 ? 4 : 5;
  if (number < 10_000_000) return number < 1_000_000 ? 6 : 7;
  return number < 100_000_000 ? 8 : number < 1_000_000_000 ? 9 : 10;
}

/** Writes an ASCII text without a check of the position: the text of a number. */
function writeShort(text: string, position: number, output: OutputBuffer): number {
  const { bytes } = output;
  for (let index = 0; index < text.length; index++) bytes[position + index] = text.charCodeAt(index);
  return position + text.length;
}

/** Up to this value, thousandths are written with the digits of an integer below 2³¹. */
const maxWrittenThousandths = 2_147_483_647;

// HOT: once per number. As in `finiteText`, a division proves up to three decimals. Bench: "100 rows".
/** Writes a finite number. */
export function writeFinite(number: number, position: number, output: OutputBuffer): number {
  if ((number | 0) === number) return writeInteger(number, position, output);
  const thousandths = Math.round(Math.abs(number) * 1000);
  if (thousandths > maxWrittenThousandths || thousandths / 1000 !== Math.abs(number))
    return writeLongFraction(number, position, output);
  const { bytes } = output;
  const start = number < 0 ? position + 1 : position;
  if (number < 0) bytes[position] = 45;
  const whole = (thousandths / 1000) | 0;
  const fraction = thousandths - whole * 1000;
  const point = writeDigits(whole, start, output);
  const tenths = (fraction / 100) | 0;
  const hundredths = fraction - tenths * 100;
  bytes[point] = 46;
  bytes[point + 1] = 48 + tenths;
  output.view.setUint16(point + 2, digitPairs[hundredths]!, true);
  if (hundredths === 0) return point + 2;
  return hundredths % 10 === 0 ? point + 3 : point + 4;
}

function writeLongFraction(number: number, position: number, output: OutputBuffer): number {
  output.lostChars += bypassCostChars;
  return writeShort(finiteText(number), position, output);
}
