/** Generates the code for values inside a larger text: the fast path, its condition, and the path for all other values. */
import type { ChoiceShape, DateFormat, Shape } from '../shape/shape.ts';
import { type Chunk, code, literal } from './chunks.ts';
import type { Program } from './program.ts';

export interface Leaf {
  /** The condition for the fast path; undefined if the value only has to be present. */
  readonly guard: string | undefined;
  /** A statement that runs after all conditions hold. */
  readonly prepare?: string;
  readonly chunks: readonly Chunk[];
}

/** Functions for each format: to text, and to a value for native serialization. */
export const dateFunctions: Record<DateFormat, { readonly text: string; readonly value: string }> = {
  date: { text: 'dateText', value: 'toDate' },
  time: { text: 'timeText', value: 'toTime' },
  'date-time': { text: 'dateTimeText', value: 'toDateTime' },
};

/** The fast path for writing the value of a variable. Its condition must hold for values that match the schema exactly. */
export function readLeaf(program: Program, shape: Shape, name: string): Leaf {
  const optional = shape.kind === 'choice' ? findNullable(shape) : undefined;
  if (optional !== undefined) return nullableLeaf(program, optional, shape, name);
  if (shape.nullable && shape.kind !== 'const') return nullableLeaf(program, shape, shape, name);
  switch (shape.kind) {
    case 'string':
      if (shape.format !== undefined) break;
      return stringLeaf(program, name);
    case 'integer':
      return { guard: `Number.isInteger(${name})`, chunks: [code(finiteCode(shape, name))] };
    case 'number':
      return { guard: isFiniteNumber(name), chunks: [code(finiteCode(shape, name))] };
    case 'boolean':
      return { guard: `typeof ${name}==='boolean'`, chunks: [{ flag: name }] };
    case 'null':
      return { guard: undefined, chunks: [literal('null')] };
    case 'const':
      if (!shape.nullable) return { guard: undefined, chunks: [literal(shape.text)] };
  }
  return { guard: undefined, chunks: [code(writeLeaf(program, shape, name))] };
}

function stringLeaf(program: Program, name: string): Leaf {
  const guard = `typeof ${name}==='string'`;
  if (program.strategy.quotesApart) return { guard, chunks: [code(`quote(${name})`)] };
  return {
    guard,
    prepare: `const ${name}_=needsEscape(${name})?escapeText(${name}):${name};`,
    chunks: [literal('"'), code(`${name}_`), literal('"')],
  };
}

function nullableLeaf(program: Program, shape: Shape, choice: Shape, name: string): Leaf {
  const always = { guard: undefined, chunks: [code(writeLeaf(program, choice, name))] };
  switch (shape.kind) {
    case 'string':
      if (shape.format !== undefined) return always;
      return {
        guard: `(${name}===null||typeof ${name}==='string')`,
        prepare: `const ${name}_=${name}===null?'null':quote(${name});`,
        chunks: [code(`${name}_`)],
      };
    case 'integer':
      return { guard: `(${name}===null||Number.isInteger(${name}))`, chunks: [code(name)] };
    case 'number':
      return {
        guard: `(${name}===null||${isFiniteNumber(name)})`,

        chunks: [code(`(${name}===null?'null':${finiteCode(shape, name)})`)],
      };
    case 'boolean':
      return { guard: `(${name}===null||typeof ${name}==='boolean')`, chunks: [code(name)] };
    default:
      return always;
  }
}

/** The text of a variable that contains a finite number, or an integer if the shape requires it. */
export function finiteCode(shape: Shape, name: string): string {
  return shape.kind === 'integer' ? name : `finiteText(${name})`;
}

export function isFiniteNumber(name: string): string {
  return `(typeof ${name}==='number'&&${name}-${name}===0)`;
}

/** The other shape of a choice between `null` and one type. */
export function findNullable(shape: ChoiceShape): Shape | undefined {
  const [first, second] = shape.branches;
  const isPair =
    shape.branches.length === 2 && first?.test.kind === 'writable' && second?.test.kind === 'writable';
  return isPair && first.test.type === 'null' ? second.shape : undefined;
}

/** An expression for the text of a variable, of any type, except undefined if that means absent. */
export function writeLeaf(program: Program, shape: Shape, name: string): string {
  const text = writeNonNull(program, shape, name);
  const handlesNull = ['object', 'conditional', 'array', 'tuple', 'choice', 'null', 'any'].includes(
    shape.kind,
  );
  return shape.nullable && !handlesNull ? `(${name}===null?'null':${text})` : text;
}

function writeNonNull(program: Program, shape: Shape, name: string): string {
  switch (shape.kind) {
    case 'string':
      return `${shape.format === undefined ? 'stringText' : dateFunctions[shape.format].text}(${name})`;
    case 'integer':
      return `integerText(${name})`;
    case 'number':
      return `numberText(${name})`;
    case 'boolean':
      return `(${name}?'true':'false')`;
    case 'null':
      return `'null'`;
    case 'const':
      return JSON.stringify(shape.text);
    case 'any':
      return `anyItemText(${name})`;
    case 'never':
      return `failNever(${JSON.stringify(shape.schemaPath)})`;
    default:
      return `${program.writer(shape)}(${name})`;
  }
}
