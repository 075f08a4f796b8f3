/** Owns the decision between concatenation and native serialization of a copy, per shape. Why: serialization-compiler.md. */
import type { ArrayShape, ObjectShape, Shape } from '../shape/shape.ts';
import type { Emitter } from './emitter.ts';
import { readLeaf } from './leaf.ts';
import { mostVariables } from './properties.ts';

/** How many items an array is taken to have, when its weight inside an object is estimated. */
const assumedItems = 4;
/** In an object of more strings, one that needs escapes is better escaped alone. */
const fewStrings = 2;
const never = Number.POSITIVE_INFINITY;

/** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
export function isProjectable(shape: Shape, known: Map<Shape, boolean>): boolean {
  // Assumed to be while asking, so that recursive shapes end. A no is certain at once, a yes not before all that it rests on is.
  const assumed = new Set<Shape>();
  function ask(inner: Shape): boolean {
    const answer = known.get(inner);
    if (answer !== undefined) return answer;
    if (assumed.has(inner)) return true;
    assumed.add(inner);
    const found = findProjectable(inner, ask);
    if (!found) known.set(inner, false);
    return found;
  }
  if (!ask(shape)) return false;
  for (const each of assumed) known.set(each, true);
  return true;
}

function findProjectable(shape: Shape, ask: (inner: Shape) => boolean): boolean {
  switch (shape.kind) {
    case 'object':
      return (
        shape.patterns.length === 0 &&
        shape.additional === undefined &&
        shape.properties.length <= mostVariables &&
        shape.properties.every((property) => !isIndex(property.name) && ask(property.shape))
      );
    case 'array':
      return ask(shape.item);
    case 'choice':
      return shape.branches.every((branch) => ask(branch.shape));
    case 'tuple':
      return shape.rest === undefined && shape.items.every((item) => ask(item.shape));
    case 'conditional':
    case 'never':
    case 'any':
      return false;
    default:
      return true;
  }
}

/** Names like `0`: an object holds them first, whatever the order of the schema. */
function isIndex(name: string): boolean {
  return String(Number(name) >>> 0) === name;
}

/** What a shape writes, by and large: the counts that decide which way is faster. */
interface Weight {
  values: number;
  strings: number;
  dates: number;
}

/** Each shape is weighed once, since schemas that refer to one another have more paths through them than can be walked. */
function weigh(shape: Shape, known = new Map<Shape, Weight>()): Weight {
  const answer = known.get(shape);
  if (answer !== undefined) return answer;
  // What a shape holds of itself weighs little.
  known.set(shape, { values: 1, strings: 0, dates: 0 });
  const weight = weighInside(shape, (inner) => weigh(inner, known));
  known.set(shape, weight);
  return weight;
}

function weighInside(shape: Shape, ask: (inner: Shape) => Weight): Weight {
  switch (shape.kind) {
    case 'object':
      return sum(shape.properties.map((property) => ask(property.shape)));
    case 'tuple':
      return sum(shape.items.map((item) => ask(item.shape)));
    case 'array':
      return sum(new Array<Weight>(assumedItems).fill(ask(shape.item)));
    case 'choice':
      return shape.branches
        .map((branch) => ask(branch.shape))
        .reduce((most, each) => (each.values > most.values ? each : most));
    case 'string':
      return {
        values: 1,
        strings: shape.format === undefined ? 1 : 0,
        dates: shape.format === undefined ? 0 : 1,
      };
    default:
      return { values: 1, strings: 0, dates: 0 };
  }
}

function sum(weights: readonly Weight[]): Weight {
  const total = { values: 0, strings: 0, dates: 0 };
  for (const { values, strings, dates } of weights) {
    total.values += values;
    total.strings += strings;
    total.dates += dates;
  }
  return total;
}

/** Whether native code writes the shape faster than concatenation, once there is enough of it. */
function isNativeFaster(emitter: Emitter, shape: Shape, leastValues = 0): boolean {
  if (!emitter.isProjectable(shape)) return false;
  const { values, strings, dates } = weigh(shape);
  const { nativeStringShare, nativeDateShare } = emitter.strategy;
  return values >= leastValues && strings >= values * nativeStringShare && dates <= values * nativeDateShare;
}

/** Whether an object of many values is handed to native code at once. */
export function isNativeEntry(emitter: Emitter, shape: ObjectShape): boolean {
  const { nativeFields } = emitter.strategy;
  return nativeFields !== never && isNativeFaster(emitter, shape, nativeFields);
}

/** A condition for handing an object to native code by the size of what its variables hold; undefined where that says nothing. */
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
  if (strategy.nativeChars === never || names.length === 0) return undefined;
  return `${names.map((name) => `${name}.length`).join('+')}>=${strategy.nativeChars}`;
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
export function isNativeWhenDirty(emitter: Emitter, shape: ObjectShape, names: readonly string[]): boolean {
  if (names.length === 0 || names.length > fewStrings) return false;
  if (!emitter.isProjectable(shape)) return false;
  // Texts of dates would be made twice over: by us, and again with the rest.
  return !emitter.strategy.quotesApart || weigh(shape).dates === 0;
}

/** Hands long arrays to native code. `v` is the array, `l` its length. */
export function emitNativeArray(emitter: Emitter, shape: ArrayShape): string {
  const { nativeRows, nativeStrings, nativeNumbers } = emitter.strategy;
  if (isPlain(shape.item, 'string')) return emitNativeItems(emitter, shape, nativeStrings);
  if (isPlain(shape.item, 'number') || isPlain(shape.item, 'integer'))
    return emitNativeItems(emitter, shape, nativeNumbers);
  if (nativeRows === never || !isNativeFaster(emitter, shape)) return '';
  return `if(l>=${nativeRows}&&!isNativeTampered())return ${callNative(emitter, shape)};\n`;
}

/** Items of one plain type need no conversion: a copy is enough, and the copy is what is written otherwise too. */
function emitNativeItems(emitter: Emitter, shape: ArrayShape, length: number): string {
  const { guard } = readLeaf(emitter, shape.item, 'v[i]');
  return `if(l>=${length}&&!isNativeTampered()){v=copyItems(v);l=v.length;let i=0;while(i<l&&${guard})i++;
if(i===l)return JSON.stringify(v);}\n`;
}

export function isPlain(shape: Shape, kind: 'string' | 'number' | 'integer'): boolean {
  return shape.kind === kind && !shape.nullable && !(shape.kind === 'string' && shape.format !== undefined);
}

/** The text of a copy of `v`. */
export function callNative(emitter: Emitter, shape: Shape): string {
  return `nativeText(${emitter.projector(shape)}(v))`;
}
