/** Chooses between concatenation and native serialization of a copy, for each shape. serialization-compiler.md explains why. */
import type { ArrayShape, ObjectShape, Shape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { estimateShape } from '../estimate.ts';
import { readLeaf } from '../text/leaf.ts';

/** If an object has more strings, it is faster to escape only those that need it. */
const fewStrings = 2;
const never = Number.POSITIVE_INFINITY;

/** Whether native code writes the shape faster than concatenation, if the shape has enough values. */
function isNativeFaster(emitter: Emitter, shape: Shape, minValues = 0): boolean {
  if (!emitter.isProjectable(shape)) return false;
  const { values, strings, dates } = estimateShape(shape);
  const { nativeStringShare, nativeDateShare } = emitter.strategy;
  return values >= minValues && strings >= values * nativeStringShare && dates <= values * nativeDateShare;
}

/** Whether an object with many values is always written by native code. */
export function isNativeEntry(emitter: Emitter, shape: ObjectShape): boolean {
  const { nativeFields } = emitter.strategy;
  return nativeFields !== never && isNativeFaster(emitter, shape, nativeFields);
}

/** A condition for writing an object with native code, by the sizes of its values; undefined if the sizes do not matter. */
export function emitNativeTest(
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

/**
 * Usually, each list is written with its own native call. If an object contains little else, one native call for the
 * whole object is faster than joining the texts of the lists.
 */
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

/**
 * Whether an object is written by native code as soon as one of its strings needs escapes. It has few strings, so that
 * one string is a large part of it.
 */
export function isNativeWhenEscaped(emitter: Emitter, shape: ObjectShape, names: readonly string[]): boolean {
  if (names.length === 0 || names.length > fewStrings) return false;
  if (!emitter.isProjectable(shape)) return false;
  // The texts of dates would be created twice: by us, and again within the whole text.
  return !emitter.strategy.quotesApart || estimateShape(shape).dates === 0;
}

/** Writes long arrays with native code. `v` is the array, `l` its length. */
export function emitNativeArray(emitter: Emitter, shape: ArrayShape): string {
  const { nativeRows, nativeStrings, nativeNumbers } = emitter.strategy;
  if (isPlainList(shape)) {
    const minItems = isPlain(shape.item, 'string') ? nativeStrings : nativeNumbers;
    return emitNativeItems(emitter, shape, minItems, (text) => text);
  }
  if (nativeRows === never || !isNativeFaster(emitter, shape)) return '';
  return `if(l>=${nativeRows}&&!isNativeTampered())return ${callNative(emitter, shape)};\n`;
}

/**
 * Writes an array with at least this many items with native code. The items have one plain type and need no conversion.
 * A copy of the array is enough for native code, and the other way to write the array uses this copy too.
 *
 * @param after The statement that uses the text.
 */
export function emitNativeItems(
  emitter: Emitter,
  { item }: ArrayShape,
  minItems: number,
  after: (text: string) => string,
): string {
  if (minItems === never) return '';
  const { guard } = readLeaf(emitter, item, 'v[i]');
  return `if(l>=${minItems}&&!isNativeTampered()){v=copyItems(v);l=v.length;let i=0;while(i<l&&${guard})i++;
if(i===l)return ${after('JSON.stringify(v)')};}\n`;
}

export function isPlain(shape: Shape, kind: 'string' | 'number' | 'integer'): boolean {
  return shape.kind === kind && !shape.nullable && !(shape.kind === 'string' && shape.format !== undefined);
}

/** The text of a copy of `v`. */
export function callNative(emitter: Emitter, shape: Shape): string {
  return `nativeText(${emitter.projector(shape)}(v))`;
}
