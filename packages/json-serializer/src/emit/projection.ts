/** Generates the code that copies declared values into plain objects and arrays, so that native code can serialize them fast. */
import type {
  ArrayShape,
  ChoiceShape,
  ObjectShape,
  PropertyShape,
  Shape,
  TupleShape,
} from '../shape/shape.ts';
import { dateFunctions, findNullable, readLeaf } from './leaf.ts';
import type { Program } from './program.ts';
import { nameVariables, readProperties } from './properties.ts';
import { checkArray, checkItem, emitBranches, emitTest } from './test-code.ts';

/** A function of a value that returns its copy. */
export function emitProjection(program: Program, name: string, shape: Shape): string {
  switch (shape.kind) {
    case 'object':
      return emitObjectCopy(program, name, shape);
    case 'array':
      return emitArrayCopy(program, name, shape);
    case 'tuple':
      return emitTupleCopy(program, name, shape);
    case 'choice': {
      const whenNull = shape.nullable ? 'if(v===null)return null;' : '';
      return `function ${name}(v){${whenNull}
${emitBranches(program, shape, (branch) => projectValue(program, branch, 'v'))}}`;
    }
    default:
      return `function ${name}(v){return ${projectValue(program, shape, 'v')};}`;
  }
}

function emitObjectCopy(program: Program, name: string, shape: ObjectShape): string {
  const variables = nameVariables(shape.properties);
  const list = variables.join(',');
  const convert = `q${shape.number}`;
  const whenNull = shape.nullable ? 'null' : '{}';
  if (list === '') return `function ${name}(v){\n${readProperties(program, shape, whenNull)}return {};}`;
  program.addFunction(convert, () => emitConversion(program, convert, shape));
  const guards = shape.properties.map(
    (property, index) =>
      readLeaf(program, property.shape, variables[index]!).guard ?? `${variables[index]}!==undefined`,
  );
  return `function ${name}(v){
${readProperties(program, shape, whenNull)}return ${guards.join('&&')}?${copyMatching(program, shape)}:${convert}(${list});}`;
}

/** A literal of the properties, for variables that pass the fast path's condition. One condition and one literal is the fastest way. */
export function copyMatching(program: Program, shape: ObjectShape): string {
  const entries = shape.properties.map((property, index) => {
    const variable = `a${index}`;
    const isUnchanged = readLeaf(program, property.shape, variable).guard !== undefined;
    return `${nameKey(property.name)}:${isUnchanged ? variable : projectValue(program, property.shape, variable)}`;
  });
  return `{${entries.join(',')}}`;
}

/** The same for all other objects: properties may be missing or need conversion. */
function emitConversion(program: Program, name: string, shape: ObjectShape): string {
  const checks: string[] = [];
  const entries: string[] = [];
  for (const [index, property] of shape.properties.entries()) {
    const variable = `a${index}`;
    if (property.isRequired && property.defaultText === undefined) {
      checks.push(`if(${variable}===undefined)failRequired(${JSON.stringify(property.name)});`);
    }
    entries.push(`${nameKey(property.name)}:${projectProperty(program, property, variable)}`);
  }
  return `function ${name}(${nameVariables(shape.properties).join(',')}){${checks.join('')}return {${entries.join(',')}};}`;
}

/** A computed name, because `"__proto__": x` would set the prototype. */
function nameKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
}

function emitArrayCopy(program: Program, name: string, shape: ArrayShape): string {
  const guard = readLeaf(program, shape.item, 'e').guard;
  const convert = `r[i]=${projectValue(program, shape.item, 'e')};`;
  return `function ${name}(v){if(v===null)return ${shape.nullable ? 'null' : '[]'};
${checkArray(shape.schemaPath)}const r=copyItems(v);
for(let i=0;i<r.length;i++){const e=r[i];${guard === undefined ? convert : `if(!(${guard}))${convert}`}}return r;}`;
}

function emitTupleCopy(program: Program, name: string, shape: TupleShape): string {
  const list = nameVariables(shape.items);
  const lines: string[] = [];
  for (const [index, { shape: item, accepts }] of shape.items.entries()) {
    const check = checkItem(program, accepts, index);
    lines.push(`if(l===${index})return [${list.slice(0, index)}];e=v[${index}];${check}`);
    lines.push(`const a${index}=${projectValue(program, item, 'e')};\n`);
  }
  return `function ${name}(v){if(v===null)return ${shape.nullable ? 'null' : '[]'};
${checkArray(shape.schemaPath)}const l=v.length;
${emitMatchingTuple(program, shape)}let e;if(l>${list.length})failItem(${list.length});
${lines.join('')}return [${list}];}`;
}

/** One condition and one literal for a tuple that is complete and whose items have their types. */
function emitMatchingTuple(program: Program, { items }: TupleShape): string {
  const guards = items.map(({ shape }, index) => readLeaf(program, shape, `a${index}`).guard);
  if (items.length === 0 || guards.includes(undefined)) return '';
  const reads = items.map((_, index) => `a${index}=v[${index}]`).join(',');
  return `if(l===${items.length}){const ${reads};if(${guards.join('&&')})return [${nameVariables(items)}];}\n`;
}

function projectProperty(program: Program, property: PropertyShape, name: string): string {
  const { shape, isRequired, defaultText } = property;
  const value = projectValue(program, shape, name);
  if (isRequired && defaultText === undefined) return value;
  const absent = defaultText === undefined ? 'undefined' : program.json(defaultText);
  return `${name}===undefined?${absent}:${value}`;
}

function projectValue(program: Program, shape: Shape, name: string): string {
  if (shape.kind === 'choice' && findNullable(shape) !== undefined)
    return projectNullable(program, shape, name);
  const value = projectNonNull(program, shape, name);
  const handlesNull = ['object', 'array', 'tuple', 'choice', 'null'].includes(shape.kind);
  return shape.nullable && !handlesNull ? `(${name}===null?null:${value})` : value;
}

function projectNullable(program: Program, shape: ChoiceShape, name: string): string {
  const optional = findNullable(shape)!;
  const test = emitTest(program, shape.branches[1]!.test, name);
  const failure = `failMatch(${JSON.stringify(shape.schemaPath)})`;
  return `(${name}===null?null:${test}?${projectNonNull(program, optional, name)}:${failure})`;
}

function projectNonNull(program: Program, shape: Shape, name: string): string {
  switch (shape.kind) {
    case 'string':
      if (shape.format !== undefined) return `${dateFunctions[shape.format].value}(${name})`;
      return `(typeof ${name}==='string'?${name}:toStringValue(${name}))`;
    case 'integer':
      return `(Number.isInteger(${name})?${name}:toNative(${name}))`;
    case 'number':
      return `((typeof ${name}==='number'&&${name}===${name})?${name}:toNativeNumber(${name}))`;
    case 'boolean':
      return `!!${name}`;
    case 'null':
      return 'null';
    case 'const':
      return program.json(shape.text);
    default:
      return `${program.projector(shape)}(${name})`;
  }
}
