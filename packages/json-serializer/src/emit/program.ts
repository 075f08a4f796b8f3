/** The generated program: it collects functions for shapes and constants, and compiles all of them to one function. */
import type { Strategy } from '../engine.ts';
import { bufferNames, commonNames, type Runtime } from '../runtime/runtime.ts';
import type { ObjectShape, Shape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';
import { emitBufferWriter } from './buffer/buffer-writer.ts';
import { isProjectable } from './copy/projectable.ts';
import { emitProjection } from './copy/projection.ts';
import type { BufferedShape, Emitter } from './emitter.ts';
import { maxVariables } from './properties.ts';
import { emitArray } from './text/array.ts';
import { emitChoice } from './text/choice.ts';
import { writeLeaf } from './text/leaf.ts';
import { emitAppender, emitObject } from './text/object.ts';
import { emitOneByOne } from './text/one-by-one.ts';
import { emitTuple } from './text/tuple.ts';

/** A value that generated code refers to by name. */
type Constant =
  /** The value, and an expression for it in standalone code. */
  | { readonly value: unknown; readonly code: string }
  /** A test of a branch. It has no code, because it is created from the schema. */
  | { readonly predicate: Predicate };

export class Program implements Emitter {
  readonly strategy: Strategy;
  readonly #isForLater: boolean;
  readonly #functions: string[] = [];
  readonly #constants: Constant[] = [];
  readonly #names = new Set<string>();
  /** Functions that have a name but are not emitted yet. */
  readonly #pending: (() => void)[] = [];
  #runtimeNames = commonNames;
  readonly #projectable = new Map<Shape, boolean>();

  /** @param isForLater Whether the code runs only some time after it is linked. Then V8 need not compile it at once. */
  constructor(strategy: Strategy, isForLater = false) {
    this.strategy = strategy;
    this.#isForLater = isForLater;
  }

  writer(shape: Shape): string {
    return this.#function(`w${shape.number}`, (name) => this.#declare(name, emitWriter(this, name, shape)));
  }

  appender(shape: ObjectShape): string {
    return this.#function(`x${shape.number}`, (name) => this.#declare(name, emitAppender(this, name, shape)));
  }

  bufferWriter(shape: BufferedShape): string {
    this.#runtimeNames = bufferNames;
    return this.#function(`b${shape.number}`, (name) =>
      this.#declare(name, emitBufferWriter(this, name, shape)),
    );
  }

  projector(shape: Shape): string {
    return this.#function(`p${shape.number}`, (name) =>
      this.#declare(name, emitProjection(this, name, shape)),
    );
  }

  json(text: string): string {
    // Parsed from text, because `__proto__` in a literal would set the prototype.
    return this.#constant({ value: JSON.parse(text), code: `JSON.parse(${JSON.stringify(text)})` });
  }

  nameSet(names: readonly string[]): string {
    return this.#constant({ value: new Set(names), code: `new Set(${JSON.stringify(names)})` });
  }

  pattern(pattern: RegExp): string {
    const { source, flags } = pattern;
    const code = `new RegExp(${JSON.stringify(source)},${JSON.stringify(flags)})`;
    return this.#constant({ value: pattern, code });
  }

  predicate(predicate: Predicate): string {
    return this.#constant({ predicate });
  }

  #constant(constant: Constant): string {
    return `c${this.#constants.push(constant) - 1}`;
  }

  addFunction(name: string, emit: () => string): void {
    this.#function(name, emit);
  }

  addVariable(name: string, value: string): void {
    this.#function(name, () => `let ${name}=${value};`);
  }

  isProjectable(shape: Shape): boolean {
    return isProjectable(shape, this.#projectable);
  }

  /** Creates the function with this name, and passes the runtime to it. */
  link(main: string, runtime: Runtime): unknown {
    this.#emitPending();
    // One parameter for all constants, because there may be more than a function can have parameters.
    const constants = this.#constants.map((_, index) => `const c${index}=constants[${index}];\n`).join('');
    const source = `'use strict';\n${constants}${this.#functions.join('\n')}\nreturn ${main};`;
    const build = new Function(...this.#runtimeNames, 'constants', source);
    const values = this.#constants.map((each) => ('code' in each ? each.value : each.predicate));
    return build(...this.#runtimeNames.map((name) => runtime[name]), values);
  }

  /**
   * The program as an expression for a function that gets the runtime and returns the writer.
   *
   * @param numberOf Returns the number of a test of a branch, for a program that is linked later.
   */
  toSource(main: string, numberOf: (predicate: Predicate) => number): string {
    this.#emitPending();
    const body = this.#functions.join('\n');
    const words = new Set(body.match(/\w+/g));
    const names = this.#runtimeNames.filter((name) => words.has(name));
    const constants = this.#constants.map(
      (each, index) =>
        `const c${index}=${'code' in each ? each.code : `predicate(${numberOf(each.predicate)})`};\n`,
    );
    return `(runtime,predicate)=>{'use strict';
const {${names.join(',')}}=runtime;
${constants.join('')}${body}
return ${main};}`;
  }

  /** In parentheses, V8 compiles a function together with the code around it, instead of reading it again at its first call. */
  #declare(name: string, source: string): string {
    return this.#isForLater ? source : `const ${name}=(${source});`;
  }

  #function(name: string, emit: (name: string) => string): string {
    if (!this.#names.has(name)) {
      this.#names.add(name);
      this.#pending.push(() => this.#functions.push(emit(name)));
    }
    return name;
  }

  /** Emits one function after the other. Each may request more functions. So deep schemas need no deep stack, and recursive schemas end. */
  #emitPending(): void {
    for (const emit of this.#pending) emit();
    this.#pending.length = 0;
  }
}

function emitWriter(emitter: Emitter, name: string, shape: Shape): string {
  switch (shape.kind) {
    case 'object':
      if (shape.properties.length > maxVariables) return emitOneByOne(emitter, name, shape);
      return emitObject(emitter, name, shape);
    case 'conditional':
      return emitOneByOne(emitter, name, shape);
    case 'array':
      return emitArray(emitter, name, shape);
    case 'tuple':
      return emitTuple(emitter, name, shape);
    case 'choice':
      return emitChoice(emitter, name, shape);
    case 'any':
      // Only the root gets here: inside, a value without a text is left out or becomes null.
      return `function ${name}(v){return anyText(v)??failUndefined();}`;
    default:
      return `function ${name}(v){return ${writeLeaf(emitter, shape, 'v')}}`;
  }
}
