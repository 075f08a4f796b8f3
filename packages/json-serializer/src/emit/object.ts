/** Generates the code that writes objects: one concatenation if every property is present and has its type, otherwise one by one. */
import type {
  Conditional,
  ConditionalShape,
  ObjectShape,
  PropertyShape,
  Selector,
  Shape,
} from '../shape/shape.ts';
import { appendChunks, type Chunk, code, joinChunks, literal } from './chunks.ts';
import { joinProperties, readLeaf, writeLeaf } from './leaf.ts';
import { callNative, emitNativeTest, isNativeEntry, isNativeWhenEscaped, isPlain } from './native.ts';
import type { Program } from './program.ts';
import { copyMatching } from './projection.ts';
import {
  nameVariables,
  readProperties,
  readProperty,
  requireProperty,
  writeIfPresent,
} from './properties.ts';
import { emitTest } from './test-code.ts';

/** Where the text of an object goes. The rest is an expression for everything up to the end of the object. */
export interface Target {
  readonly parameters: string;
  after(text: string): string;
  afterChunks(chunks: readonly Chunk[]): string;
}

const standalone: Target = { parameters: 'v', after: (text) => text, afterChunks: joinChunks };

/** An item of an array is appended to the text `j` of the items before it, with a comma if `n` is true. */
export const appended: Target = {
  parameters: 'v,j,n',
  after: (text) => `j+(n?',':'')+${text}`,
  afterChunks: (chunks) => appendChunks('j', 'n', chunks),
};

export function emitObject(
  program: Program,
  name: string,
  shape: ObjectShape,
  target: Target = standalone,
): string {
  const variables = nameVariables(shape.properties);
  const slowPath = `s${shape.number}`;
  program.addFunction(slowPath, () => emitSlowPath(program, slowPath, shape));
  const callSlowPath = target.after(`${slowPath}(${['v', ...variables].join(',')})`);
  const whenNull = target.after(shape.nullable ? "'null'" : "'{}'");
  let [native, fastPath] = ['', ''];
  if (isNativeEntry(program, shape))
    native = `if(!isNativeTampered())return ${target.after(callNative(program, shape))};\n`;
  else if (shape.patterns.length === 0 && shape.additional === undefined && variables.length > 0)
    fastPath = emitFastPath(program, shape, target, callSlowPath);
  return `function ${name}(${target.parameters}){
${native}${readProperties(program, shape, whenNull)}${fastPath}return ${callSlowPath};}`;
}

function emitFastPath(program: Program, shape: ObjectShape, target: Target, callSlowPath: string): string {
  const variables = nameVariables(shape.properties);
  const strings = variables.filter((_, index) => isPlain(shape.properties[index]!.shape, 'string'));
  const isChecked = isNativeWhenEscaped(program, shape, strings);
  const nativeTest = emitNativeTest(program, shape);
  const statements: string[] = [];
  if (nativeTest !== undefined || isChecked) {
    const returnNative = target.after(`nativeText(${copyMatching(program, shape)})`);
    if (nativeTest !== undefined)
      statements.push(`if(${nativeTest}&&!isNativeTampered())return ${returnNative};\n`);
    const needsEscape = strings.map((name) => `needsEscape(${name})`).join('||');
    if (isChecked)
      statements.push(`if(${needsEscape})return isNativeTampered()?${callSlowPath}:${returnNative};\n`);
  }
  const { guard, prepare, chunks } = joinProperties(shape, code, (own, variable) => {
    const leaf = readLeaf(program, own, variable);
    if (!isChecked || !strings.includes(variable)) return leaf;
    return { guard: leaf.guard, chunks: [literal('"'), code(variable), literal('"')] };
  });
  return `if(${guard}){${statements.join('')}${prepare}return ${target.afterChunks(chunks)};}\n`;
}

// On the slow path, the variable `n` says how the text so far ends. After a string, its last quote is not written yet: it
// is written together with the next comma, which saves a concatenation.
const brace = 0;
const value = 1;
const openString = 2;
type Ending = 0 | 1 | 2;

/** A function of the object and the values of its properties, some of which may be missing or must be converted. */
function emitSlowPath(program: Program, name: string, shape: ObjectShape): string {
  const lines: string[] = [];
  let before: Ending[] = [brace];
  for (const [index, property] of shape.properties.entries()) {
    lines.push(emitSlowProperty(program, property, `a${index}`, before));
    before = findEndings(program, property, before);
  }
  const extras = emitExtras(program, shape, !before.includes(brace));
  if (extras !== '' && before.includes(openString)) lines.push(`if(n===2){j+='"';n=1;}\n`);
  const end = before.includes(openString) ? `(n===2?'"}':'}')` : `'}'`;
  return `function ${name}(${['v', ...nameVariables(shape.properties)].join(',')}){let j='{',n=0;
${lines.join('')}${extras}return j+${end};}`;
}

function findEndings(program: Program, property: PropertyShape, before: readonly Ending[]): Ending[] {
  const after: Ending[] = [isLeftOpen(program, property) ? openString : value];
  if (property.defaultText !== undefined) after.push(value);
  else if (!property.isRequired) after.push(...before);
  return [...new Set(after)];
}

function isLeftOpen(program: Program, { shape }: PropertyShape): boolean {
  return !program.strategy.quotesApart && isPlain(shape, 'string');
}

function emitSlowProperty(
  program: Program,
  property: PropertyShape,
  variable: string,
  before: readonly Ending[],
): string {
  const { name, shape } = property;
  const key = `${JSON.stringify(name)}:`;
  const write = isLeftOpen(program, property)
    ? `if(typeof ${variable}!=='string')${variable}=toStringValue(${variable});
j+=${emitAfterEnding(`${key}"`, before)}+(needsEscape(${variable})?escapeText(${variable}):${variable});n=2;`
    : `j+=${emitAfterEnding(key, before)}+${emitSlowValue(program, shape, variable)};n=1;`;
  return writeIfPresent(
    property,
    variable,
    write,
    (text) => `j+=${emitAfterEnding(key + text, before)};n=1;`,
  );
}

function emitSlowValue(program: Program, shape: Shape, variable: string): string {
  if (shape.kind === 'any') return variable;
  const text = writeLeaf(program, shape, variable);
  if (!isPlain(shape, 'number') && !isPlain(shape, 'integer')) return text;
  const exact = shape.kind === 'integer' ? variable : `finiteText(${variable})`;
  return `(${readLeaf(program, shape, variable).guard}?${exact}:${text})`;
}

/** An expression for the quote and the comma that are still needed, and the text after them. */
function emitAfterEnding(text: string, before: readonly Ending[]): string {
  const separators: [Ending, separator: string][] = [
    [openString, '",'],
    [brace, ''],
    [value, ','],
  ];
  const [last, ...others] = separators.filter(([ending]) => before.includes(ending)).reverse();
  return others.reduce(
    (rest, [ending, separator]) => `(n===${ending}?${JSON.stringify(separator + text)}:${rest})`,
    JSON.stringify(last![1] + text),
  );
}

/** Reads and writes one property after the other: if they depend on conditions, or if there are very many. */
export function emitOneByOne(program: Program, name: string, shape: ObjectShape | ConditionalShape): string {
  const selectors = shape.kind === 'object' ? [] : shape.selectors;
  const leaves = selectors.map((selector, index) => {
    const select = `d${shape.number}_${index}`;
    program.addFunction(select, () => `function ${select}(v){${emitSelector(program, selector)}}`);
    return `const g${index}=${select}(v);\n`;
  });
  const required = shape.otherRequired.map((each) =>
    typeof each === 'string' ? requireProperty(each) : emitWhen(each.when, requireProperty(each.name)),
  );
  const properties = shape.properties.map((property) =>
    emitWhen((property as Partial<Conditional>).when, emitProperty(program, property)),
  );
  const extras = shape.kind === 'object' ? emitExtras(program, shape, false) : '';
  return `function ${name}(v){
${leaves.join('')}if(v!==null&&typeof v.toJSON==='function')v=v.toJSON();
if(v===null)return '${shape.nullable ? 'null' : '{}'}';
${required.join('')}let j='{',n=0,e;
${properties.join('')}${extras}return j+'}';}`;
}

/** Statements that return the number of a leaf. */
function emitSelector(program: Program, selector: Selector): string {
  if (typeof selector === 'number') return `return ${selector};`;
  const branches = selector.branches.map(({ test, next }) => {
    const inner = emitSelector(program, next);
    return test.kind === 'always' ? inner : `if(${emitTest(program, test, 'v')}){${inner}}\n`;
  });
  const isCertain = selector.branches.at(-1)?.test.kind === 'always';
  return branches.join('') + (isCertain ? '' : `return failMatch(${JSON.stringify(selector.schemaPath)});`);
}

function emitWhen(when: Conditional['when'], statement: string): string {
  return when === undefined ? statement : `if(g${when.selector}===${when.leaf}){${statement}}\n`;
}

function emitProperty(program: Program, { name, shape, isRequired, defaultText }: PropertyShape): string {
  const key = `${JSON.stringify(name)}:`;
  const [read, text] =
    shape.kind === 'any'
      ? [`anyText(${readProperty(name)})`, 'e']
      : [readProperty(name), writeLeaf(program, shape, 'e')];
  const write = `e=${read};if(e!==undefined){j+=${emitAfterComma(key)}+${text};}`;
  if (defaultText !== undefined) return `${write}else{j+=${emitAfterComma(key + defaultText)};}\n`;
  return isRequired ? `${write}else failRequired(${JSON.stringify(name)});\n` : `${write}\n`;
}

/** An expression for a comma, if one is needed, and the text after it. */
function emitAfterComma(text: string): string {
  return `(n?${JSON.stringify(`,${text}`)}:(n=1,${JSON.stringify(text)}))`;
}

/** Writes the properties that the schema does not declare by name: patternProperties and additionalProperties. */
function emitExtras(program: Program, shape: ObjectShape, isStarted: boolean): string {
  if (shape.patterns.length === 0 && shape.additional === undefined) return '';
  const declared = shape.properties.map(({ name }) => name);
  const isDeclared = declared.length === 0 ? '' : `if(${program.nameSet(declared)}.has(k))continue;\n`;
  const patterns = shape.patterns.map(
    ({ pattern, shape: own }) =>
      `if(${program.pattern(pattern)}.test(k)){${emitExtra(program, own, isStarted)}continue;}\n`,
  );
  const rest = shape.additional === undefined ? '' : emitExtra(program, shape.additional, isStarted);
  return `for(const k of Object.keys(v)){${isDeclared}const e=readExtra(v,k);if(e===undefined)continue;
${patterns.join('')}${rest}}\n`;
}

function emitExtra(program: Program, shape: Shape, isStarted: boolean): string {
  if (shape.kind === 'never') return '';
  const separator = isStarted ? `','` : `(n?',':(n=1,''))`;
  if (shape.kind === 'any') return `const t=anyText(e);if(t!==undefined)j+=${separator}+quote(k)+':'+t;`;
  return `j+=${separator}+quote(k)+':'+${writeLeaf(program, shape, 'e')};`;
}
