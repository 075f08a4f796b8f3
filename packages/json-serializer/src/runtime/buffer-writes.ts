/** Owns the writing of whole values through a buffer, and the decision to go without one. */
import { acquireBuffer, BufferOverrun, type OutputBuffer, releaseBuffer } from './output-buffer.ts';
import { isStackOverflow } from './stack-overflow.ts';

/** Makes the text of a value. */
export type Writer = (value: unknown) => string;

/** Writes a value into a buffer: the position after it. */
export type BufferWriter = (value: unknown, position: number, output: OutputBuffer) => number;

/** How many values are concatenated first: code for a buffer is more to compile, which pays only where many follow. */
const firstValues = 16;
/** How many are after one that lost by the output, since the next ones are likely to be like it: longer each time. */
const firstPause = 256;
const longestPause = 65_536;

/**
 * A writer that concatenates for as long as that is faster, and goes through a buffer for the rest. What is slower there depends on the
 * values: long strings, or ones that are not Latin-1.
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
      if (output.lostChars > text.length) rest();
      else nextPause = firstPause;
      return text;
    } catch (error) {
      // Concatenation takes less stack, and no buffer. Whatever else failed would fail again, with its getters run twice.
      if (!isStackOverflow(error) && !(error instanceof BufferOverrun)) throw error;
      rest();
      return concatenate(value);
    } finally {
      releaseBuffer(output);
    }
  };

  function rest(): void {
    pause = nextPause;
    nextPause = Math.min(4 * nextPause, longestPause);
  }
}
