/** Owns the code that writes arrays whose items share one schema. */
import type { ArrayShape } from '../shape/shape.ts';
import { joinChunks, literal } from './chunks.ts';
import type { Emitter } from './emitter.ts';
import { readLeaf, writeLeaf } from './leaf.ts';
import { emitNativeArray } from './native.ts';
import { checkArray } from './test-code.ts';

export function emitArray(emitter: Emitter, name: string, shape: ArrayShape): string {
  const item = writeLeaf(emitter, shape.item, 'e');
  return `function ${name}(v){
if(v===null)return '${shape.nullable ? 'null' : '[]'}';
${checkArray(shape.schemaPath)}let l=v.length;
${emitNativeArray(emitter, shape)}if(l===0)return '[]';
let e=v[0],j='['+${item};
for(let i=1;i<l;i++){e=v[i];${emitNext(emitter, shape)}}
return j+']';}`;
}

/** Statements for an item after the first: the comma goes into the same concatenation where there is a short way. */
function emitNext(emitter: Emitter, { item }: ArrayShape): string {
  const otherwise = `j+=','+${writeLeaf(emitter, item, 'e')};`;
  if (item.kind === 'object') return otherwise;
  const leaf = readLeaf(emitter, item, 'e');
  if (leaf.guard === undefined) return otherwise;
  return `if(${leaf.guard}){${leaf.prepare}j+=${joinChunks([literal(','), ...leaf.chunks])};}else{${otherwise}}`;
}
