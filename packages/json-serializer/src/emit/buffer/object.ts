/** Generates the code that writes objects into a buffer: at once if every property is present and has its type, otherwise one by one. */
import type { ObjectShape, PropertyShape, Shape } from '../../shape/shape.ts';
import { type Chunk, code, literal } from '../chunks.ts';
import type { Emitter } from '../emitter.ts';
import { nameVariables, readProperties } from '../properties.ts';
import { type BufferLeaf, emitValue, readBufferLeaf } from './leaf.ts';
import { emitLiteral } from './literal.ts';
import { closeList, emitChunks, flushIfFull, returnPosition } from './statements.ts';

export function emitBufferedObject(emitter: Emitter, name: string, shape: ObjectShape): string {
  const variables = nameVariables(shape);
  const slowPath = `l${shape.number}`;
  emitter.addFunction(slowPath, () => emitSlowPath(emitter, slowPath, shape, variables));
  const whenNull = `writeText('${shape.nullable ? 'null' : '{}'}',p,s)`;
  return `function ${name}(v,p,s){
${readProperties(emitter, shape, whenNull)}${flushIfFull}${emitFastPath(emitter, shape, variables)}return ${slowPath}(${['v', ...variables].join(',')},p,s);}`;
}

function emitFastPath(emitter: Emitter, { properties }: ObjectShape, variables: readonly string[]): string {
  if (properties.length === 0) return '';
  const guards: string[] = [];
  const chunks: Chunk[] = [];
  for (const [index, { name, shape }] of properties.entries()) {
    const leaf = readPropertyLeaf(emitter, shape, variables[index]!);
    guards.push(leaf.guard ?? `${variables[index]}!==undefined`);
    chunks.push(literal(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`), ...leaf.chunks);
  }
  return `if(${guards.join('&&')}){${emitChunks([...chunks, literal('}')])}${returnPosition}}\n`;
}

function readPropertyLeaf(emitter: Emitter, shape: Shape, variable: string): BufferLeaf {
  // The variable already contains the text.
  if (shape.kind === 'any') return { guard: undefined, chunks: [code(`writeText(${variable},p,s)`)] };
  return readBufferLeaf(emitter, shape, variable);
}

/** A function of the object and the values of its properties. */
function emitSlowPath(
  emitter: Emitter,
  name: string,
  { properties }: ObjectShape,
  variables: readonly string[],
): string {
  const lines = properties.map((property, index) => emitProperty(emitter, property, variables[index]!));
  return `function ${name}(${['v', ...variables].join(',')},p,s){${emitLiteral('{')}
${lines.join('')}${closeList('}')}${returnPosition}}`;
}

function emitProperty(emitter: Emitter, property: PropertyShape, variable: string): string {
  const { name, shape, isRequired, defaultText } = property;
  const key = `${JSON.stringify(name)}:`;
  const value = shape.kind === 'any' ? `writeText(${variable},p,s)` : emitValue(emitter, shape, variable);
  const write = emitChunks([literal(key), code(value), literal(',')]);
  if (defaultText !== undefined) {
    return `if(${variable}!==undefined){${write}}else{${emitLiteral(key + defaultText)}${emitLiteral(',')}}\n`;
  }
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}
