/** Owns the code that writes objects: one concatenation when every property is there and of its type, else one by one. */
import type { ObjectShape, PropertyShape, Shape } from '../shape/shape.ts';
import { type Chunk, code, joinChunks, literal } from './chunks.ts';
import type { Emitter } from './emitter.ts';
import { emitExtras } from './extras.ts';
import { type Leaf, readLeaf, writeLeaf } from './leaf.ts';
import { emitNativeEntry, emitNativeStrings, isNativeWhenDirty, isPlain } from './native.ts';
import { copyMatching } from './projection.ts';
import { readProperties } from './properties.ts';

export function emitObject(emitter: Emitter, name: string, shape: ObjectShape): string {
  const variables = shape.properties.map((_, index) => `a${index}`);
  const slow = `s${shape.number}`;
  const goSlow = `${slow}(${['v', ...variables].join(',')})`;
  const whenNull = shape.nullable ? 'null' : '{}';
  emitter.addFunction(emitSlow(emitter, slow, shape, variables));
  const hasExtras = shape.patterns.length > 0 || shape.additional !== undefined;
  const short = hasExtras || variables.length === 0 ? '' : emitShort(emitter, shape, variables, goSlow);
  return `function ${name}(v){
${emitNativeEntry(emitter, shape)}if(v!==null&&typeof v.toJSON==='function')v=v.toJSON();
if(v===null)return '${whenNull}';
${readProperties(shape, variables)}${short}return ${goSlow};}`;
}

function emitShort(emitter: Emitter, shape: ObjectShape, variables: readonly string[], slow: string): string {
  const strings = variables.filter((_, index) => isPlain(shape.properties[index]!.shape, 'string'));
  const isChecked = isNativeWhenDirty(emitter, shape, strings);
  const guards: string[] = [];
  const copy = () => copyMatching(emitter, shape, variables);
  const statements = [emitNativeStrings(emitter, shape, strings, copy)];
  if (isChecked) statements.push(emitDirty(strings, slow, copy()));
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

function emitDirty(strings: readonly string[], slow: string, copy: string): string {
  const condition = strings.map((name) => `isDirty(${name})`).join('||');
  return `if(${condition})return isNativeTampered()?${slow}:nativeText(${copy});\n`;
}

function emitSlow(emitter: Emitter, name: string, shape: ObjectShape, variables: readonly string[]): string {
  // Whether something is certain to stand before the next property, so that its comma is certain too.
  let isStarted = false;
  const lines: string[] = [];
  for (const [index, property] of shape.properties.entries()) {
    lines.push(emitProperty(emitter, property, variables[index]!, isStarted));
    isStarted ||= property.isRequired || property.defaultText !== undefined;
  }
  lines.push(emitExtras(emitter, shape, isStarted));
  return `function ${name}(${['v', ...variables].join(',')}){let j='{',n=false;
${lines.join('')}return j+'}';}`;
}

function emitProperty(
  emitter: Emitter,
  property: PropertyShape,
  variable: string,
  isStarted: boolean,
): string {
  const { name, shape, isRequired, defaultText } = property;
  const key = `${JSON.stringify(name)}:`;
  const text = shape.kind === 'any' ? variable : writeLeaf(emitter, shape, variable);
  const write = `j+=${emitSeparator(key, isStarted)}+${text};`;
  if (defaultText !== undefined) {
    return `if(${variable}!==undefined){${write}}else{j+=${emitSeparator(key + defaultText, isStarted)};}\n`;
  }
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}

/** An expression for a comma, when one is due, and the text after it. */
export function emitSeparator(text: string, isStarted: boolean): string {
  const withComma = JSON.stringify(`,${text}`);
  return isStarted ? withComma : `(n?${withComma}:(n=true,${JSON.stringify(text)}))`;
}
