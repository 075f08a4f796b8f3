/** Decides where native serialization of a copy is faster than concatenation. docs/architecture/serialization.md explains why. */
import type { ArrayShape, ObjectShape, Shape } from '../shape/shape.ts';
import { readLeaf } from './leaf.ts';
import type { Program } from './program.ts';
import { maxVariables, nameVariables } from './properties.ts';

/** If an object has more strings, it is faster to escape only those that need it. */
const fewStrings = 2;

/** Whether an object with many values is always written by native code. */
export function isNativeEntry(program: Program, shape: ObjectShape): boolean {
  return isNativeFaster(program, shape, program.strategy.nativeFields);
}

/** A condition for writing an object with native code, by the sizes of its strings; undefined if they do not matter. */
export function emitNativeTest(program: Program, shape: ObjectShape): string | undefined {
  const { nativeChars, nativeCharsTo } = program.strategy;
  const names = nameVariables(shape.properties).filter((_, index) =>
    isPlain(shape.properties[index]!.shape, 'string'),
  );
  if (names.length === 0 || !isProjectable(program, shape)) return undefined;
  const chars = names.map((name) => `${name}.length`).join('+');
  return `${chars}>=${nativeChars}&&${chars}<${nativeCharsTo}`;
}

/**
 * Whether an object is written by native code as soon as one of its strings needs escapes. It has few strings, so that
 * one string is a large part of it.
 */
export function isNativeWhenEscaped(program: Program, shape: ObjectShape, names: readonly string[]): boolean {
  if (names.length === 0 || names.length > fewStrings) return false;
  if (!isProjectable(program, shape)) return false;
  // The texts of dates would be created twice: by us, and again within the whole text.
  return !program.strategy.quotesApart || estimateShape(shape).dates === 0;
}

/** Writes long arrays with native code. `v` is the array, `l` its length. */
export function emitNativeArray(program: Program, shape: ArrayShape): string {
  const { item } = shape;
  if (isPlain(item, 'string') || isPlain(item, 'number') || isPlain(item, 'integer'))
    return emitNativeItems(program, shape, (text) => text);
  if (!isNativeFaster(program, shape)) return '';
  return `if(l>=${program.strategy.nativeRows}&&!isNativeTampered())return ${callNative(program, shape)};\n`;
}

/** The same for items of one plain type that need no conversion: a copy of the array is enough, which the other way uses too. */
export function emitNativeItems(
  program: Program,
  { item }: ArrayShape,
  after: (text: string) => string,
): string {
  const { guard } = readLeaf(program, item, 'v[i]');
  return `if(l>=${program.strategy.nativeItems}&&!isNativeTampered()){v=copyItems(v);l=v.length;let i=0;while(i<l&&${guard})i++;
if(i===l)return ${after('JSON.stringify(v)')};}\n`;
}

/** The text of a copy of `v`. */
export function callNative(program: Program, shape: Shape): string {
  return `nativeText(${program.projector(shape)}(v))`;
}

export function isPlain(shape: Shape, kind: 'string' | 'number' | 'integer'): boolean {
  return shape.kind === kind && !shape.nullable && !(shape.kind === 'string' && shape.format !== undefined);
}

/** Whether native code writes the shape faster than concatenation, if the shape has enough values. */
function isNativeFaster(program: Program, shape: Shape, minValues = 0): boolean {
  if (!isProjectable(program, shape)) return false;
  const { values, strings, dates } = estimateShape(shape);
  const { nativeStringShare, nativeDateShare } = program.strategy;
  return values >= minValues && strings >= values * nativeStringShare && dates <= values * nativeDateShare;
}

/** Whether a plain copy of the declared values, given to `JSON.stringify`, writes the same text. */
function isProjectable({ projectable: known }: Program, shape: Shape): boolean {
  // Assumes true while the answer is computed, so that recursive shapes end. False is final at once, but true only
  // after everything that it depends on is known.
  const assumed = new Set<Shape>();
  function check(inner: Shape): boolean {
    const knownAnswer = known.get(inner);
    if (knownAnswer !== undefined) return knownAnswer;
    if (assumed.has(inner)) return true;
    assumed.add(inner);
    const isCopyable = findProjectable(inner, check);
    if (!isCopyable) known.set(inner, false);
    return isCopyable;
  }
  if (!check(shape)) return false;
  for (const each of assumed) known.set(each, true);
  return true;
}

function findProjectable(shape: Shape, check: (inner: Shape) => boolean): boolean {
  switch (shape.kind) {
    case 'object':
      return (
        shape.patterns.length === 0 &&
        shape.additional === undefined &&
        shape.properties.length <= maxVariables &&
        shape.properties.every((property) => !isIndex(property.name) && check(property.shape))
      );
    case 'array':
      return check(shape.item);
    case 'choice':
      return shape.branches.every((branch) => check(branch.shape));
    case 'tuple':
      return shape.rest === undefined && shape.items.every((item) => check(item.shape));
    case 'conditional':
    case 'never':
    case 'any':
      return false;
    default:
      return true;
  }
}

/** Names like `0`: an object has them first, in any order of the schema. */
function isIndex(name: string): boolean {
  return String(Number(name) >>> 0) === name;
}

/** The number of items that an estimate assumes for an array inside an object. */
const assumedItems = 4;

/** The approximate output of a shape: the counts that decide which way is faster. */
type Estimate = typeof none;

const none = { values: 0, strings: 0, dates: 0, objects: 0 };
const one = { ...none, values: 1 };

/** Each shape is estimated once, because schemas that refer to one another have too many paths to walk all of them. */
export function estimateShape(shape: Shape, known: Map<Shape, Estimate> = new Map()): Estimate {
  const answer = known.get(shape);
  if (answer !== undefined) return answer;
  // A shape inside itself counts little.
  known.set(shape, one);
  const estimate = estimateParts(shape, (inner) => estimateShape(inner, known));
  known.set(shape, estimate);
  return estimate;
}

function estimateParts(shape: Shape, estimate: (inner: Shape) => Estimate): Estimate {
  switch (shape.kind) {
    case 'object':
      return sum([{ ...none, objects: 1 }, ...shape.properties.map((property) => estimate(property.shape))]);
    case 'tuple':
      return sum(shape.items.map((item) => estimate(item.shape)));
    case 'array':
      return sum(new Array<Estimate>(assumedItems).fill(estimate(shape.item)));
    case 'choice':
      return shape.branches
        .map((branch) => estimate(branch.shape))
        .reduce((most, each) => (each.values > most.values ? each : most), none);
    case 'string':
      return shape.format === undefined ? { ...one, strings: 1 } : { ...one, dates: 1 };
    default:
      return one;
  }
}

function sum(estimates: readonly Estimate[]): Estimate {
  const total = { ...none };
  for (const { values, strings, dates, objects } of estimates) {
    total.values += values;
    total.strings += strings;
    total.dates += dates;
    total.objects += objects;
  }
  return total;
}
