/** The keyword `multipleOf`, for this package and for validators: they must agree on which values match. */

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
