/** Walks a value along its shape without generated code, and reports what is dropped, coerced or missing, and where writing fails. */
import { isEqual, joinPointer } from '@ambit/json-schema';
import {
  describe,
  describeThrown,
  failItem,
  failMatch,
  failNever,
  failRequired,
  isSerializationError,
  isStackOverflow,
  SerializationError,
} from './errors.ts';
import { dateText, dateTimeText, timeText } from './runtime/dates.ts';
import { type Rounding, toExactNumber, toInteger } from './runtime/numbers.ts';
import { toStringValue } from './runtime/strings.ts';
import { readOwn } from './runtime/values.ts';
import type {
  ArrayShape,
  ChoiceShape,
  Conditional,
  ConditionalShape,
  ObjectShape,
  PropertyShape,
  ScalarShape,
  Selector,
  Shape,
  TupleShape,
} from './shape/shape.ts';
import { matches } from './shape/test.ts';

/** One change by serialization. */
export interface Diagnostic {
  /**
   * `dropped`: the schema does not declare it, or JSON cannot express it. `coerced`: written as another type.
   * `missing`: its default was written.
   */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer (RFC 6901) inside the value; empty for the value itself. */
  readonly path: string;
  /** What happened, in words. */
  readonly message: string;
}

type Report = (diagnostic: Diagnostic) => void;

/** The error of a failed serialization. The fast code does not know paths, so the value is walked again to find the place. */
export function locateError(
  shape: Shape,
  value: unknown,
  rounding: Rounding,
  error: unknown,
): SerializationError {
  try {
    inspect(shape, value, rounding, () => {});
  } catch (located) {
    if (isSerializationError(located)) return located;
    return new SerializationError('the value is nested too deeply to be written', '', error);
  }
  // The walk found no fault: the value returned something else the second time.
  if (isSerializationError(error)) return error;
  return new SerializationError(describeThrown(error), '', error);
}

/**
 * Finds the place that made `JSON.stringify` throw.
 *
 * @param value The value that it was given.
 * @param error What it threw.
 * @returns An error with the path of the value that cannot be written.
 */
export function locateNativeError(value: unknown, error: unknown): SerializationError {
  return locateError({ kind: 'any', number: 0, schemaPath: '', nullable: false }, value, 'trunc', error);
}

/** @throws {SerializationError} with its path, where the value cannot be written. */
export function inspect(shape: Shape, value: unknown, rounding: Rounding, report: Report): void {
  new Inspection(rounding, report).visit(shape, value, '');
}

class Inspection {
  readonly #rounding: Rounding;
  readonly #report: Report;
  /** The values around the current one. */
  readonly #open = new Set<unknown>();

  constructor(rounding: Rounding, report: Report) {
    this.#rounding = rounding;
    this.#report = report;
  }

  visit(shape: Shape, value: unknown, path: string): void {
    this.#guard(value, path, () => this.#visitShape(shape, value, path));
  }

  /** Runs a step for a value. An error of the step gets the path of the value. It also distinguishes a cycle from a very deep value. */
  #guard(value: unknown, path: string, step: () => void): void {
    const isObject = typeof value === 'object' && value !== null;
    if (isObject && this.#open.has(value)) {
      throw new SerializationError('a value that contains itself cannot be written as JSON', path);
    }
    if (isObject) this.#open.add(value);
    try {
      step();
    } catch (error) {
      throw addPath(error, path);
    } finally {
      this.#open.delete(value);
    }
  }

  #visitShape(shape: Shape, value: unknown, path: string): void {
    if (value === null && shape.nullable) return;
    if (shape.kind === 'any') this.#visitAny(value, path);
    else if (shape.kind === 'never') failNever(shape.schemaPath);
    else if (shape.kind === 'object') this.#visitObject(shape, value, path);
    else if (shape.kind === 'conditional') this.#visitObject(pickOutcome(shape, value), value, path);
    else if (shape.kind === 'array' || shape.kind === 'tuple') this.#visitArray(shape, value, path);
    else if (shape.kind === 'choice') this.#visitChoice(shape, value, path);
    else this.#visitScalar(shape, value, path);
  }

  #visitChoice(shape: ChoiceShape, value: unknown, path: string): void {
    const branch = shape.branches.find(({ test }) => matches(test, value));
    if (branch === undefined) throw failMatch(shape.schemaPath);
    // The same value again, but with another shape, is not a cycle.
    this.#open.delete(value);
    this.visit(branch.shape, value, path);
  }

  #visitObject(shape: ObjectShape, value: unknown, path: string): void {
    const source = value === undefined ? undefined : readSource(value);
    if (source === undefined) throw new SerializationError('undefined cannot be converted to an object.');
    if (source === null) {
      this.#reportCoerced(value, 'an object', path);
      return;
    }
    if (typeof source !== 'object') this.#reportCoerced(source, 'an object', path);
    for (const name of shape.otherRequired)
      if (this.#read(source, name, path) === undefined) failRequired(name);
    for (const property of shape.properties) this.#visitProperty(property, source, path);
    const declared = new Set(shape.properties.map(({ name }) => name));
    for (const key of Object.keys(source)) if (!declared.has(key)) this.#visitExtra(shape, source, key, path);
  }

  #visitProperty(property: PropertyShape, source: unknown, path: string): void {
    const { name, shape, isRequired, defaultText } = property;
    const value = this.#read(source, name, path);
    const childPath = joinPointer(path, name);
    if (value !== undefined) this.visit(shape, value, childPath);
    else if (defaultText !== undefined) {
      const message = `missing, so the default ${defaultText} was written`;
      this.#report({ kind: 'missing', path: childPath, message });
    } else if (isRequired) failRequired(name);
  }

  /** The value of a declared property. */
  #read(source: unknown, name: string, path: string): unknown {
    return this.#get(joinPointer(path, name), () =>
      name in Object.prototype ? readOwn(source, name) : (source as Record<string, unknown>)[name],
    );
  }

  /** The result of a getter. */
  #get(path: string, getter: () => unknown): unknown {
    let value: unknown;
    this.#guard(undefined, path, () => {
      value = getter();
    });
    return value;
  }

  /** A property that the schema does not declare by name. */
  #visitExtra(shape: ObjectShape, source: object, key: string, path: string): void {
    const childPath = joinPointer(path, key);
    const value = this.#get(childPath, () => (source as Record<string, unknown>)[key]);
    const pattern = shape.patterns.find((each) => each.pattern.test(key));
    const extra = pattern === undefined ? shape.additional : pattern.shape;
    const isDeclared = extra !== undefined && extra.kind !== 'never';
    if (isLost(value)) {
      if (isDeclared) this.#reportLost(value, childPath);
    } else if (isDeclared) this.visit(extra, value, childPath);
    else this.#reportDropped('dropped, because the schema does not declare it', childPath);
  }

  #visitArray(shape: ArrayShape | TupleShape, value: unknown, path: string): void {
    if (value === null) {
      this.#reportCoerced(value, 'an array', path);
      return;
    }
    if (!Array.isArray(value)) throw failMatch(shape.schemaPath);
    for (let index = 0; index < value.length; index++) {
      const childPath = `${path}/${index}`;
      const item: unknown = value[index];
      const itemShape = shape.kind === 'array' ? shape.item : pickItem(shape, value, index);
      if (itemShape.kind === 'any') this.#guard(item, childPath, () => this.#visitAny(item, childPath, true));
      else this.visit(itemShape, item, childPath);
    }
  }

  #visitScalar(shape: ScalarShape, value: unknown, path: string): void {
    const written = convert(shape, value, this.#rounding);
    // Without a schema, JSON writes a Date as the same string. As a number or a boolean, it is written only here, so this
    // is reported.
    const isSame = isEqual(written, value) || (shape.kind === 'string' && value instanceof Date);
    if (!isSame) this.#reportCoerced(value, describeWritten(written), path);
  }

  /**
   * Finds only what JSON cannot express.
   *
   * @param isItem Whether the value is in an array. There, `null` is written for a value that JSON cannot express.
   */
  #visitAny(value: unknown, path: string, isItem = false): void {
    if (typeof value === 'bigint') {
      const problem = 'a bigint needs a schema of type integer or number to be written as JSON';
      throw new SerializationError(problem, path);
    }
    if (typeof value === 'object' && value !== null) this.#visitAnyObject(value, path, isItem);
    else if (isLost(value) && isItem) this.#reportCoerced(value, 'null', path);
    else if (isLost(value)) this.#reportLost(value, path);
    else if (typeof value === 'number' && !Number.isFinite(value)) this.#reportCoerced(value, 'null', path);
  }

  #visitAnyObject(value: object, path: string, isItem: boolean): void {
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') {
      const written: unknown = toJson.call(value, '');
      // `toJSON` may return the value itself.
      if (written !== value) {
        this.#guard(written, path, () => this.#visitAny(written, path, isItem));
        return;
      }
    }
    const keys = Object.keys(value);
    if (keys.length === 0 && isEmptied(value)) this.#reportCoerced(value, '{}', path);
    for (const key of keys) {
      const childPath = joinPointer(path, key);
      const child = this.#get(childPath, () => (value as Record<string, unknown>)[key]);
      this.#guard(child, childPath, () => this.#visitAny(child, childPath, Array.isArray(value)));
    }
  }

  #reportCoerced(value: unknown, target: string, path: string): void {
    const from = value === null ? 'null' : `${typeof value} ${describe(value)}`;
    this.#report({ kind: 'coerced', path, message: `${from} was written as ${target}` });
  }

  /** If the value is undefined, nothing is lost. */
  #reportLost(value: unknown, path: string): void {
    if (value !== undefined) this.#reportDropped(`dropped, because JSON has no ${typeof value}s`, path);
  }

  #reportDropped(message: string, path: string): void {
    this.#report({ kind: 'dropped', path, message });
  }
}

function addPath(error: unknown, path: string): unknown {
  if (isSerializationError(error)) {
    return error.path === '' && path !== ''
      ? new SerializationError(error.message, path, error.cause)
      : error;
  }
  if (isStackOverflow(error)) return error;
  return new SerializationError(describeThrown(error), path, error);
}

/** The object that the conditions leave of all possible ones. */
function pickOutcome(shape: ConditionalShape, value: unknown): ObjectShape {
  const leaves = shape.selectors.map((selector) => pickLeaf(selector, value));
  const holds = ({ when }: Conditional) => when === undefined || leaves[when.selector] === when.leaf;
  return {
    ...shape,
    kind: 'object',
    properties: shape.properties.filter(holds),
    patterns: [],
    additional: undefined,
    otherRequired: shape.otherRequired.filter(holds).map(({ name }) => name),
  };
}

function pickLeaf(selector: Selector, value: unknown): number {
  if (typeof selector === 'number') return selector;
  const branch = selector.branches.find(({ test }) => matches(test, value));
  return branch === undefined ? failMatch(selector.schemaPath) : pickLeaf(branch.next, value);
}

function readSource(value: unknown): unknown {
  const writable = value as { toJSON?: unknown } | null;
  return writable !== null && typeof writable.toJSON === 'function' ? writable.toJSON() : value;
}

/** Whether JSON cannot express a value. */
function isLost(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** The shape of one item of a tuple. */
function pickItem(shape: TupleShape, value: readonly unknown[], index: number): Shape {
  const item = shape.items[index];
  if (item === undefined) return shape.rest ?? failItem(shape.items.length);
  return matches(item.accepts, value[index]) ? item.shape : failItem(index);
}

const dateTexts = { date: dateText, time: timeText, 'date-time': dateTimeText };

/** The written text, as a value. Throws if the compiled serializer throws. */
function convert(shape: ScalarShape, value: unknown, rounding: Rounding): unknown {
  switch (shape.kind) {
    case 'const':
      return JSON.parse(shape.text);
    case 'string':
      return shape.format === undefined ? toStringValue(value) : JSON.parse(dateTexts[shape.format](value));
    case 'integer':
      return toInteger(value, rounding);
    case 'number': {
      const number = toExactNumber(value);
      return typeof number === 'bigint' || Number.isFinite(number) ? number : null;
    }
    case 'boolean':
      return Boolean(value);
    default:
      return null;
  }
}

function describeWritten(written: unknown): string {
  if (typeof written === 'string') return describe(written);
  return typeof written === 'object' ? JSON.stringify(written) : String(written);
}

/** Whether a value may contain something that JSON does not write, such as a Map, an Error or an instance with getters. */
function isEmptied(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null && JSON.stringify(value) === '{}';
}
