/** Generates the code that writes arrays whose items each have a schema. */
import type { TupleShape } from '../../shape/shape.ts';
import { checkArray } from '../array-checks.ts';
import { type Chunk, joinChunks, literal } from '../chunks.ts';
import type { Emitter } from '../emitter.ts';
import { emitTest } from '../test-code.ts';
import { readLeaf, writeLeaf } from './leaf.ts';

export function emitTuple(emitter: Emitter, name: string, shape: TupleShape): string {
  const count = shape.items.length;
  const items = shape.items.map(({ shape: item, accepts }, index) => {
    const test = emitTest(emitter, accepts, 'e');
    const check = test === 'true' ? '' : `if(!(${test}))failItem(${index});`;
    return `if(l>${index}){const e=v[${index}];${check}j+=${index === 0 ? '' : `','+`}${writeLeaf(emitter, item, 'e')};}\n`;
  });
  const comma = count === 0 ? `(i===0?'':',')` : `','`;
  const rest =
    shape.rest === undefined
      ? ''
      : `for(let i=${count};i<l;i++){const e=v[i];j+=${comma}+${writeLeaf(emitter, shape.rest, 'e')};}\n`;
  return `function ${name}(v){
if(v===null)return '${shape.nullable ? 'null' : '[]'}';
${checkArray(shape.schemaPath)}const l=v.length;
${shape.rest === undefined ? `if(l>${count})failItem(${count});\n` : ''}${emitFastPath(emitter, shape)}let j='[';
${items.join('')}${rest}return j+']';}`;
}

/** One concatenation if the tuple is complete and each item has its type. */
function emitFastPath(emitter: Emitter, shape: TupleShape): string {
  if (shape.items.length === 0) return '';
  const reads: string[] = [];
  const guards: string[] = [];
  const statements: string[] = [];
  const chunks: Chunk[] = [];
  for (const [index, { shape: item, accepts }] of shape.items.entries()) {
    const leaf = readLeaf(emitter, item, `a${index}`);
    reads.push(`a${index}=v[${index}]`);
    const guard = leaf.guard ?? `(${emitTest(emitter, accepts, `a${index}`)})`;
    if (guard !== '(true)') guards.push(guard);
    statements.push(leaf.prepare);
    chunks.push(literal(index === 0 ? '[' : ','), ...leaf.chunks);
  }
  chunks.push(literal(']'));
  const condition = guards.length === 0 ? 'true' : guards.join('&&');
  return `if(l===${shape.items.length}){const ${reads.join(',')};
if(${condition}){${statements.join('')}return ${joinChunks(chunks)};}}\n`;
}
