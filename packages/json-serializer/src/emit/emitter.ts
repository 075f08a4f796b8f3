/** Declares what the emitters of single shapes need from the program for which they generate code. Names are those of generated code. */
import type { Strategy } from '../engine.ts';
import type { ArrayShape, ChoiceShape, ObjectShape, Shape, TupleShape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';

/** Shapes that are written into a buffer piece by piece. */
export type BufferedShape = ObjectShape | ArrayShape | TupleShape | ChoiceShape;

export interface Emitter {
  readonly strategy: Strategy;
  /** The name of the function that writes a value of the shape. It gets a value and returns the text. */
  writer(shape: Shape): string;
  /**
   * The name of the function that appends an object to a text. It gets the value, the text, and whether a comma is
   * needed, and returns the longer text.
   */
  appender(shape: ObjectShape): string;
  /**
   * The name of the function that writes a value of the shape into a buffer. It gets value, position and buffer, and
   * returns the next position.
   */
  bufferWriter(shape: BufferedShape): string;
  /** The name of the function that copies what the shape declares, for native serialization. */
  projector(shape: Shape): string;
  /** The name of a JSON value. */
  json(text: string): string;
  /** The name of a set of property names. */
  nameSet(names: readonly string[]): string;
  /** The name of a regular expression. */
  pattern(pattern: RegExp): string;
  /** The name of a test of a branch. */
  predicate(predicate: Predicate): string;
  /** A function that others call. It is created once, even if it is requested several times. */
  addFunction(name: string, emit: () => string): void;
  /** A variable that keeps its value between calls. The writer and the copy of a shape share it. */
  addVariable(name: string, value: string): void;
  /** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
  isProjectable(shape: Shape): boolean;
}
