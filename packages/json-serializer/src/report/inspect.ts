/** Walks a value along its shape without generated code, and reports what is dropped, coerced or missing, and where writing fails. */
import { joinPointer } from '@ambit/json-schema';
import { isSerializationError, SerializationError } from '../errors.ts';
import { describe, describeThrown } from '../runtime/describe.ts';
import { failMatch, failNever, failRequired } from '../runtime/failures.ts';
import type { Rounding } from '../runtime/numbers.ts';
import { isStackOverflow } from '../runtime/stack-overflow.ts';
import { readOwn } from '../runtime/values.ts';
import type {
  ArrayShape,
  ChoiceShape,
  ObjectShape,
  PropertyShape,
  Shape,
  TupleShape,
} from '../shape/shape.ts';
import { inspectAny, inspectLost, isLost } from './inspect-any.ts';
import { inspectScalar } from './inspect-scalar.ts';
import type { Diagnostic, Inspector } from './inspector.ts';
import { matches } from './matches.ts';
import { pickItem, readOutcome } from './pick-shape.ts';

/** @throws {SerializationError} with its path, where the value cannot be written. */
export function inspect(
  shape: Shape,
  value: unknown,
  rounding: Rounding,
  report: (diagnostic: Diagnostic) => void,
): void {
  new Inspection(rounding, report).visit(shape, value, '');
}

class Inspection implements Inspector {
  readonly rounding: Rounding;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly #open = new Set<unknown>();

  constructor(rounding: Rounding, report: (diagnostic: Diagnostic) => void) {
    this.rounding = rounding;
    this.report = report;
  }

  visit(shape: Shape, value: unknown, path: string): void {
    this.guard(value, path, () => this.#visitShape(shape, value, path));
  }

  guard(value: unknown, path: string, step: () => void): void {
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
    if (shape.kind === 'any') inspectAny(this, value, path);
    else if (shape.kind === 'never') failNever(shape.schemaPath);
    else if (shape.kind === 'object') this.#visitObject(shape, value, path);
    else if (shape.kind === 'conditional') this.#visitObject(readOutcome(shape, value), value, path);
    else if (shape.kind === 'array' || shape.kind === 'tuple') this.#visitArray(shape, value, path);
    else if (shape.kind === 'choice') this.#visitChoice(shape, value, path);
    else inspectScalar(this, shape, value, path);
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
    if (source === null) this.reportCoerced(value, 'an object', path);
    else this.#visitProperties(shape, source, path);
  }

  #visitProperties(shape: ObjectShape, source: unknown, path: string): void {
    if (typeof source !== 'object') this.reportCoerced(source, 'an object', path);
    for (const name of shape.otherRequired)
      if (this.#read(source, name, path) === undefined) failRequired(name);
    for (const property of shape.properties) this.#visitProperty(property, source, path);
    const declared = new Set(shape.properties.map(({ name }) => name));
    for (const key of Object.keys(source as object))
      if (!declared.has(key)) this.#visitExtra(shape, source, key, path);
  }

  #visitProperty(property: PropertyShape, source: unknown, path: string): void {
    const { name, shape, isRequired, defaultText } = property;
    const value = this.#read(source, name, path);
    const childPath = joinPointer(path, name);
    if (value !== undefined) this.visit(shape, value, childPath);
    else if (defaultText !== undefined) {
      this.report({
        kind: 'missing',
        path: childPath,
        message: `missing, so the default ${defaultText} was written`,
      });
    } else if (isRequired) failRequired(name);
  }

  #visitExtra(shape: ObjectShape, source: unknown, key: string, path: string): void {
    const childPath = joinPointer(path, key);
    let value: unknown;
    this.guard(undefined, childPath, () => {
      value = (source as Record<string, unknown>)[key];
    });
    const pattern = shape.patterns.find((each) => each.pattern.test(key));
    const extra = pattern === undefined ? shape.additional : pattern.shape;
    const isDeclared = extra !== undefined && extra.kind !== 'never';
    if (isLost(value)) {
      if (isDeclared) inspectLost(this, value, childPath);
    } else if (isDeclared) this.visit(extra, value, childPath);
    else this.reportDropped('dropped, because the schema does not declare it', childPath);
  }

  #visitArray(shape: ArrayShape | TupleShape, value: unknown, path: string): void {
    if (value === null) {
      this.reportCoerced(value, 'an array', path);
      return;
    }
    if (!Array.isArray(value)) throw failMatch(shape.schemaPath);
    for (let index = 0; index < value.length; index++) {
      const childPath = `${path}/${index}`;
      const item: unknown = value[index];
      const itemShape = shape.kind === 'array' ? shape.item : pickItem(shape, value, index);
      if (itemShape.kind === 'any')
        this.guard(item, childPath, () => inspectAny(this, item, childPath, true));
      else this.visit(itemShape, item, childPath);
    }
  }

  #read(source: unknown, name: string, path: string): unknown {
    let value: unknown;
    this.guard(undefined, joinPointer(path, name), () => {
      value = name in Object.prototype ? readOwn(source, name) : (source as Record<string, unknown>)[name];
    });
    return value;
  }

  reportCoerced(value: unknown, target: string, path: string): void {
    const from = value === null ? 'null' : `${typeof value} ${describe(value)}`;
    this.report({ kind: 'coerced', path, message: `${from} was written as ${target}` });
  }

  reportDropped(reason: string, path: string): void {
    this.report({ kind: 'dropped', path, message: reason });
  }
}

function readSource(value: unknown): unknown {
  const writable = value as { toJSON?: unknown } | null;
  return writable !== null && typeof writable.toJSON === 'function' ? writable.toJSON() : value;
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
