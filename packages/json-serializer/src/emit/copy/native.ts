/** Owns the decision between concatenation and native serialization of a copy, per shape. Why: serialization-compiler.md. */
import type { ArrayShape, ObjectShape, Shape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { estimateShape } from '../estimate.ts';
import { readLeaf } from '../text/leaf.ts';

/** In an object of more strings, one that needs escapes is better escaped alone. */
const fewStrings = 2;
const never = Number.POSITIVE_INFINITY;

/** Whether native code writes the shape faster than concatenation, once there is enough of it. */
function isNativeFaster(emitter: Emitter, shape: Shape, leastValues = 0): boolean {
  if (!emitter.isProjectable(shape)) return false;
  const { values, strings, dates } = estimateShape(shape);
  const { nativeStringShare, nativeDateShare } = emitter.strategy;
  return values >= leastValues && strings >= values * nativeStringShare && dates <= values * nativeDateShare;
}

/** Whether an object of many values is handed to native code at once. */
export function isNativeEntry(emitter: Emitter, shape: ObjectShape): boolean {
  const { nativeFields } = emitter.strategy;
  return nativeFields !== never && isNativeFaster(emitter, shape, nativeFields);
}

/** A condition for handing an object to native code by the size of what its variables hold; undefined if that says nothing. */
export function emitLongTest(
  emitter: Emitter,
  shape: ObjectShape,
  variables: readonly string[],
): string | undefined {
  if (!emitter.isProjectable(shape)) return undefined;
  return emitTextTest(emitter, shape, variables) ?? emitListTest(emitter, shape, variables);
}

function emitTextTest(
  { strategy }: Emitter,
  { properties }: ObjectShape,
  variables: readonly string[],
): string | undefined {
  const names = variables.filter((_, index) => isPlain(properties[index]!.shape, 'string'));
  const { nativeChars, nativeCharsTo } = strategy;
  if (nativeChars === never || names.length === 0) return undefined;
  const chars = names.map((name) => `${name}.length`).join('+');
  return nativeCharsTo === never
    ? `${chars}>=${nativeChars}`
    : `${chars}>=${nativeChars}&&${chars}<${nativeCharsTo}`;
}

/** Lists go native each by itself. One call for all of them, instead of joining their texts, is right where little else is to write. */
function emitListTest(
  { strategy }: Emitter,
  { properties }: ObjectShape,
  variables: readonly string[],
): string | undefined {
  const lists = variables.filter((_, index) => isPlainList(properties[index]!.shape));
  const areOthersSmall = properties.every(
    ({ shape }) => isPlainList(shape) || smallKinds.includes(shape.kind),
  );
  if (lists.length < 2 || !areOthersSmall) return undefined;
  const lengths = lists.map((name) => `(Array.isArray(${name})?${name}.length:0)`);
  return `${lengths.join('+')}>=${strategy.nativeListItems}`;
}

const smallKinds: readonly Shape['kind'][] = ['integer', 'number', 'boolean', 'null'];

function isPlainList(shape: Shape): boolean {
  return (
    shape.kind === 'array' &&
    (['string', 'number', 'integer'] as const).some((kind) => isPlain(shape.item, kind))
  );
}

/** Whether an object goes native as soon as one of its strings needs escapes: it has few, so that most of it does. */
export function isNativeWhenEscaped(emitter: Emitter, shape: ObjectShape, names: readonly string[]): boolean {
  if (emitter.strategy.escapesApart || names.length === 0 || names.length > fewStrings) return false;
  if (!emitter.isProjectable(shape)) return false;
  // Texts of dates would be made twice over: by us, and again with the rest.
  return !emitter.strategy.quotesApart || estimateShape(shape).dates === 0;
}

/** Hands long arrays to native code. `v` is the array, `l` its length. */
export function emitNativeArray(emitter: Emitter, shape: ArrayShape): string {
  const { nativeRows, nativeStrings, nativeNumbers } = emitter.strategy;
  if (isPlainList(shape)) {
    const least = isPlain(shape.item, 'string') ? nativeStrings : nativeNumbers;
    return emitNativeItems(emitter, shape, least, (text) => text);
  }
  if (nativeRows === never || !isNativeFaster(emitter, shape)) return '';
  return `if(l>=${nativeRows}&&!isNativeTampered())return ${callNative(emitter, shape)};\n`;
}

/**
 * Hands an array of so many items to native code. They are of one plain type, which needs no conversion: a copy is enough, and the copy
 * is what is written otherwise too.
 *
 * @param after What becomes of the text.
 * @param condition What else must hold for the copy `v`.
 */
export function emitNativeItems(
  emitter: Emitter,
  { item }: ArrayShape,
  least: number,
  after: (text: string) => string,
  condition = 'true',
): string {
  if (least === never) return '';
  const { guard } = readLeaf(emitter, item, 'v[i]');
  return `if(l>=${least}&&!isNativeTampered()){v=copyItems(v);l=v.length;let i=0;if(${condition})while(i<l&&${guard})i++;
if(i===l)return ${after('JSON.stringify(v)')};}\n`;
}

export function isPlain(shape: Shape, kind: 'string' | 'number' | 'integer'): boolean {
  return shape.kind === kind && !shape.nullable && !(shape.kind === 'string' && shape.format !== undefined);
}

/** The text of a copy of `v`. */
export function callNative(emitter: Emitter, shape: Shape): string {
  return `nativeText(${emitter.projector(shape)}(v))`;
}
