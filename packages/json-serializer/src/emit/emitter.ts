/** What the emitters of single shapes need of the program that they write for. Names are those of generated code. */
import type { Strategy } from '../engine.ts';
import type { ArrayShape, ChoiceShape, ObjectShape, Shape, TupleShape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';

/** What is written into a buffer piece by piece. */
export type BufferedShape = ObjectShape | ArrayShape | TupleShape | ChoiceShape;

export interface Emitter {
  readonly strategy: Strategy;
  /** Name of the function that writes a value of the shape: value in, text out. */
  writer(shape: Shape): string;
  /** Name of the function that writes an object after a text: value, text, and whether a comma is due in; the longer text out. */
  appender(shape: ObjectShape): string;
  /** Name of the function that writes a value of the shape into a buffer: value, position and output in, the next position out. */
  bufferWriter(shape: BufferedShape): string;
  /** Name of the function that copies what the shape declares, for native serialization. */
  projector(shape: Shape): string;
  /** Name of a value of JSON. */
  json(text: string): string;
  /** Name of a set of property names. */
  nameSet(names: readonly string[]): string;
  /** Name of a regular expression. */
  pattern(pattern: RegExp): string;
  /** Name of a test of a branch. */
  predicate(predicate: Predicate): string;
  /** A function that others call: made once, however often it is asked for. */
  addFunction(name: string, emit: () => string): void;
  /** A variable that outlives a call. The writer and the copy of a shape share it. */
  addVariable(name: string, value: string): void;
  /** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
  isProjectable(shape: Shape): boolean;
}
