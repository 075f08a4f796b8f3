/** Writes numbers into a buffer, digit by digit. Each function gets a position and returns the one after its text. */
import { finiteText } from './numbers.ts';
import { bypassCostChars, type OutputBuffer } from './output-buffer.ts';

/** The codes of two digits for each number below 100, to write both at once. */
export const digitPairs: Uint16Array = Uint16Array.from(
  { length: 100 },
  (_, number) => (48 + Math.floor(number / 10)) | ((48 + (number % 10)) << 8),
);

/** Writes the digits of a number below 2³¹ so that they end at a position. */
function writeDigitsBefore(number: number, end: number, output: OutputBuffer): void {
  const { view } = output;
  let rest = number;
  let position = end;
  while (rest >= 100) {
    const quotient = (rest / 100) | 0;
    position -= 2;
    view.setUint16(position, digitPairs[rest - quotient * 100]!, true);
    rest = quotient;
  }
  if (rest >= 10) view.setUint16(position - 2, digitPairs[rest]!, true);
  else output.bytes[position - 1] = 48 + rest;
}

function countDigits(number: number): number {
  if (number < 100_000)
    return number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : number < 10_000 ? 4 : 5;
  if (number < 10_000_000) return number < 1_000_000 ? 6 : 7;
  return number < 100_000_000 ? 8 : number < 1_000_000_000 ? 9 : 10;
}

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

function writeDigits(number: number, position: number, output: OutputBuffer): number {
  const end = position + countDigits(number);
  writeDigitsBefore(number, end, output);
  return end;
}

/** Writes an ASCII text without a check of the position: the text of a number. */
function writeShort(text: string, position: number, output: OutputBuffer): number {
  const { bytes } = output;
  for (let index = 0; index < text.length; index++) bytes[position + index] = text.charCodeAt(index);
  return position + text.length;
}

/** Up to this value, thousandths are written with the digits of an integer below 2³¹. */
const maxThousandths = 2_147_483_647;

// HOT: once per number. numbers.ts explains why a division proves up to three decimals. Bench: "100 rows".
/** Writes a finite number. */
export function writeFinite(number: number, position: number, output: OutputBuffer): number {
  if ((number | 0) === number) return writeInteger(number, position, output);
  const thousandths = Math.round(Math.abs(number) * 1000);
  if (thousandths > maxThousandths || thousandths / 1000 !== Math.abs(number))
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
