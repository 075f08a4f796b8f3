/** Generates the code that writes arrays, whose items share one schema, and tuples, whose items each have a schema. */
import type { ArrayShape, Shape, TupleShape } from '../shape/shape.ts';
import { type Chunk, joinChunks, literal } from './chunks.ts';
import { type Leaf, readLeaf, writeLeaf } from './leaf.ts';
import { emitNativeArray } from './native.ts';
import type { Program } from './program.ts';
import { maxVariables } from './properties.ts';
import { checkArray, checkItem, checkLength, emitTest } from './test-code.ts';

export function emitArray(program: Program, name: string, shape: ArrayShape): string {
  return `function ${name}(v){
if(v===null)return '${shape.nullable ? 'null' : '[]'}';
${checkArray(shape.schemaPath)}let l=v.length;
${checkLength}${emitNativeArray(program, shape)}${emitItems(program, shape)}return j+']';}`;
}

function emitItems(program: Program, { item }: ArrayShape): string {
  if (item.kind === 'object' && item.properties.length <= maxVariables) {
    return `let j='[';for(let i=0;i<l;i++)j=${program.appender(item)}(v[i],j,i!==0);\n`;
  }
  return `if(l===0)return '[]';
let e=v[0],j='['+${writeLeaf(program, item, 'e')};
for(let i=1;i<l;i++){e=v[i];${emitNext(program, item)}}
`;
}

/** Statements for each item after the first. On the fast path, the comma is part of the item's concatenation. */
function emitNext(program: Program, item: Shape): string {
  const otherwise = `j+=','+${writeLeaf(program, item, 'e')};`;
  const { guard, prepare = '', chunks } = readLeaf(program, item, 'e');
  if (guard === undefined) return otherwise;
  return `if(${guard}){${prepare}j+=${joinChunks([literal(','), ...chunks])};}else{${otherwise}}`;
}

export function emitTuple(program: Program, name: string, shape: TupleShape): string {
  const { items, rest } = shape;
  const count = items.length;
  const lines = items.map(({ shape: item, accepts }, index) => {
    const write = `${index === 0 ? '' : `','+`}${writeLeaf(program, item, 'e')}`;
    return `if(l>${index}){const e=v[${index}];${checkItem(program, accepts, index)}j+=${write};}\n`;
  });
  const comma = count === 0 ? `(i===0?'':',')` : `','`;
  const others =
    rest === undefined
      ? ''
      : `for(let i=${count};i<l;i++){const e=v[i];j+=${comma}+${writeLeaf(program, rest, 'e')};}\n`;
  const whole = emitWholeTuple(program, shape, readLeaf, (chunks) => `return ${joinChunks(chunks)};`);
  return `function ${name}(v){
if(v===null)return '${shape.nullable ? 'null' : '[]'}';
${checkArray(shape.schemaPath)}const l=v.length;
${rest === undefined ? `if(l>${count})failItem(${count});\n` : ''}${whole}let j='[';
${lines.join('')}${others}return j+']';}`;
}

/** Writes a tuple at once if it is complete and each item has its type. */
export function emitWholeTuple(
  program: Program,
  { items }: TupleShape,
  read: (program: Program, shape: Shape, name: string) => Leaf,
  write: (chunks: readonly Chunk[]) => string,
): string {
  if (items.length === 0) return '';
  const reads: string[] = [];
  const guards: string[] = [];
  const statements: string[] = [];
  const chunks: Chunk[] = [];
  for (const [index, { shape, accepts }] of items.entries()) {
    const name = `a${index}`;
    const leaf = read(program, shape, name);
    reads.push(`${name}=v[${index}]`);
    const guard = leaf.guard ?? `(${emitTest(program, accepts, name)})`;
    if (guard !== '(true)') guards.push(guard);
    statements.push(leaf.prepare ?? '');
    chunks.push(literal(index === 0 ? '[' : ','), ...leaf.chunks);
  }
  const condition = guards.length === 0 ? 'true' : guards.join('&&');
  return `if(l===${items.length}){const ${reads.join(',')};
if(${condition}){${statements.join('')}${write([...chunks, literal(']')])}}}\n`;
}
