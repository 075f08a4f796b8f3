/** Writes strings into a buffer. Each function gets a position and returns the one after its text. */
import { strategy } from '../engine.ts';
import {
  bypassCostChars,
  flush,
  flushThreshold,
  isPlainAscii,
  type OutputBuffer,
  writeOutside,
  writeText,
} from './output-buffer.ts';
import { escapeText, needsEscape, stringText } from './strings.ts';

const { copiedChars } = strategy;
/** Characters that cannot be copied unchanged: those that JSON escapes, and those that do not fit into a byte. */
const isSpecial = new Uint8Array(65_536).fill(1, 0, 32).fill(1, 256);
isSpecial[34] = 1;
isSpecial[92] = 1;

// HOT: once per string. Bench: "100 rows".
/** Writes the text between the quotes. */
export function writeString(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  if (position > flushThreshold) return writeString(text, flush(position, output), output);
  if (length < copiedChars) return writeByLoop(text, position, output);
  // At most three bytes for each character, and six for one that is escaped.
  if (position + 6 * length > flushThreshold) return writeEscapedOutside(text, position, output);
  output.lostChars += bypassCostChars;
  const end = position + output.write(text, position);
  if (end - position !== length) return writeByLoop(text, position, output);
  return isPlainAscii(output, position, end) ? end : writeEscaped(text, position, output);
}

// Four characters are one write. They are checked together afterwards, because nearly always none needs an escape.
function writeByLoop(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  const { bytes, view } = output;
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
  return special === 0 ? position + length : writeEscaped(text, position, output);
}

function writeEscapedOutside(text: string, position: number, output: OutputBuffer): number {
  return writeOutside(needsEscape(text) ? escapeText(text) : text, position, output);
}

/** The letters of the short escapes (RFC 8259, section 7), by the code of the escaped character; `u` for all others. */
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

function writeEscaped(text: string, position: number, output: OutputBuffer): number {
  output.lostChars += bypassCostChars;
  const { bytes } = output;
  let end = position;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 255) return writeEscapedOutside(text, position, output);
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

export function writeQuoted(text: string, position: number, output: OutputBuffer): number {
  output.bytes[position] = 34;
  const end = writeString(text, position + 1, output);
  output.bytes[end] = 34;
  return end + 1;
}

/** Writes any value under `type: string`, with its quotes. */
export function writeStringValue(value: unknown, position: number, output: OutputBuffer): number {
  return typeof value === 'string'
    ? writeQuoted(value, position, output)
    : writeText(stringText(value), position, output);
}
