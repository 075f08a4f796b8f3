/** Owns the code that writes objects: one concatenation when every property is there and of its type, else one by one. */
import type { ObjectShape, Shape } from '../shape/shape.ts';
import { type Chunk, code, joinChunks, literal } from './chunks.ts';
import type { Emitter } from './emitter.ts';
import { type Leaf, readLeaf } from './leaf.ts';
import { emitLongWay } from './long-way.ts';
import { emitNative, emitNativeStrings, isNativeEntry, isNativeWhenDirty, isPlain } from './native.ts';
import { copyMatching } from './projection.ts';
import { nameVariables, readProperties } from './properties.ts';

export function emitObject(emitter: Emitter, name: string, shape: ObjectShape): string {
  const variables = nameVariables(shape);
  const longWay = `s${shape.number}`;
  const goLong = `${longWay}(${['v', ...variables].join(',')})`;
  const isNative = isNativeEntry(emitter, shape);
  const native = isNative ? emitNative(emitter, shape, 'true') : '';
  emitter.addFunction(emitLongWay(emitter, longWay, shape, variables));
  const hasShort = !isNative && shape.patterns.length === 0 && shape.additional === undefined;
  const short = hasShort && variables.length > 0 ? emitShort(emitter, shape, variables, goLong) : '';
  return `function ${name}(v){
${native}${readProperties(emitter, shape, `'${shape.nullable ? 'null' : '{}'}'`)}${short}return ${goLong};}`;
}

function emitShort(
  emitter: Emitter,
  shape: ObjectShape,
  variables: readonly string[],
  longWay: string,
): string {
  const strings = variables.filter((_, index) => isPlain(shape.properties[index]!.shape, 'string'));
  const isChecked = isNativeWhenDirty(emitter, shape, strings);
  const guards: string[] = [];
  const statements = [emitNativeStrings(emitter, shape, strings)];
  if (isChecked) statements.push(emitDirty(emitter, shape, strings, longWay));
  const chunks: Chunk[] = [];
  for (const [index, { name, shape: own }] of shape.properties.entries()) {
    const variable = variables[index]!;
    const leaf = readPropertyLeaf(emitter, own, variable);
    guards.push(leaf.guard ?? `${variable}!==undefined`);
    chunks.push(literal(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    if (isChecked && strings.includes(variable)) chunks.push(literal('"'), code(variable), literal('"'));
    else {
      statements.push(leaf.prepare);
      chunks.push(...leaf.chunks);
    }
  }
  chunks.push(literal('}'));
  return `if(${guards.join('&&')}){${statements.join('')}return ${joinChunks(chunks)};}\n`;
}

function readPropertyLeaf(emitter: Emitter, shape: Shape, variable: string): Leaf {
  // Its variable holds its text already.
  if (shape.kind === 'any') return { guard: undefined, prepare: '', chunks: [code(variable)] };
  return readLeaf(emitter, shape, variable);
}

function emitDirty(
  emitter: Emitter,
  shape: ObjectShape,
  strings: readonly string[],
  longWay: string,
): string {
  const condition = strings.map((name) => `isDirty(${name})`).join('||');
  const copy = copyMatching(emitter, shape, nameVariables(shape));
  return `if(${condition})return isNativeTampered()?${longWay}:nativeText(${copy});\n`;
}
