/** What the emitters of single shapes need of the program that they write for. Names are those of generated code. */
import type { Strategy } from '../engine.ts';
import type { Shape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';

export interface Emitter {
  readonly strategy: Strategy;
  /** Name of the function that writes a value of the shape: value in, text out. */
  writer(shape: Shape): string;
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
  addFunction(source: string): void;
  /** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
  isProjectable(shape: Shape): boolean;
}
