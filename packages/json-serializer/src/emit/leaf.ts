/** Generates the code for values inside a larger text: the fast path, its condition, and the path for all other values. */
import type { ChoiceShape, DateFormat, ObjectShape, Shape } from '../shape/shape.ts';
import { type Chunk, code, literal } from './chunks.ts';
import type { Program } from './program.ts';

/** The fast path for writing the value of a variable. */
export interface Leaf {
  /** The condition, which holds for values that match the schema exactly; undefined if the value only has to be present. */
  readonly guard: string | undefined;
  /** A statement that runs after all conditions hold. */
  readonly prepare?: string;
  readonly chunks: readonly Chunk[];
}

export function readLeaf(program: Program, shape: Shape, name: string): Leaf {
  const fastPath = readNullable(shape, name, (inner, isNullable) =>
    readFastText(program, inner, name, isNullable),
  );
  return fastPath ?? { guard: undefined, chunks: [code(writeLeaf(program, shape, name))] };
}

/** The fast path of a shape that may be nullable, or a choice between `null` and another shape. */
export function readNullable(
  shape: Shape,
  name: string,
  read: (inner: Shape, isNullable: boolean) => Leaf | undefined,
): Leaf | undefined {
  const inner = (shape.kind === 'choice' ? findNullable(shape) : undefined) ?? shape;
  const isNullable = inner !== shape || shape.nullable;
  const leaf = read(inner, isNullable);
  if (leaf?.guard === undefined || !isNullable) return leaf;
  return { ...leaf, guard: `(${name}===null||${leaf.guard})` };
}

function readFastText(
  { strategy }: Program,
  shape: Shape,
  name: string,
  isNullable: boolean,
): Leaf | undefined {
  switch (shape.kind) {
    case 'string': {
      if (shape.format !== undefined) return undefined;
      const guard = `typeof ${name}==='string'`;
      if (isNullable) {
        const prepare = `const ${name}_=${name}===null?'null':quote(${name});`;
        return { guard, prepare, chunks: [code(`${name}_`)] };
      }
      if (strategy.quotesApart) return { guard, chunks: [code(`quote(${name})`)] };
      const prepare = `const ${name}_=needsEscape(${name})?escapeText(${name}):${name};`;
      return { guard, prepare, chunks: [literal('"'), code(`${name}_`), literal('"')] };
    }
    case 'integer':
      return { guard: `Number.isInteger(${name})`, chunks: [code(name)] };
    case 'number': {
      const text = isNullable ? `(${name}===null?'null':finiteText(${name}))` : `finiteText(${name})`;
      return { guard: isFiniteNumber(name), chunks: [code(text)] };
    }
    case 'boolean':
      return { guard: `typeof ${name}==='boolean'`, chunks: [isNullable ? code(name) : { flag: name }] };
    case 'null':
      return { guard: undefined, chunks: [literal('null')] };
    case 'const':
      return isNullable ? undefined : { guard: undefined, chunks: [literal(shape.text)] };
    default:
      return undefined;
  }
}

/** The fast path of an object: its properties are present, and have their types. */
export function joinProperties(
  { properties }: ObjectShape,
  writeText: (variable: string) => Chunk,
  read: (shape: Shape, variable: string) => Leaf,
): Leaf {
  const leaves = properties.map(({ shape }, index): Leaf => {
    // The variable already contains the text.
    if (shape.kind === 'any') return { guard: undefined, chunks: [writeText(`a${index}`)] };
    return read(shape, `a${index}`);
  });
  const chunks = leaves.flatMap((leaf, index) => [
    literal(`${index === 0 ? '{' : ','}${JSON.stringify(properties[index]!.name)}:`),
    ...leaf.chunks,
  ]);
  return {
    guard: leaves.map(({ guard }, index) => guard ?? `a${index}!==undefined`).join('&&'),
    prepare: leaves.map(({ prepare = '' }) => prepare).join(''),
    chunks: [...chunks, literal('}')],
  };
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
  const handlesNull = ['object', 'conditional', 'array', 'tuple', 'choice', 'null', 'any'];
  return shape.nullable && !handlesNull.includes(shape.kind) ? `(${name}===null?'null':${text})` : text;
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

/** Functions for each format: to text, and to a value for native serialization. */
export const dateFunctions: Record<DateFormat, { readonly text: string; readonly value: string }> = {
  date: { text: 'dateText', value: 'toDate' },
  time: { text: 'timeText', value: 'toTime' },
  'date-time': { text: 'dateTimeText', value: 'toDateTime' },
};
