/** Owns the buffer that generated code writes characters into, and how that becomes text. */
import { Buffer } from 'node:buffer';

/**
 * Most that is written between two looks at the position: names, constants, numbers and dates that stand side by side.
 *
 * Why nothing is written past the end: whatever looks goes on at `flushThreshold` at most. A string that looked may end six times the
 * characters that a loop copies behind that; what follows until the next look takes `reserveBytes` at most, and seven more that a
 * double writes past its characters. All of that is less than what is behind `flushThreshold` (`buffer.test.ts`).
 */
export const reserveBytes = 4096;
/** Bytes of a buffer. */
export const bufferBytes = 65_536;
/** Whatever looks at the position makes room when it is past this one. */
export const flushThreshold: number = bufferBytes - 2 * reserveBytes;

/** Of a text that is only looked through, so much at once. In UTF-8 a character of a string takes three bytes at most. */
const copyChars = 16_384;

/** More was written than there is room for: nothing that was read is missing, but what was written is. */
export class BufferOverrun extends RangeError {}

/** One character a byte, ISO 8859-1 (Latin-1): what is not in it goes around the buffer. */
export class OutputBuffer {
  /** What came before the first byte. */
  text = '';
  /** What was lost to concatenation, as the number of characters that gain as much by being written here. */
  lostChars = 0;
  readonly bytes: Uint8Array;
  /** The same bytes, for several at once. */
  readonly view: DataView;
  readonly #buffer: Buffer;

  constructor() {
    this.#buffer = Buffer.alloc(bufferBytes);
    this.bytes = new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset, bufferBytes);
    this.view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset, bufferBytes);
  }

  /** Writes a text in UTF-8 (RFC 3629): as many bytes as characters only where all are ASCII. */
  write(text: string, position: number): number {
    return this.#buffer.write(text, position);
  }

  /** The bytes before a position. Bytes from there on are of earlier texts, which nobody may see. */
  read(position: number): string {
    if (position > bufferBytes) throw new BufferOverrun('a serializer wrote past its buffer');
    return this.#buffer.toString('latin1', 0, position);
  }

  /** All that was written. */
  finish(position: number): string {
    const last = this.read(position);
    return this.text === '' ? last : this.text + last;
  }
}

/** Whether none of some bytes of ASCII is a quote, a backslash or a control character. Four at a time. */
export function isPlainAscii({ view, bytes }: OutputBuffer, start: number, end: number): boolean {
  // The highest bit of a byte becomes 1 by a subtraction that the byte is too small for, of itself or of its difference to a character.
  let marks = 0;
  let index = start;
  for (; index + 4 <= end; index += 4) {
    const four = view.getInt32(index, true);
    const quotes = four ^ 0x22222222;
    const backslashes = four ^ 0x5c5c5c5c;
    marks |= (four - 0x20202020) | (quotes - 0x01010101) | (backslashes - 0x01010101);
  }
  let special = (marks & 0x80808080) !== 0;
  for (; index < end; index++) special ||= bytes[index]! < 32 || bytes[index] === 34 || bytes[index] === 92;
  return !special;
}

/** Whether a text needs escapes: undefined where it is not all ASCII. Half the time of a pattern. Bench: bench/strings.mjs, "copy". */
export function findSpecial(text: string): boolean | undefined {
  const output = acquireBuffer();
  let found: boolean | undefined = false;
  for (let index = 0; found === false && index < text.length; index += copyChars) {
    const part = text.slice(index, index + copyChars);
    found = output.write(part, 0) === part.length ? !isPlainAscii(output, 0, part.length) : undefined;
  }
  releaseBuffer(output);
  return found;
}

// More than one is in use where a getter or a `toJSON` calls a serializer.
const idle: OutputBuffer[] = [];
const maxIdle = 4;

export function acquireBuffer(): OutputBuffer {
  return idle.pop() ?? new OutputBuffer();
}

export function releaseBuffer(output: OutputBuffer): void {
  output.text = '';
  output.lostChars = 0;
  if (idle.length < maxIdle) idle.push(output);
}

/** Lost by a text that goes around the buffer, and by one that is made only to be copied. Bench: "string-heavy", "tuples". */
export const bypassCostChars = 80;

/** Makes room: the position to go on at. */
export function flush(position: number, output: OutputBuffer): number {
  output.text += output.read(position);
  return 0;
}

/** Longer texts are copied by native code. */
const longText = 32;

/** Writes a text as it is. Like all that says how long it is only when it is there, it leaves room for the next thing. */
export function writeText(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  if (length > longText) {
    // Three bytes for each character at most.
    const hasRoom = position + 3 * length <= flushThreshold;
    const isAscii = hasRoom && output.write(text, position) === length;
    return isAscii ? position + length : writeOutside(text, position, output);
  }
  const { bytes } = output;
  let all = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    all |= code;
    bytes[position + index] = code;
  }
  if (all > 255) return writeOutside(text, position, output);
  return position + length > flushThreshold ? flush(position + length, output) : position + length;
}

/** Writes a text that is too long for the buffer, or not Latin-1. */
export function writeOutside(text: string, position: number, output: OutputBuffer): number {
  output.lostChars += bypassCostChars;
  output.text = output.text + output.read(position) + text;
  return 0;
}
