/** The buffer into which generated code writes characters: when it is used, its conversion to text, and texts that are copied into it. */
import { Buffer } from 'node:buffer';
import { isStackOverflow } from '../errors.ts';

type Writer = (value: unknown) => string;

/** Writes a value into a buffer. Returns the position after it. */
export type BufferWriter = (value: unknown, position: number, output: OutputBuffer) => number;

/** How many values are concatenated first. The code for a buffer takes longer to compile, which pays only if many values follow. */
const firstValues = 16;
/** How many follow a value for which the buffer was slower, because the next ones are probably similar. It grows each time. */
const firstPause = 256;
const longestPause = 65_536;

/**
 * A writer that concatenates while that is faster, and otherwise uses a buffer. Which is faster depends on the values:
 * a buffer is slower for long strings, and for strings that are not Latin-1.
 */
export function bufferWrites(concatenate: Writer, makeBufferWriter: () => BufferWriter): Writer {
  let writeToBuffer: BufferWriter | undefined;
  let pause = firstValues;
  let nextPause = firstPause;
  return (value) => {
    if (pause > 0) {
      pause--;
      return concatenate(value);
    }
    writeToBuffer ??= makeBufferWriter();
    const output = acquireBuffer();
    try {
      const text = output.finish(writeToBuffer(value, 0, output));
      if (output.lostChars > text.length) pauseBuffer();
      else nextPause = firstPause;
      return text;
    } catch (error) {
      // Concatenation needs less stack, and no buffer. Every other error would occur again, after getters had run twice.
      if (!isStackOverflow(error) && !(error instanceof BufferOverrun)) throw error;
      pauseBuffer();
      return concatenate(value);
    } finally {
      releaseBuffer(output);
    }
  };

  function pauseBuffer(): void {
    pause = nextPause;
    nextPause = Math.min(4 * nextPause, longestPause);
  }
}

/**
 * The most bytes that are written between two checks of the position: names, constants, numbers and dates in sequence.
 *
 * No write goes past the end of the buffer. After a check, the position is at most `flushThreshold`. A string that is
 * copied by the loop after its check writes at most six bytes for each character. The pieces until the next check write
 * at most `reserveBytes`, and a double writes at most seven more bytes. Together, this is less than the space after
 * `flushThreshold` (`buffer.test.ts`).
 */
export const reserveBytes = 4096;
export const bufferBytes = 65_536;
/** If a check finds a position after this one, it makes room. */
export const flushThreshold: number = bufferBytes - 2 * reserveBytes;

/** A text that is only checked is copied in parts of this length: in UTF-8, a character takes at most three bytes. */
const copyChars = 16_384;

/** More was written than fits into the buffer. The text is lost, but the value can be written again. */
class BufferOverrun extends RangeError {}

/** A buffer with one byte per character, ISO 8859-1 (Latin-1). Strings with other characters bypass it. */
export class OutputBuffer {
  /** The text before the first byte of the buffer. */
  text = '';
  /** The time that was lost compared with concatenation, in characters: writing this many characters into a buffer saves as much time. */
  lostChars = 0;
  readonly bytes: Uint8Array;
  /** The same bytes, to write several at once. */
  readonly view: DataView;
  readonly #buffer: Buffer;

  constructor() {
    this.#buffer = Buffer.alloc(bufferBytes);
    this.bytes = new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset, bufferBytes);
    this.view = new DataView(this.#buffer.buffer, this.#buffer.byteOffset, bufferBytes);
  }

  /** Writes a text in UTF-8 (RFC 3629). It has as many bytes as characters only if all of them are ASCII. */
  write(text: string, position: number): number {
    return this.#buffer.write(text, position);
  }

  /** The text of the bytes before a position. The bytes after it are from earlier texts, and must not be read. */
  read(position: number): string {
    if (position > bufferBytes) throw new BufferOverrun('a serializer wrote past its buffer');
    return this.#buffer.toString('latin1', 0, position);
  }

  finish(position: number): string {
    const last = this.read(position);
    return this.text === '' ? last : this.text + last;
  }
}

/** Whether some ASCII bytes contain no quote, backslash or control character. Checks four bytes at a time. */
export function isPlainAscii({ view, bytes }: OutputBuffer, start: number, end: number): boolean {
  // A subtraction sets the highest bit of a byte that is below 32, or whose XOR with a quote or a backslash is 0.
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

/**
 * Whether a text needs escapes; undefined if it is not all ASCII. Takes half the time of a regular expression. Bench:
 * bench/strings.mjs, "copy".
 */
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

// More than one is in use if a getter or a `toJSON` calls a serializer.
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

/** Added to `lostChars` for a text that bypasses the buffer, or that is created only to be copied. Bench: "string-heavy", "tuples". */
export const bypassCostChars = 80;

/** Makes room. Returns the position at which writing continues. */
export function flush(position: number, output: OutputBuffer): number {
  output.text += output.read(position);
  return 0;
}

/** Native code copies longer texts. */
const longText = 32;

/** Writes a text without changes. The length is known only at run time, so this makes room for the next piece too. */
export function writeText(text: string, position: number, output: OutputBuffer): number {
  const { length } = text;
  if (length > longText) {
    // At most three bytes for each character.
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

/** Writes a text that is too long for the buffer or not Latin-1. */
export function writeOutside(text: string, position: number, output: OutputBuffer): number {
  output.lostChars += bypassCostChars;
  output.text = output.text + output.read(position) + text;
  return 0;
}
