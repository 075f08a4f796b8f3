/** Generates the code that writes arrays and tuples into a buffer. */
import type { ArrayShape, Shape, TupleShape } from '../../shape/shape.ts';
import { checkArray, checkLength } from '../array-checks.ts';
import { type Chunk, code, literal } from '../chunks.ts';
import { emitNativeItems, isPlain } from '../copy/native.ts';
import type { Emitter } from '../emitter.ts';
import { emitTest } from '../test-code.ts';
import { emitValue, isBuffered, readBufferLeaf } from './leaf.ts';
import { emitLiteral } from './literal.ts';
import { closeList, emitChunks, flushIfFull, returnPosition } from './statements.ts';

export function emitBufferedArray(emitter: Emitter, name: string, shape: ArrayShape): string {
  return `function ${name}(v,p,s){
${whenNull(shape)}${checkArray(shape.schemaPath)}let l=v.length;
${checkLength}${emitNative(emitter, shape)}${flushIfFull}${emitLiteral('[')}
for(let i=0;i<l;i++){${emitItem(emitter, shape.item)}${emitLiteral(',')}}
${closeList(']')}${returnPosition}}`;
}

/** Native code writes strings faster, if the engine has a fast way for them. */
function emitNative(emitter: Emitter, shape: ArrayShape): string {
  if (!isPlain(shape.item, 'string')) return '';
  const { nativeBufferStrings } = emitter.strategy;
  return emitNativeItems(emitter, shape, nativeBufferStrings, (text) => `writeText(${text},p,s)`);
}

function whenNull({ nullable }: ArrayShape | TupleShape): string {
  return `if(v===null)return writeText('${nullable ? 'null' : '[]'}',p,s);\n`;
}

/** Statements for the item at `i`. */
function emitItem(emitter: Emitter, item: Shape): string {
  // This write makes room itself.
  if (isBuffered(item) && item.kind !== 'choice') return `p=${emitValue(emitter, item, 'v[i]')};`;
  const { guard, chunks } = readBufferLeaf(emitter, item, 'e');
  const fastPath = emitChunks(chunks);
  const write =
    guard === undefined ? fastPath : `if(${guard}){${fastPath}}else p=${emitValue(emitter, item, 'e')};`;
  return `${flushIfFull}const e=v[i];${write}`;
}

export function emitBufferedTuple(emitter: Emitter, name: string, shape: TupleShape): string {
  const { items, rest } = shape;
  const lines = items.map(({ shape: item, accepts }, index) => {
    const test = emitTest(emitter, accepts, 'e');
    const check = test === 'true' ? '' : `if(!(${test}))failItem(${index});`;
    return `if(l>${index}){const e=v[${index}];${check}${emitNext(emitter, item)}}\n`;
  });
  const others =
    rest === undefined ? '' : `for(let i=${items.length};i<l;i++){const e=v[i];${emitNext(emitter, rest)}}\n`;
  return `function ${name}(v,p,s){
${whenNull(shape)}${checkArray(shape.schemaPath)}const l=v.length;
${rest === undefined ? `if(l>${items.length})failItem(${items.length});\n` : ''}${flushIfFull}${emitFastPath(emitter, shape)}${emitLiteral('[')}
${lines.join('')}${others}${closeList(']')}${returnPosition}}`;
}

function emitNext(emitter: Emitter, item: Shape): string {
  return `${flushIfFull}${emitChunks([code(emitValue(emitter, item, 'e')), literal(',')])}`;
}

/** Writes the whole tuple at once if it is complete and each item has its type. */
function emitFastPath(emitter: Emitter, { items }: TupleShape): string {
  if (items.length === 0) return '';
  const reads: string[] = [];
  const guards: string[] = [];
  const chunks: Chunk[] = [];
  for (const [index, { shape, accepts }] of items.entries()) {
    const leaf = readBufferLeaf(emitter, shape, `a${index}`);
    reads.push(`a${index}=v[${index}]`);
    const guard = leaf.guard ?? `(${emitTest(emitter, accepts, `a${index}`)})`;
    if (guard !== '(true)') guards.push(guard);
    chunks.push(literal(index === 0 ? '[' : ','), ...leaf.chunks);
  }
  const condition = guards.length === 0 ? 'true' : guards.join('&&');
  return `if(l===${items.length}){const ${reads.join(',')};
if(${condition}){${emitChunks([...chunks, literal(']')])}${returnPosition}}}\n`;
}
