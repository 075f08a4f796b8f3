/** Owns the choice between writing into a sink and concatenating, and what is made of a shape in each case: a function, or its code. */
import type { Strategy } from '../engine.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Putter, throughSink, type Writer } from '../runtime/through-sink.ts';
import type { Shape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';
import { isPutter } from './bytes/put-leaf.ts';
import type { PutterShape } from './emitter.ts';
import { Program } from './program.ts';
import { weigh } from './weight.ts';

/** @param isWhole Whether all code is generated now, not what only pays later when it does. */
export function makeWriter(shape: Shape, strategy: Strategy, runtime: Runtime, isWhole: boolean): Writer {
  const program = new Program(strategy);
  const concatenate = program.link(program.writer(shape), runtime) as Writer;
  if (!isPutFaster(shape, strategy)) return concatenate;
  const makePut = () => {
    const putting = new Program(strategy, isWhole);
    return putting.link(putting.putter(shape), runtime) as Putter;
  };
  if (!isWhole) return throughSink(concatenate, makePut);
  const put = makePut();
  return throughSink(concatenate, () => put);
}

/**
 * The same as an expression for a function that takes the runtime and gives the writer.
 *
 * @param numberOf The number by which a test of a branch is asked for, where the code is linked.
 */
export function writeSource(
  shape: Shape,
  strategy: Strategy,
  numberOf: (predicate: Predicate) => number,
): string {
  const program = new Program(strategy);
  const concatenating = program.toSource(program.writer(shape), numberOf);
  if (!isPutFaster(shape, strategy)) return concatenating;
  const putting = new Program(strategy, true);
  const put = putting.toSource(putting.putter(shape), numberOf);
  return `(runtime,predicate)=>runtime.throughSink((${concatenating})(runtime,predicate),
()=>(${put})(runtime,predicate))`;
}

/** There must be enough to write to pay for taking the text out of the sink. */
function isPutFaster(shape: Shape, { putValues, putStringShare }: Strategy): shape is PutterShape {
  if (!isPutter(shape)) return false;
  const { values, strings, dates, objects } = weigh(shape);
  return values + 2 * dates >= putValues && strings - objects / 2 <= values * putStringShare;
}
