/** The generated program: it collects functions for shapes and constants, and compiles all of them to one function. */
import type { Strategy } from '../engine.ts';
import { type Runtime, runtimeNames } from '../runtime/runtime.ts';
import type { ObjectShape, Shape } from '../shape/shape.ts';
import type { Predicate } from '../shape/test.ts';
import type { Validators } from '../validate/validators.ts';
import { emitArray, emitTuple } from './array.ts';
import { type BufferedShape, emitBufferWriter } from './buffer.ts';
import { writeLeaf } from './leaf.ts';
import { appended, emitObject, emitOneByOne } from './object.ts';
import { emitProjection } from './projection.ts';
import { maxVariables } from './properties.ts';
import { emitBranches } from './test-code.ts';

/** A value that generated code refers to by name. */
type Constant =
  /** The value, and an expression for it in standalone code. */
  | { readonly value: unknown; readonly code: string }
  /** A test of a branch. It has no code, because it is created from the schema. */
  | { readonly predicate: Predicate };

/** Its methods return names in the generated code. What a name stands for is emitted once, even if it is requested several times. */
export class Program {
  readonly strategy: Strategy;
  /** The answers of `isProjectable`. */
  readonly projectable: Map<Shape, boolean> = new Map();
  readonly #isForLater: boolean;
  readonly #functions: string[] = [];
  readonly #constants: Constant[] = [];
  readonly #names = new Set<string>();
  /** Functions that have a name but are not emitted yet. */
  readonly #pending: (() => void)[] = [];

  /** @param isForLater Whether the code runs only some time after it is linked. Then V8 need not compile it at once. */
  constructor(strategy: Strategy, isForLater = false) {
    this.strategy = strategy;
    this.#isForLater = isForLater;
  }

  /** A function of a value that returns its text. */
  writer(shape: Shape): string {
    return this.#declare(`w${shape.number}`, (name) => emitWriter(this, name, shape));
  }

  /** A function that appends an object to a text: of the value, the text, and whether a comma is needed. It returns the longer text. */
  appender(shape: ObjectShape): string {
    return this.#declare(`x${shape.number}`, (name) => emitObject(this, name, shape, appended));
  }

  /** A function of a value, a position and a buffer that writes the value there, and returns the next position. */
  bufferWriter(shape: BufferedShape): string {
    return this.#declare(`b${shape.number}`, (name) => emitBufferWriter(this, name, shape));
  }

  /** A function that copies what the shape declares, for native serialization. */
  projector(shape: Shape): string {
    return this.#declare(`p${shape.number}`, (name) => emitProjection(this, name, shape));
  }

  /** A JSON value. */
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

  /** A variable that keeps its value between calls. The writer and the copy of a shape share it. */
  addVariable(name: string, value: string): void {
    this.addFunction(name, () => `let ${name}=${value};`);
  }

  addFunction(name: string, emit: () => string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#pending.push(() => this.#functions.push(emit()));
  }

  /** In parentheses, V8 compiles a function together with the code around it, instead of reading it again at its first call. */
  #declare(name: string, emit: (name: string) => string): string {
    this.addFunction(name, () => (this.#isForLater ? emit(name) : `const ${name}=(${emit(name)});`));
    return name;
  }

  /** Creates the function with this name, and passes the runtime to it. */
  link(main: string, runtime: Runtime): unknown {
    this.#emitPending();
    // One parameter for all constants, because there may be more than a function can have parameters.
    const constants = this.#constants.map((_, index) => `const c${index}=constants[${index}];\n`).join('');
    const source = `'use strict';\n${constants}${this.#functions.join('\n')}\nreturn ${main};`;
    const build = new Function(...runtimeNames, 'constants', source);
    const values = this.#constants.map((each) => ('code' in each ? each.value : each.predicate));
    return build(...runtimeNames.map((name) => runtime[name]), values);
  }

  /**
   * The program as an expression for a function that gets the runtime and returns the writer.
   *
   * @param validators Those of the reading of the schema, which number the tests of branches.
   */
  toSource(main: string, validators: Validators): string {
    this.#emitPending();
    const body = this.#functions.join('\n');
    const words = new Set(body.match(/\w+/g));
    const names = runtimeNames.filter((name) => words.has(name));
    const constants = this.#constants.map((each, index) => {
      const code = 'code' in each ? each.code : `predicate(${validators.numberOf(each.predicate)})`;
      return `const c${index}=${code};\n`;
    });
    return `(runtime,predicate)=>{'use strict';
const {${names.join(',')}}=runtime;
${constants.join('')}${body}
return ${main};}`;
  }

  /** Emits one function after the other. Each may request more functions. So deep schemas need no deep stack, and recursive schemas end. */
  #emitPending(): void {
    for (const emit of this.#pending) emit();
    this.#pending.length = 0;
  }
}

function emitWriter(program: Program, name: string, shape: Shape): string {
  switch (shape.kind) {
    case 'object':
      if (shape.properties.length > maxVariables) return emitOneByOne(program, name, shape);
      return emitObject(program, name, shape);
    case 'conditional':
      return emitOneByOne(program, name, shape);
    case 'array':
      return emitArray(program, name, shape);
    case 'tuple':
      return emitTuple(program, name, shape);
    case 'choice': {
      const whenNull = shape.nullable ? `if(v===null)return 'null';\n` : '';
      return `function ${name}(v){
${whenNull}${emitBranches(program, shape, (branch) => writeLeaf(program, branch, 'v'))}}`;
    }
    case 'any':
      // Only the root gets here: inside, a value without a text is left out or becomes null.
      return `function ${name}(v){return anyText(v)??failUndefined();}`;
    default:
      return `function ${name}(v){return ${writeLeaf(program, shape, 'v')}}`;
  }
}
