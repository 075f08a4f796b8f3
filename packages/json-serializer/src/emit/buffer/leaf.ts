/** Generates the code that writes values inside a larger text into a buffer: the fast path, and the path for all other values. */
import { reserveBytes } from '../../runtime/output-buffer.ts';
import type { ConstShape, PropertyShape, Shape, StringShape } from '../../shape/shape.ts';
import { type Chunk, code, literal } from '../chunks.ts';
import type { BufferedShape, Emitter } from '../emitter.ts';
import { maxVariables } from '../properties.ts';
import { dateFunctions, findNullable, isFiniteNumber, writeLeaf } from '../text/leaf.ts';

/** Bytes for a value that is written without a check of the free space: a date-time with its quotes is longest; a number takes 25. */
const maxValueBytes = 32;
/** Before a longer constant, the free space is checked. */
const maxConstantBytes = 256;
/** The colon and the comma. */
const separatorBytes = 2;

export interface BufferLeaf {
  /** The condition for the fast path; undefined if the value only has to be present. */
  readonly guard: string | undefined;
  /** The pieces to write. In these, `code` is an expression for the next position. */
  readonly chunks: readonly Chunk[];
}

/** The fast path for writing the value of a variable. Its condition must hold for values that match the schema exactly. */
export function readBufferLeaf(emitter: Emitter, shape: Shape, name: string): BufferLeaf {
  const optional = shape.kind === 'choice' ? findNullable(shape) : undefined;
  const inner = optional ?? shape;
  const isNullable = optional !== undefined || (shape.nullable && shape.kind !== 'const');
  const fastPath = readFastLeaf(inner, name, isNullable);
  if (fastPath === undefined) return { guard: undefined, chunks: [code(emitValue(emitter, shape, name))] };
  if (!isNullable || fastPath.guard === undefined) return fastPath;
  return { guard: `(${name}===null||${fastPath.guard})`, chunks: fastPath.chunks };
}

function readFastLeaf(shape: Shape, name: string, isNullable: boolean): BufferLeaf | undefined {
  const orNull = (write: string) =>
    code(isNullable ? `(${name}===null?writeText('null',p,s):${write})` : write);
  switch (shape.kind) {
    case 'string':
      if (shape.format !== undefined) return undefined;
      return {
        guard: `typeof ${name}==='string'`,
        chunks: isNullable
          ? [orNull(`writeQuoted(${name},p,s)`)]
          : [literal('"'), code(`writeString(${name},p,s)`), literal('"')],
      };
    case 'integer':
      return { guard: `Number.isInteger(${name})`, chunks: [orNull(`writeInteger(${name},p,s)`)] };
    case 'number':
      return { guard: isFiniteNumber(name), chunks: [orNull(`writeFinite(${name},p,s)`)] };
    case 'boolean':
      return {
        guard: `typeof ${name}==='boolean'`,
        chunks: [isNullable ? code(`writeText(\`\${${name}}\`,p,s)`) : { flag: name }],
      };
    case 'null':
      return { guard: undefined, chunks: [literal('null')] };
    case 'const':
      if (shape.nullable || !isShortConstant(shape)) return undefined;
      return { guard: undefined, chunks: [literal(shape.text)] };
    default:
      return undefined;
  }
}

/** An expression that writes the value of a variable, of any type, except undefined if that means absent. */
export function emitValue(emitter: Emitter, shape: Shape, name: string): string {
  if (isBuffered(shape)) return `${emitter.bufferWriter(shape)}(${name},p,s)`;
  const text = `writeText(${writeLeaf(emitter, shape, name)},p,s)`;
  switch (shape.kind) {
    case 'string':
      return shape.nullable
        ? `(${name}===null?${text}:${emitAnyString(shape, name)})`
        : emitAnyString(shape, name);
    case 'integer':
      return `(Number.isInteger(${name})?writeInteger(${name},p,s):${text})`;
    case 'number':
      return `(${isFiniteNumber(name)}?writeFinite(${name},p,s):${text})`;
    default:
      return text;
  }
}

function emitAnyString({ format }: StringShape, name: string): string {
  if (format === undefined) return `writeStringValue(${name},p,s)`;
  return format === 'date-time'
    ? `writeDateTime(${name},p,s)`
    : `writeText(${dateFunctions[format].text}(${name}),p,s)`;
}

/** Whether a shape can be written into a buffer piece by piece. Other shapes are written as one text. */
export function isBuffered(shape: Shape): shape is BufferedShape {
  switch (shape.kind) {
    case 'object': {
      const isOpen = shape.patterns.length > 0 || shape.additional !== undefined;
      return !isOpen && shape.properties.length <= maxVariables && fitsReserve(shape.properties);
    }
    case 'tuple':
      return fitsReserve(shape.items);
    case 'array':
    case 'choice':
      return true;
    default:
      return false;
  }
}

/** Whether the names, constants and values of an object fit into the space that is reserved for writes without a check. */
function fitsReserve(entries: readonly (Partial<PropertyShape> & { readonly shape: Shape })[]): boolean {
  let bytes = 2;
  for (const { name, shape, defaultText = '' } of entries) {
    const nameBytes = name === undefined ? 0 : JSON.stringify(name).length;
    const valueBytes = isShortConstant(shape) ? shape.text.length : maxValueBytes;
    bytes += nameBytes + defaultText.length + valueBytes + separatorBytes;
  }
  return bytes <= reserveBytes;
}

function isShortConstant(shape: Shape): shape is ConstShape {
  return shape.kind === 'const' && shape.text.length <= maxConstantBytes;
}
