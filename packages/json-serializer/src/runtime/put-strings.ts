/** Owns the writing of strings into a sink. Each function takes a position and gives the one after what it wrote. */
import { strategy } from '../engine.ts';
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
  if (position + 6 * length > lastStart) return putElsewhere(text, position, sink);
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

function putElsewhere(text: string, position: number, sink: Sink): number {
  return putAround(isDirty(text) ? escapeText(text) : text, position, sink);
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
    if (code > 255) return putElsewhere(text, position, sink);
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
