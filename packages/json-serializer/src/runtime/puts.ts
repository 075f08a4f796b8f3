/** Owns the writing of values into a sink: strings, numbers and dates. Each takes a position and gives the one after it. */
import { strategy } from '../engine.ts';
import { dateTimeText } from './dates.ts';
import { finiteText } from './numbers.ts';
import { detourChars, isPlainAscii, lastStart, putAround, putText, type Sink, spill } from './sink.ts';
import { escapeText, isDirty, stringText } from './strings.ts';

const { copiedChars, copyLoss, areEscapesSlow } = strategy;
/** What cannot be copied as it is: what JSON escapes, and what is no byte. */
const isSpecial = new Uint8Array(65_536).fill(1, 0, 32).fill(1, 256);
isSpecial[34] = 1;
isSpecial[92] = 1;

// HOT: once per string. Bench: "100 rows".
/** What stands between the quotes. */
export function putString(text: string, position: number, sink: Sink): number {
  const { length } = text;
  if (position > lastStart) return putString(text, spill(position, sink), sink);
  if (length < copiedChars) return putByLoop(text, position, sink);
  // Three bytes for each character at most, and six for one that is escaped.
  if (position + 6 * length > lastStart)
    return putAround(isDirty(text) ? escapeText(text) : text, position, sink);
  sink.lostChars += detourChars + length * copyLoss;
  const end = position + sink.write(text, position);
  if (end - position !== length) return putByLoop(text, position, sink);
  return isPlainAscii(sink, position, end) ? end : putEscaped(text, position, sink);
}

// Four characters become one write; looked at together after, since nearly always all are harmless.
function putByLoop(text: string, position: number, sink: Sink): number {
  const { length } = text;
  const { bytes, view } = sink;
  let special = 0;
  let index = 0;
  for (; index + 3 < length; index += 4) {
    const first = text.charCodeAt(index);
    const second = text.charCodeAt(index + 1);
    const third = text.charCodeAt(index + 2);
    const fourth = text.charCodeAt(index + 3);
    special |= isSpecial[first]! | isSpecial[second]! | isSpecial[third]! | isSpecial[fourth]!;
    view.setInt32(position + index, first | (second << 8) | (third << 16) | (fourth << 24), true);
  }
  for (; index < length; index++) {
    const code = text.charCodeAt(index);
    special |= isSpecial[code]!;
    bytes[position + index] = code;
  }
  return special === 0 ? position + length : putEscaped(text, position, sink);
}

/** Codes of the letters of the short escapes (RFC 8259, section 7), by code of what they stand for; `u` for the others. */
const escapeLetters = new Uint8Array(128).fill(117, 0, 32);
for (const [code, letter] of [
  [8, 98],
  [9, 116],
  [10, 110],
  [12, 102],
  [13, 114],
  [34, 34],
  [92, 92],
] as const) {
  escapeLetters[code] = letter;
}
const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

function putEscaped(text: string, position: number, sink: Sink): number {
  if (areEscapesSlow) sink.lostChars += detourChars;
  const { bytes } = sink;
  let end = position;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 255) return putAround(isDirty(text) ? escapeText(text) : text, position, sink);
    const letter = code < 128 ? escapeLetters[code]! : 0;
    if (letter === 0) {
      bytes[end++] = code;
      continue;
    }
    bytes[end] = 92;
    bytes[end + 1] = letter;
    end += 2;
    if (letter !== 117) continue;
    bytes[end] = 48;
    bytes[end + 1] = 48;
    bytes[end + 2] = hexDigits[code >> 4]!;
    bytes[end + 3] = hexDigits[code & 15]!;
    end += 4;
  }
  return end;
}

export function putQuoted(text: string, position: number, sink: Sink): number {
  sink.bytes[position] = 34;
  const end = putString(text, position + 1, sink);
  sink.bytes[end] = 34;
  return end + 1;
}

/** Any value under `type: string`, with its quotes. */
export function putStringValue(value: unknown, position: number, sink: Sink): number {
  return typeof value === 'string'
    ? putQuoted(value, position, sink)
    : putText(stringText(value), position, sink);
}

/** Two digits at once: the codes of both, for each number below 100. */
const digitPairs = Uint16Array.from(
  { length: 100 },
  (_, number) => (48 + Math.floor(number / 10)) | ((48 + (number % 10)) << 8),
);

/** Writes the digits of a number below 2³¹ so that they end at a position. */
function putDigitsBefore(number: number, end: number, sink: Sink): void {
  const { view } = sink;
  let rest = number;
  let position = end;
  while (rest >= 100) {
    const quotient = (rest / 100) | 0;
    position -= 2;
    view.setUint16(position, digitPairs[rest - quotient * 100]!, true);
    rest = quotient;
  }
  if (rest >= 10) view.setUint16(position - 2, digitPairs[rest]!, true);
  else sink.bytes[position - 1] = 48 + rest;
}

function countDigits(number: number): number {
  if (number < 100_000)
    return number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : number < 10_000 ? 4 : 5;
  if (number < 10_000_000) return number < 1_000_000 ? 6 : 7;
  return number < 100_000_000 ? 8 : number < 1_000_000_000 ? 9 : 10;
}

// HOT: once per integer. Bench: "100 rows".
/** A number that is an integer. */
export function putInteger(number: number, position: number, sink: Sink): number {
  const small = number | 0;
  if (small !== number || small === -2_147_483_648) return putShort(`${number}`, position, sink);
  if (small < 0) {
    sink.bytes[position] = 45;
    return putDigits(-small, position + 1, sink);
  }
  return putDigits(small, position, sink);
}

function putDigits(number: number, position: number, sink: Sink): number {
  const end = position + countDigits(number);
  putDigitsBefore(number, end, sink);
  return end;
}

/** A text of ASCII that needs no look at the position: the text of a number. */
function putShort(text: string, position: number, sink: Sink): number {
  const { bytes } = sink;
  for (let index = 0; index < text.length; index++) bytes[position + index] = text.charCodeAt(index);
  return position + text.length;
}

/** Up to here thousandths are written by the digits of an integer below 2³¹. */
const mostThousandths = 2_147_483_647;

// HOT: once per number. Why a division proves up to three decimals: numbers.ts. Bench: "100 rows".
/** A finite number. */
export function putFinite(number: number, position: number, sink: Sink): number {
  if ((number | 0) === number) return putInteger(number, position, sink);
  const thousandths = Math.round(Math.abs(number) * 1000);
  if (thousandths > mostThousandths || thousandths / 1000 !== Math.abs(number))
    return putLongFraction(number, position, sink);
  const { bytes } = sink;
  const start = number < 0 ? position + 1 : position;
  if (number < 0) bytes[position] = 45;
  const whole = (thousandths / 1000) | 0;
  const fraction = thousandths - whole * 1000;
  const point = putDigits(whole, start, sink);
  const tenths = (fraction / 100) | 0;
  const hundredths = fraction - tenths * 100;
  bytes[point] = 46;
  bytes[point + 1] = 48 + tenths;
  sink.view.setUint16(point + 2, digitPairs[hundredths]!, true);
  if (hundredths === 0) return point + 2;
  return hundredths % 10 === 0 ? point + 3 : point + 4;
}

function putLongFraction(number: number, position: number, sink: Sink): number {
  sink.lostChars += detourChars;
  return putShort(finiteText(number), position, sink);
}

const dayMs = 86_400_000;
// The range that ISO 8601 writes with four digits of year: 0000-01-01 to 9999-12-31.
const firstMs = -62_167_219_200_000;
const lastMs = 253_402_300_799_999;

// HOT: once per Date. Bench: "100 rows with dates".
/** Any value under the format date-time, with its quotes. */
export function putDateTime(value: unknown, position: number, sink: Sink): number {
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (!(ms >= firstMs && ms <= lastMs)) {
    return typeof value === 'string'
      ? putQuoted(value, position, sink)
      : putText(dateTimeText(value), position, sink);
  }
  const { bytes, view } = sink;
  const day = Math.floor(ms / dayMs);
  const time = ms - day * dayMs;
  const seconds = (time / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  const millis = time - seconds * 1000;
  bytes[position] = 34;
  putDate(day, position + 1, sink);
  bytes[position + 11] = 84;
  view.setUint16(position + 12, digitPairs[hours]!, true);
  bytes[position + 14] = 58;
  view.setUint16(position + 15, digitPairs[minutes - hours * 60]!, true);
  bytes[position + 17] = 58;
  view.setUint16(position + 18, digitPairs[seconds - minutes * 60]!, true);
  bytes[position + 20] = 46;
  const tenths = (millis / 100) | 0;
  bytes[position + 21] = 48 + tenths;
  view.setUint16(position + 22, digitPairs[millis - tenths * 100]!, true);
  bytes[position + 24] = 90;
  bytes[position + 25] = 34;
  return position + 26;
}

/** Days from 0000-03-01 to 1970-01-01, and in 400 and in 100 years that begin in March, so that a leap day is the last one. */
const daysBeforeEpoch = 719_468;
const daysIn400Years = 146_097;

/** `2024-05-06` of a number of days since 1970-01-01, by the proleptic Gregorian calendar that Date has (ECMA-262, 21.4.1). */
function putDate(day: number, position: number, sink: Sink): void {
  const { bytes, view } = sink;
  // Years begin in March here: 153 days are five months from there on.
  const shifted = day + daysBeforeEpoch + daysIn400Years;
  const era = (shifted / daysIn400Years) | 0;
  const dayOfEra = shifted - era * daysIn400Years;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const marchMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0);
  const century = (year / 100) | 0;
  view.setUint16(position, digitPairs[century]!, true);
  view.setUint16(position + 2, digitPairs[year - century * 100]!, true);
  bytes[position + 4] = 45;
  view.setUint16(position + 5, digitPairs[month]!, true);
  bytes[position + 7] = 45;
  view.setUint16(position + 8, digitPairs[dayOfYear - (((153 * marchMonth + 2) / 5) | 0) + 1]!, true);
}
