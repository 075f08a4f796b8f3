/** Generates the code that writes objects: one concatenation if every property is present and has its type, otherwise one by one. */
import type { ObjectShape, Shape } from '../../shape/shape.ts';
import { appendChunks, type Chunk, code, joinChunks, literal } from '../chunks.ts';
import { callNative, emitNativeTest, isNativeEntry, isNativeWhenEscaped, isPlain } from '../copy/native.ts';
import { copyMatching } from '../copy/projection.ts';
import type { Emitter } from '../emitter.ts';
import { nameVariables, readProperties } from '../properties.ts';
import { type Leaf, readLeaf } from './leaf.ts';
import { emitSlowPath } from './slow-path.ts';

/** Where the text of an object goes. The rest is an expression for everything up to the end of the object. */
interface Target {
  readonly parameters: string;
  after(text: string): string;
  afterChunks(chunks: readonly Chunk[]): string;
}

const standalone: Target = { parameters: 'v', after: (text) => text, afterChunks: joinChunks };

/** After the text `j`, with a comma if `n` is true. */
const appended: Target = {
  parameters: 'v,j,n',
  after: (text) => `j+(n?',':'')+${text}`,
  afterChunks: (chunks) => appendChunks('j', 'n', chunks),
};

export function emitObject(emitter: Emitter, name: string, shape: ObjectShape): string {
  return emitAt(emitter, name, shape, standalone);
}

/** The same for an item of an array, which is appended to the items before it. */
export function emitAppender(emitter: Emitter, name: string, shape: ObjectShape): string {
  return emitAt(emitter, name, shape, appended);
}

function emitAt(emitter: Emitter, name: string, shape: ObjectShape, target: Target): string {
  const variables = nameVariables(shape);
  const slowPath = `s${shape.number}`;
  emitter.addFunction(slowPath, () => emitSlowPath(emitter, slowPath, shape, variables));
  const callSlowPath = target.after(`${slowPath}(${['v', ...variables].join(',')})`);
  const isNative = isNativeEntry(emitter, shape);
  const native = isNative
    ? `if(!isNativeTampered())return ${target.after(callNative(emitter, shape))};\n`
    : '';
  const hasFastPath = !isNative && shape.patterns.length === 0 && shape.additional === undefined;
  const fastPath =
    hasFastPath && variables.length > 0 ? emitFastPath(emitter, shape, target, callSlowPath) : '';
  const whenNull = target.after(shape.nullable ? "'null'" : "'{}'");
  return `function ${name}(${target.parameters}){
${native}${readProperties(emitter, shape, whenNull)}${fastPath}return ${callSlowPath};}`;
}

function emitFastPath(emitter: Emitter, shape: ObjectShape, target: Target, callSlowPath: string): string {
  const variables = nameVariables(shape);
  const strings = variables.filter((_, index) => isPlain(shape.properties[index]!.shape, 'string'));
  const isChecked = isNativeWhenEscaped(emitter, shape, strings);
  const nativeTest = emitNativeTest(emitter, shape, variables);
  const guards: string[] = [];
  const statements: string[] = [];
  if (nativeTest !== undefined || isChecked) {
    const returnNative = target.after(`nativeText(${copyMatching(emitter, shape, variables)})`);
    if (nativeTest !== undefined)
      statements.push(`if(${nativeTest}&&!isNativeTampered())return ${returnNative};\n`);
    const needsEscape = strings.map((name) => `needsEscape(${name})`).join('||');
    if (isChecked)
      statements.push(`if(${needsEscape})return isNativeTampered()?${callSlowPath}:${returnNative};\n`);
  }
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
  return `if(${guards.join('&&')}){${statements.join('')}return ${target.afterChunks(chunks)};}\n`;
}

function readPropertyLeaf(emitter: Emitter, shape: Shape, variable: string): Leaf {
  // The variable already contains the text.
  if (shape.kind === 'any') return { guard: undefined, prepare: '', chunks: [code(variable)] };
  return readLeaf(emitter, shape, variable);
}
