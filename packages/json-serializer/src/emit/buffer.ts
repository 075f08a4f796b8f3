/** Generates the code that writes values into a buffer. In this code, `v` is the value, `p` the position, `s` the buffer. */
import { reserveBytes } from '../runtime/output-buffer.ts';
import type {
  ArrayShape,
  ChoiceShape,
  ConstShape,
  ObjectShape,
  PropertyShape,
  Shape,
  TupleShape,
} from '../shape/shape.ts';
import { emitWholeTuple } from './array.ts';
import { type Chunk, code, literal, mergeChunks } from './chunks.ts';
import { isFiniteNumber, joinProperties, type Leaf, readNullable, writeLeaf } from './leaf.ts';
import { emitNativeItems, isPlain } from './native.ts';
import type { Program } from './program.ts';
import { maxVariables, nameVariables, readProperties, writeIfPresent } from './properties.ts';
import { checkArray, checkItem, checkLength, emitBranches } from './test-code.ts';

/** Shapes that are written piece by piece. Other shapes are written as one text. */
export type BufferedShape = ObjectShape | ArrayShape | TupleShape | ChoiceShape;

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

/** Bytes for a value that is written without a check of the free space: a date-time with its quotes is longest; a number takes 25. */
const maxValueBytes = 32;
/** Before a longer constant, the free space is checked. */
const maxConstantBytes = 256;
/** The colon and the comma. */
const separatorBytes = 2;

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

/** A function of a value, a position and a buffer. It returns the next position. */
export function emitBufferWriter(program: Program, name: string, shape: BufferedShape): string {
  if (shape.kind === 'object') return emitBufferedObject(program, name, shape);
  if (shape.kind === 'array') return emitBufferedArray(program, name, shape);
  if (shape.kind === 'tuple') return emitBufferedTuple(program, name, shape);
  const whenNull = shape.nullable ? `if(v===null)return writeText('null',p,s);\n` : '';
  return `function ${name}(v,p,s){
${whenNull}${emitBranches(program, shape, (branch) => emitValue(program, branch, 'v'))}}`;
}

/** At once if every property is present and has its type, otherwise one by one. */
function emitBufferedObject(program: Program, name: string, shape: ObjectShape): string {
  const variables = nameVariables(shape.properties);
  const slowPath = `l${shape.number}`;
  program.addFunction(slowPath, () => emitSlowWrites(program, slowPath, shape));
  const whenNull = `writeText('${shape.nullable ? 'null' : '{}'}',p,s)`;
  return `function ${name}(v,p,s){
${readProperties(program, shape, whenNull)}${flushIfFull}${emitFastWrites(program, shape)}return ${slowPath}(${['v', ...variables].join(',')},p,s);}`;
}

function emitFastWrites(program: Program, shape: ObjectShape): string {
  if (shape.properties.length === 0) return '';
  const { guard, chunks } = joinProperties(
    shape,
    (variable) => code(`writeText(${variable},p,s)`),
    (own, variable) => readBufferLeaf(program, own, variable),
  );
  return `if(${guard}){${emitChunks(chunks)}${returnPosition}}\n`;
}

/** A function of the object and the values of its properties. */
function emitSlowWrites(program: Program, name: string, shape: ObjectShape): string {
  const lines = shape.properties.map((property, index) => emitPropertyWrite(program, property, `a${index}`));
  return `function ${name}(${['v', ...nameVariables(shape.properties)].join(',')},p,s){${emitLiteral('{')}
${lines.join('')}${closeList('}')}${returnPosition}}`;
}

function emitPropertyWrite(program: Program, property: PropertyShape, variable: string): string {
  const { name, shape } = property;
  const key = `${JSON.stringify(name)}:`;
  const value = shape.kind === 'any' ? `writeText(${variable},p,s)` : emitValue(program, shape, variable);
  const write = emitChunks([literal(key), code(value), literal(',')]);
  return writeIfPresent(property, variable, write, (text) => emitLiteral(key + text) + emitLiteral(','));
}

function emitBufferedArray(program: Program, name: string, shape: ArrayShape): string {
  const copyText = (text: string) => `writeText(${text},p,s)`;
  const native = isPlain(shape.item, 'string') ? emitNativeItems(program, shape, copyText) : '';
  return `function ${name}(v,p,s){
${listWhenNull(shape)}${checkArray(shape.schemaPath)}let l=v.length;
${checkLength}${native}${flushIfFull}${emitLiteral('[')}
for(let i=0;i<l;i++){${emitItem(program, shape.item)}${emitLiteral(',')}}
${closeList(']')}${returnPosition}}`;
}

function listWhenNull({ nullable }: ArrayShape | TupleShape): string {
  return `if(v===null)return writeText('${nullable ? 'null' : '[]'}',p,s);\n`;
}

/** Statements for the item at `i`. */
function emitItem(program: Program, item: Shape): string {
  // This write makes room itself.
  if (isBuffered(item) && item.kind !== 'choice') return `p=${emitValue(program, item, 'v[i]')};`;
  const { guard, chunks } = readBufferLeaf(program, item, 'e');
  const fastPath = emitChunks(chunks);
  const write =
    guard === undefined ? fastPath : `if(${guard}){${fastPath}}else p=${emitValue(program, item, 'e')};`;
  return `${flushIfFull}const e=v[i];${write}`;
}

function emitBufferedTuple(program: Program, name: string, shape: TupleShape): string {
  const { items, rest } = shape;
  const lines = items.map(
    ({ shape: item, accepts }, index) =>
      `if(l>${index}){const e=v[${index}];${checkItem(program, accepts, index)}${emitTupleItem(program, item)}}\n`,
  );
  const others =
    rest === undefined
      ? ''
      : `for(let i=${items.length};i<l;i++){const e=v[i];${emitTupleItem(program, rest)}}\n`;
  const finish = (chunks: readonly Chunk[]) => `${emitChunks(chunks)}${returnPosition}`;
  return `function ${name}(v,p,s){
${listWhenNull(shape)}${checkArray(shape.schemaPath)}const l=v.length;
${rest === undefined ? `if(l>${items.length})failItem(${items.length});\n` : ''}${flushIfFull}${emitWholeTuple(program, shape, readBufferLeaf, finish)}${emitLiteral('[')}
${lines.join('')}${others}${closeList(']')}${returnPosition}}`;
}

function emitTupleItem(program: Program, item: Shape): string {
  return `${flushIfFull}${emitChunks([code(emitValue(program, item, 'e')), literal(',')])}`;
}

/** The fast path for a variable. In its chunks, `code` is an expression for the next position. */
function readBufferLeaf(program: Program, shape: Shape, name: string): Leaf {
  const fastPath = readNullable(shape, name, (inner, isNullable) => readFastWrite(inner, name, isNullable));
  return fastPath ?? { guard: undefined, chunks: [code(emitValue(program, shape, name))] };
}

function readFastWrite(shape: Shape, name: string, isNullable: boolean): Leaf | undefined {
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
      if (isNullable || !isShortConstant(shape)) return undefined;
      return { guard: undefined, chunks: [literal(shape.text)] };
    default:
      return undefined;
  }
}

/** An expression that writes the value of a variable, of any type, except undefined if that means absent. */
function emitValue(program: Program, shape: Shape, name: string): string {
  if (isBuffered(shape)) return `${program.bufferWriter(shape)}(${name},p,s)`;
  const text = `writeText(${writeLeaf(program, shape, name)},p,s)`;
  switch (shape.kind) {
    case 'string': {
      if (shape.format !== undefined && shape.format !== 'date-time') return text;
      const write = `${shape.format === undefined ? 'writeStringValue' : 'writeDateTime'}(${name},p,s)`;
      return shape.nullable ? `(${name}===null?${text}:${write})` : write;
    }
    case 'integer':
      return `(Number.isInteger(${name})?writeInteger(${name},p,s):${text})`;
    case 'number':
      return `(${isFiniteNumber(name)}?writeFinite(${name},p,s):${text})`;
    default:
      return text;
  }
}

/** Statements that write all pieces. */
function emitChunks(chunks: readonly Chunk[]): string {
  const statements = mergeChunks(chunks).map((chunk) => {
    if ('literal' in chunk) return emitLiteral(chunk.literal);
    if ('code' in chunk) return `p=${chunk.code};\n`;
    return `if(${chunk.flag}){${emitLiteral(`true${chunk.tail}`)}}else{${emitLiteral(`false${chunk.tail}`)}}\n`;
  });
  return statements.join('');
}

/** Checks the free space, where an earlier piece may have left too little for the next one. */
const flushIfFull = 'if(p>flushThreshold)p=flush(p,s);\n';
/** The end of a function. It makes room, so that its caller need not check. */
const returnPosition = 'return p>flushThreshold?flush(p,s):p;';

/**
 * Statements that end a list, which may be empty. Each item is followed by a comma, which is a literal of its own. So
 * the comma is in the buffer even if the item bypassed the buffer.
 */
function closeList(bracket: '}' | ']'): string {
  const byte = bracket.charCodeAt(0);
  return `if(s.bytes[p-1]===44)s.bytes[p-1]=${byte};else s.bytes[p++]=${byte};\n`;
}

/**
 * Statements that write a constant, up to eight characters at once: the double whose bytes are the codes of these characters. It may
 * write bytes after the end of the constant; the next piece overwrites them. ASCII is never a NaN, whose bytes an engine may
 * change: that needs an eighth byte of 0x7f after one of 0xf0 or more.
 */
function emitLiteral(text: string): string {
  if (/[^ -~]/.test(text)) return `p=writeText(${JSON.stringify(text)},p,s);`;
  const bytes = new DataView(new ArrayBuffer(text.length + 8));
  for (let index = 0; index < text.length; index++) bytes.setUint8(index, text.charCodeAt(index));
  const writes: string[] = [];
  for (let index = 0; index < text.length; ) {
    const rest = text.length - index;
    const at = index === 0 ? 'p' : `p+${index}`;
    if (rest > 4) writes.push(`s.view.setFloat64(${at},${bytes.getFloat64(index, true)},true);`);
    else if (rest > 2) writes.push(`s.view.setInt32(${at},${bytes.getInt32(index, true)},true);`);
    else if (rest === 2) writes.push(`s.view.setUint16(${at},${bytes.getUint16(index, true)},true);`);
    else writes.push(`s.bytes[${at}]=${bytes.getUint8(index)};`);
    index += rest > 4 ? 8 : rest > 2 ? 4 : rest;
  }
  return `${writes.join('')}p+=${text.length};`;
}
