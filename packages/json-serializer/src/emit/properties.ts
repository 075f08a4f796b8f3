/** Owns the code that reads the declared properties of a value, each once: a getter runs once. */
import type { ObjectShape } from '../shape/shape.ts';
import type { Emitter } from './emitter.ts';

/** The variables that `readProperties` declares: one for each property, in the order of output. */
export function nameVariables(shape: ObjectShape): string[] {
  return shape.properties.map((_, index) => `a${index}`);
}

/** Statements that read each property of `v` into its variable, or return `whenNull`, or fail for what is required elsewhere. */
export function readProperties(emitter: Emitter, shape: ObjectShape, whenNull: string): string {
  const enter = `if(v!==null&&typeof v.toJSON==='function')v=v.toJSON();\nif(v===null)return ${whenNull};\n`;
  const required = shape.otherRequired
    .map((name) => `if(${readProperty(name)}===undefined)failRequired(${JSON.stringify(name)});\n`)
    .join('');
  if (shape.properties.length === 0) return enter + required;
  const reads = shape.properties.map(({ name, shape: own }, index) => {
    const value = readProperty(name);
    return `a${index}=${own.kind === 'any' ? `anyText(${value})` : value}`;
  });
  if (!isOftenSparse(emitter, shape)) return `${enter}${required}const ${reads.join(',')};\n`;
  const [names, walk] = walkNames(shape, reads);
  return `let ${nameVariables(shape).join(',')};const k=${names};
if(k===undefined){${enter}${required}${reads.join(';')};}
else{${required}${walk}}
`;
}

function readProperty(name: string): string {
  const key = JSON.stringify(name);
  return name in Object.prototype ? `readOwn(v,${key})` : `v[${key}]`;
}

/** Whether values of the shape are likely to lack most of what it declares. */
function isOftenSparse({ strategy }: Emitter, { properties }: ObjectShape): boolean {
  const optional = properties.filter(({ isRequired }) => !isRequired);
  return optional.length >= strategy.sparseFields && optional.length * 2 > properties.length;
}

/**
 * Objects of many hidden classes are slow to ask for each declared name. One that holds few is walked instead, if nothing but its own
 * properties can answer: no proxy, no class, and nothing declared on `Object.prototype`. Gives an expression for the names to walk,
 * undefined where it is asked for each, and the statement that walks them.
 */
function walkNames({ properties }: ObjectShape, reads: readonly string[]): [names: string, walk: string] {
  const inheritable = properties.map(({ name }) => name).filter((name) => !(name in Object.prototype));
  const isInherited = ['toJSON', ...inheritable].map((name) => `${JSON.stringify(name)}in bare`).join('||');
  const cases = properties.map(({ name }, index) => `case ${JSON.stringify(name)}:${reads[index]};break;\n`);
  return [
    `${isInherited}?undefined:fewNames(v,${properties.length >> 1})`,
    `for(let i=0;i<k.length;i++)switch(k[i]){\n${cases.join('')}}\n`,
  ];
}
