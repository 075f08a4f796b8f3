/** Owns the generated program: functions per shape, constants, and turning it all into a function. */
import type { Strategy } from '../engine.ts';
import type { Rounding } from '../runtime/numbers.ts';
import type { Shape } from '../shape/shape.ts';
import { emitArray } from './array.ts';
import { emitChoice } from './choice.ts';
import { writeLeaf } from './leaf.ts';
import { isProjectable } from './native.ts';
import { emitObject } from './object.ts';
import { emitProjection } from './projection.ts';
import { createRuntime, runtimeNames } from './runtime.ts';
import { emitTuple } from './tuple.ts';

export type Writer = (value: unknown) => string;

export class Emitter {
  readonly strategy: Strategy;
  readonly #functions: string[] = [];
  readonly #constants: unknown[] = [];
  readonly #names = new Map<string, string>();
  readonly #projectable = new Map<Shape, boolean>();

  constructor(strategy: Strategy) {
    this.strategy = strategy;
  }

  /** Name of the function that writes a value of the shape: value in, text out. */
  writer(shape: Shape): string {
    return this.#function(`w${shape.number}`, (name) => emitWriter(this, name, shape));
  }

  /** Name of the function that copies what the shape declares, for native serialization. */
  projector(shape: Shape): string {
    return this.#function(`p${shape.number}`, (name) => emitProjection(this, name, shape));
  }

  /** Name of a constant of the program. */
  constant(value: unknown): string {
    return `c${this.#constants.push(value) - 1}`;
  }

  addFunction(source: string): void {
    this.#functions.push(source);
  }

  isProjectable(shape: Shape): boolean {
    return isProjectable(shape, this.#projectable);
  }

  link(main: string, rounding: Rounding): Writer {
    const constants = this.#constants.map((_, index) => `c${index}`);
    const source = `'use strict';\n${this.#functions.join('\n')}\nreturn ${main};`;
    const build = new Function(...runtimeNames, ...constants, source);
    return build(...createRuntime(rounding), ...this.#constants) as Writer;
  }

  #function(name: string, emit: (name: string) => string): string {
    if (!this.#names.has(name)) {
      // Known before it is emitted: recursive shapes call themselves.
      this.#names.set(name, name);
      this.#functions.push(emit(name));
    }
    return name;
  }
}

function emitWriter(emitter: Emitter, name: string, shape: Shape): string {
  switch (shape.kind) {
    case 'object':
      return emitObject(emitter, name, shape);
    case 'array':
      return emitArray(emitter, name, shape);
    case 'tuple':
      return emitTuple(emitter, name, shape);
    case 'choice':
      return emitChoice(emitter, name, shape);
    case 'any':
      // Only the root comes here: inside, a value without a text is left out, or null.
      return `function ${name}(v){return anyText(v)??failUndefined();}`;
    default:
      return `function ${name}(v){return ${writeLeaf(emitter, shape, 'v')}}`;
  }
}
