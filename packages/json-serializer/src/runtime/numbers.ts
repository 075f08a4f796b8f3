/** Owns the text of numbers: coercion, rounding of integers, bigint, and what JSON cannot hold. */
import { SerializationError } from '../errors.ts';
import { describe } from './describe.ts';

/** How a fraction becomes an integer. */
export type Rounding = 'ceil' | 'floor' | 'round' | 'trunc';

export const roundings: readonly Rounding[] = ['ceil', 'floor', 'round', 'trunc'];

export function toNumber(value: unknown): number {
  const number = typeof value === 'symbol' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new SerializationError(`The value ${describe(value)} cannot be converted to a number.`);
  }
  return number;
}

/** JSON has no infinity: it is written as `null`, as `JSON.stringify` does. */
export function numberText(value: unknown): string {
  const number = toNumber(value);
  return Number.isFinite(number) ? `${number}` : 'null';
}

export function toInteger(value: unknown, rounding: Rounding): number | bigint {
  if (Number.isInteger(value) || typeof value === 'bigint') return value as number | bigint;
  const integer = typeof value === 'symbol' ? Number.NaN : Math[rounding](value as number);
  if (!Number.isFinite(integer)) {
    throw new SerializationError(`The value ${describe(value)} cannot be converted to an integer.`);
  }
  return integer;
}
