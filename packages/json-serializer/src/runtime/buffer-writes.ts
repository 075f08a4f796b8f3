/** Writes whole values through a buffer, and decides when not to use the buffer for a while. */
import { acquireBuffer, BufferOverrun, type OutputBuffer, releaseBuffer } from './output-buffer.ts';
import { isStackOverflow } from './stack-overflow.ts';

/** Returns the text of a value. */
export type Writer = (value: unknown) => string;

/** Writes a value into a buffer. Returns the position after it. */
export type BufferWriter = (value: unknown, position: number, output: OutputBuffer) => number;

/** How many values are concatenated first. The code for a buffer takes longer to compile, which pays only if many values follow. */
const firstValues = 16;
/**
 * How many values are concatenated after a value for which the buffer was slower, because the next ones are probably
 * similar. The pause grows each time.
 */
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
      // Concatenation needs less stack, and no buffer. Every other error would occur again, after getters had run
      // twice.
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
