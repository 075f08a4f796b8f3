/** Generates the code that reads the declared properties of a value, each once: a getter runs once. */
import type { ObjectShape, PropertyShape } from '../shape/shape.ts';
import type { Program } from './program.ts';

/** Objects with more properties are written one by one, because a function cannot have a variable for each. */
export const maxVariables = 1000;

/** Number of optional properties from which an object without most of them is walked, instead of reading each. */
const manyOptional = 16;

/** How many objects are not walked after one with too many properties, because the next ones are probably similar. */
const pauseLength = 64;

/** One variable for each property in the order of output, as `readProperties` declares them, or for each item. */
export function nameVariables(list: readonly unknown[]): string[] {
  return list.map((_, index) => `a${index}`);
}

/**
 * Statements that read each property of `v` into its variable. They return `whenNull` for null, and throw if a required
 * property without a declaration is missing.
 */
export function readProperties(program: Program, shape: ObjectShape, whenNull: string): string {
  const enter = `if(v!==null&&typeof v.toJSON==='function')v=v.toJSON();\nif(v===null)return ${whenNull};\n`;
  const required = shape.otherRequired.map(requireProperty).join('');
  if (shape.properties.length === 0) return enter + required;
  const reads = shape.properties.map(({ name, shape: own }, index) => {
    const value = readProperty(name);
    return `a${index}=${own.kind === 'any' ? `anyText(${value})` : value}`;
  });
  if (!isOftenSparse(shape)) return `${enter}${required}const ${reads.join(',')};\n`;
  return `let ${nameVariables(shape.properties).join(',')},k;
${findNames(program, shape)}if(k===undefined){${enter}${required}${reads.join(';')};}
else{${required}for(let i=0;i<k.length;i++)switch(k[i]){
${shape.properties.map(({ name }, index) => `case ${JSON.stringify(name)}:${reads[index]};break;\n`).join('')}}}
`;
}

export function requireProperty(name: string): string {
  return `if(${readProperty(name)}===undefined)failRequired(${JSON.stringify(name)});\n`;
}

/** Whether values of the shape probably lack most of the declared properties. */
function isOftenSparse({ properties }: ObjectShape): boolean {
  const optional = properties.filter(({ isRequired }) => !isRequired);
  return optional.length >= manyOptional && optional.length * 2 > properties.length;
}

/**
 * If objects have many hidden classes, reading each declared property is slow. So an object with few properties is
 * walked instead, if only its own properties can provide values: it is no proxy and no class instance, and
 * `Object.prototype` has none of the declared names. These statements store its names in `k`.
 */
function findNames(program: Program, { number, properties }: ObjectShape): string {
  const inheritable = properties.map(({ name }) => name).filter((name) => !(name in Object.prototype));
  const isInherited = ['toJSON', ...inheritable]
    .map((name) => `${JSON.stringify(name)}in emptyObject`)
    .join('||');
  const pause = `d${number}`;
  program.addVariable(pause, '0');
  return `if(${pause}>0)${pause}--;
else if(!(${isInherited})&&(k=fewNames(v,${properties.length >> 1}))===undefined)${pause}=${pauseLength};
`;
}

export function readProperty(name: string): string {
  const key = JSON.stringify(name);
  return name in Object.prototype ? `readOwn(v,${key})` : `v[${key}]`;
}

/** Statements that write a property whose value is in a variable. */
export function writeIfPresent(
  { name, isRequired, defaultText }: PropertyShape,
  variable: string,
  write: string,
  writeDefault: (text: string) => string,
): string {
  if (defaultText !== undefined)
    return `if(${variable}!==undefined){${write}}else{${writeDefault(defaultText)}}\n`;
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}
