/** Owns the code that writes objects into a sink: at once when every property is there and of its type, else one by one. */
import type { ObjectShape, PropertyShape, Shape } from '../../shape/shape.ts';
import { type Chunk, code, literal } from '../chunks.ts';
import type { Emitter } from '../emitter.ts';
import { nameVariables, readProperties } from '../properties.ts';
import { type PutLeaf, putValue, readPutLeaf } from './put-leaf.ts';
import { closeList, leave, makeRoom, putChunks, putLiteral } from './statements.ts';

export function emitPutObject(emitter: Emitter, name: string, shape: ObjectShape): string {
  const variables = nameVariables(shape);
  const longWay = `l${shape.number}`;
  emitter.addFunction(longWay, () => emitLongWay(emitter, longWay, shape, variables));
  const whenNull = `putText('${shape.nullable ? 'null' : '{}'}',p,s)`;
  return `function ${name}(v,p,s){
${readProperties(emitter, shape, whenNull)}${makeRoom}${emitShort(emitter, shape, variables)}return ${longWay}(${['v', ...variables].join(',')},p,s);}`;
}

function emitShort(emitter: Emitter, { properties }: ObjectShape, variables: readonly string[]): string {
  if (properties.length === 0) return '';
  const guards: string[] = [];
  const chunks: Chunk[] = [];
  for (const [index, { name, shape }] of properties.entries()) {
    const leaf = readPropertyLeaf(emitter, shape, variables[index]!);
    guards.push(leaf.guard ?? `${variables[index]}!==undefined`);
    chunks.push(literal(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`), ...leaf.chunks);
  }
  return `if(${guards.join('&&')}){${putChunks([...chunks, literal('}')])}${leave}}\n`;
}

function readPropertyLeaf(emitter: Emitter, shape: Shape, variable: string): PutLeaf {
  // Its variable holds its text already.
  if (shape.kind === 'any') return { guard: undefined, chunks: [code(`putText(${variable},p,s)`)] };
  return readPutLeaf(emitter, shape, variable);
}

/** A function of the object and what its properties hold. */
function emitLongWay(
  emitter: Emitter,
  name: string,
  { properties }: ObjectShape,
  variables: readonly string[],
): string {
  const lines = properties.map((property, index) => emitProperty(emitter, property, variables[index]!));
  return `function ${name}(${['v', ...variables].join(',')},p,s){${putLiteral('{')}
${lines.join('')}${closeList('}')}${leave}}`;
}

function emitProperty(emitter: Emitter, property: PropertyShape, variable: string): string {
  const { name, shape, isRequired, defaultText } = property;
  const key = `${JSON.stringify(name)}:`;
  const put = shape.kind === 'any' ? `putText(${variable},p,s)` : putValue(emitter, shape, variable);
  const write = putChunks([literal(key), code(put), literal(',')]);
  if (defaultText !== undefined) {
    return `if(${variable}!==undefined){${write}}else{${putLiteral(key + defaultText)}${putLiteral(',')}}\n`;
  }
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}
