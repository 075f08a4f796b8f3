/** Generates the code of the slow path, which writes properties one by one: for objects in which some are missing or must be converted. */
import type { ObjectShape, PropertyShape } from '../../shape/shape.ts';
import { isPlain } from '../copy/native.ts';
import type { Emitter } from '../emitter.ts';
import { emitExtras } from './extras.ts';
import { finiteCode, readLeaf, writeLeaf } from './leaf.ts';

// The variable `n` says how the text so far ends. After a string, its last quote is not written yet: it is written
// together with the next comma, which saves a concatenation.
const brace = 0;
const value = 1;
const openString = 2;
type Ending = 0 | 1 | 2;

/** A function of the object and the values of its properties. */
export function emitSlowPath(
  emitter: Emitter,
  name: string,
  shape: ObjectShape,
  variables: readonly string[],
): string {
  const lines: string[] = [];
  let before: Ending[] = [brace];
  for (const [index, property] of shape.properties.entries()) {
    lines.push(emitProperty(emitter, property, variables[index]!, before));
    before = findEndings(emitter, property, before);
  }
  const extras = emitExtras(emitter, shape, !before.includes(brace));
  if (extras !== '' && before.includes(openString)) lines.push(`if(n===2){j+='"';n=1;}\n`);
  const end = before.includes(openString) ? `(n===2?'"}':'}')` : `'}'`;
  return `function ${name}(${['v', ...variables].join(',')}){let j='{',n=0;
${lines.join('')}${extras}return j+${end};}`;
}

function findEndings(emitter: Emitter, property: PropertyShape, before: readonly Ending[]): Ending[] {
  const after: Ending[] = [isLeftOpen(emitter, property) ? openString : value];
  if (property.defaultText !== undefined) after.push(value);
  else if (!property.isRequired) after.push(...before);
  return [...new Set(after)];
}

function isLeftOpen(emitter: Emitter, { shape }: PropertyShape): boolean {
  return !emitter.strategy.quotesApart && isPlain(shape, 'string');
}

function emitProperty(
  emitter: Emitter,
  property: PropertyShape,
  variable: string,
  before: readonly Ending[],
): string {
  const { name, isRequired, defaultText } = property;
  const write = emitPresent(emitter, property, variable, before);
  if (defaultText !== undefined) {
    const absent = emitSeparator(`${JSON.stringify(name)}:${defaultText}`, before);
    return `if(${variable}!==undefined){${write}}else{j+=${absent};n=1;}\n`;
  }
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}

function emitPresent(
  emitter: Emitter,
  property: PropertyShape,
  variable: string,
  before: readonly Ending[],
): string {
  const { name, shape } = property;
  const key = `${JSON.stringify(name)}:`;
  if (isLeftOpen(emitter, property)) {
    const text = `(needsEscape(${variable})?escapeText(${variable}):${variable})`;
    return `if(typeof ${variable}!=='string')${variable}=toStringValue(${variable});
j+=${emitSeparator(`${key}"`, before)}+${text};n=2;`;
  }
  const text = shape.kind === 'any' ? variable : writeLeaf(emitter, shape, variable);
  const isNumeric = isPlain(shape, 'number') || isPlain(shape, 'integer');
  const guard = isNumeric ? readLeaf(emitter, shape, variable).guard : undefined;
  const written = guard === undefined ? text : `(${guard}?${finiteCode(shape, variable)}:${text})`;
  return `j+=${emitSeparator(key, before)}+${written};n=1;`;
}

/** An expression for the quote and the comma that are still needed, and the text after them. */
function emitSeparator(text: string, before: readonly Ending[]): string {
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
