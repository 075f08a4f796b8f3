/** Owns the code of the long way: an object's properties one by one, for those that lack some or have some to convert. */
import type { ObjectShape, PropertyShape } from '../shape/shape.ts';
import type { Emitter } from './emitter.ts';
import { emitExtras } from './extras.ts';
import { readLeaf, writeLeaf } from './leaf.ts';
import { isPlain } from './native.ts';

/**
 * What may stand before the next property. `n` says what does: 0 nothing, 1 a whole value, 2 a string that lacks its last quote, which
 * then comes with the comma: one concatenation less.
 */
interface Before {
  mayBeEmpty: boolean;
  mayBeOpen: boolean;
}

/** A function of the object and what its properties hold. */
export function emitLongWay(
  emitter: Emitter,
  name: string,
  shape: ObjectShape,
  variables: readonly string[],
): string {
  const before: Before = { mayBeEmpty: true, mayBeOpen: false };
  const lines: string[] = [];
  for (const [index, property] of shape.properties.entries()) {
    lines.push(emitProperty(emitter, property, variables[index]!, before));
    if (property.isRequired || property.defaultText !== undefined) before.mayBeEmpty = false;
    if (isLeftOpen(emitter, property)) before.mayBeOpen = true;
  }
  const extras = emitExtras(emitter, shape, !before.mayBeEmpty);
  if (extras !== '' && before.mayBeOpen) lines.push(`if(n===2){j+='"';n=1;}\n`);
  const end = before.mayBeOpen ? `(n===2?'"}':'}')` : `'}'`;
  return `function ${name}(${['v', ...variables].join(',')}){let j='{',n=0;
${lines.join('')}${extras}return j+${end};}`;
}

function emitProperty(emitter: Emitter, property: PropertyShape, variable: string, before: Before): string {
  const { name, isRequired, defaultText } = property;
  const write = emitPresent(emitter, property, variable, before);
  if (defaultText !== undefined) {
    const absent = emitSeparator(`${JSON.stringify(name)}:${defaultText}`, before);
    return `if(${variable}!==undefined){${write}}else{j+=${absent};n=1;}\n`;
  }
  if (isRequired) return `if(${variable}===undefined)failRequired(${JSON.stringify(name)});${write}\n`;
  return `if(${variable}!==undefined){${write}}\n`;
}

function emitPresent(emitter: Emitter, property: PropertyShape, variable: string, before: Before): string {
  const { name, shape } = property;
  const key = `${JSON.stringify(name)}:`;
  if (isLeftOpen(emitter, property)) {
    const clean = `(isDirty(${variable})?escapeText(${variable}):${variable})`;
    return `if(typeof ${variable}!=='string')${variable}=toStringValue(${variable});j+=${emitSeparator(`${key}"`, before)}+${clean};n=2;`;
  }
  const text = shape.kind === 'any' ? variable : writeLeaf(emitter, shape, variable);
  const separator = emitSeparator(key, before);
  if (!isPlain(shape, 'number') && !isPlain(shape, 'integer')) return `j+=${separator}+${text};n=1;`;
  return `j+=${separator}+(${readLeaf(emitter, shape, variable).guard}?${variable}:${text});n=1;`;
}

function isLeftOpen(emitter: Emitter, { shape }: PropertyShape): boolean {
  return !emitter.strategy.quotesApart && isPlain(shape, 'string');
}

/** An expression for the quote and the comma that are due, and the text after them. */
function emitSeparator(text: string, { mayBeEmpty, mayBeOpen }: Before): string {
  const afterValue = JSON.stringify(`,${text}`);
  const closed = mayBeEmpty ? `n===0?${JSON.stringify(text)}:${afterValue}` : afterValue;
  const separator = mayBeOpen ? `n===2?${JSON.stringify(`",${text}`)}:${closed}` : closed;
  return `(${separator})`;
}
