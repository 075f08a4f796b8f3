/** Owns the writing of whole values through a sink, and the decision to go without one. */
import { giveBack, type Sink, takeSink } from './sink.ts';

/** Makes the text of a value. */
export type Writer = (value: unknown) => string;

/** Writes a value into a sink: the position after it. */
export type Putter = (value: unknown, position: number, sink: Sink) => number;

/** How many values are concatenated first: code for a sink is more to compile, which pays only where many follow. */
const firstValues = 16;
/** How many are after one that lost by the sink, since the next ones are likely to be like it: longer each time. */
const firstPause = 256;
const longestPause = 65_536;

/**
 * A writer that concatenates for as long as that is faster, and goes through a sink for the rest. What is slower there depends on the
 * values: long strings, or ones that are not Latin-1.
 */
export function throughSink(concatenate: Writer, makePut: () => Putter): Writer {
  let put: Putter | undefined;
  let pause = firstValues;
  let nextPause = firstPause;
  return (value) => {
    if (pause > 0) {
      pause--;
      return concatenate(value);
    }
    put ??= makePut();
    const sink = takeSink();
    try {
      const text = sink.finish(put(value, 0, sink));
      if (sink.lostChars > text.length) rest();
      else nextPause = firstPause;
      return text;
    } catch (error) {
      // Concatenation takes less stack: what it can write is written.
      if (!(error instanceof RangeError)) throw error;
      rest();
      return concatenate(value);
    } finally {
      giveBack(sink);
    }
  };

  function rest(): void {
    pause = nextPause;
    nextPause = Math.min(4 * nextPause, longestPause);
  }
}
