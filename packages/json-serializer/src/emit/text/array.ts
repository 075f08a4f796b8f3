/** Generates the code that writes arrays whose items share one schema. */
import type { ArrayShape, Shape } from '../../shape/shape.ts';
import { checkArray, checkLength } from '../array-checks.ts';
import { joinChunks, literal } from '../chunks.ts';
import { emitNativeArray } from '../copy/native.ts';
import type { Emitter } from '../emitter.ts';
import { maxVariables } from '../properties.ts';
import { readLeaf, writeLeaf } from './leaf.ts';

export function emitArray(emitter: Emitter, name: string, shape: ArrayShape): string {
  return `function ${name}(v){
if(v===null)return '${shape.nullable ? 'null' : '[]'}';
${checkArray(shape.schemaPath)}let l=v.length;
${checkLength}${emitNativeArray(emitter, shape)}${emitItems(emitter, shape)}return j+']';}`;
}

function emitItems(emitter: Emitter, { item }: ArrayShape): string {
  if (item.kind === 'object' && item.properties.length <= maxVariables) {
    return `let j='[';for(let i=0;i<l;i++)j=${emitter.appender(item)}(v[i],j,i!==0);\n`;
  }
  return `if(l===0)return '[]';
let e=v[0],j='['+${writeLeaf(emitter, item, 'e')};
for(let i=1;i<l;i++){e=v[i];${emitNext(emitter, item)}}
`;
}

/** Statements for each item after the first. On the fast path, the comma is part of the item's concatenation. */
function emitNext(emitter: Emitter, item: Shape): string {
  const otherwise = `j+=','+${writeLeaf(emitter, item, 'e')};`;
  const leaf = readLeaf(emitter, item, 'e');
  if (leaf.guard === undefined) return otherwise;
  return `if(${leaf.guard}){${leaf.prepare}j+=${joinChunks([literal(','), ...leaf.chunks])};}else{${otherwise}}`;
}
