/** Chooses between writing into a buffer and concatenating, and creates the function for a shape, or its code. */
import type { Strategy } from '../engine.ts';
import { type BufferWriter, bufferWrites, type Writer } from '../runtime/buffer-writes.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Shape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';
import { isBuffered } from './buffer/leaf.ts';
import type { BufferedShape } from './emitter.ts';
import { estimateShape } from './estimate.ts';
import { Program } from './program.ts';

/** @param isComplete Whether all code is generated now, including code that is only useful for later values. */
export function makeWriter(shape: Shape, strategy: Strategy, runtime: Runtime, isComplete: boolean): Writer {
  const program = new Program(strategy);
  const concatenate = program.link(program.writer(shape), runtime) as Writer;
  if (!isBufferFaster(shape, strategy)) return concatenate;
  const makeBufferWriter = () => {
    const buffered = new Program(strategy, isComplete);
    return buffered.link(buffered.bufferWriter(shape), runtime) as BufferWriter;
  };
  if (!isComplete) return bufferWrites(concatenate, makeBufferWriter);
  const writeToBuffer = makeBufferWriter();
  return bufferWrites(concatenate, () => writeToBuffer);
}

/**
 * The same, as an expression for a function that gets the runtime and returns the writer.
 *
 * @param numberOf Returns the number of a test of a branch, for code that is linked later.
 */
export function writeSource(
  shape: Shape,
  strategy: Strategy,
  numberOf: (predicate: Predicate) => number,
): string {
  const program = new Program(strategy);
  const concatenating = program.toSource(program.writer(shape), numberOf);
  if (!isBufferFaster(shape, strategy)) return concatenating;
  const buffered = new Program(strategy, true);
  const writeToBuffer = buffered.toSource(buffered.bufferWriter(shape), numberOf);
  return `(runtime,predicate)=>runtime.bufferWrites((${concatenating})(runtime,predicate),
()=>(${writeToBuffer})(runtime,predicate))`;
}

/** The output must be large enough to pay for taking the text out of the buffer. */
function isBufferFaster(
  shape: Shape,
  { bufferMinValues, bufferMaxStringShare }: Strategy,
): shape is BufferedShape {
  if (!isBuffered(shape)) return false;
  const { values, strings, dates, objects } = estimateShape(shape);
  return values + 2 * dates >= bufferMinValues && strings - objects / 2 <= values * bufferMaxStringShare;
}
