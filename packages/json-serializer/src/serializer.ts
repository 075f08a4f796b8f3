/** Wraps the generated code of a serializer: its first use, errors with a path, reports. */
import type { DialectName, JsonSchema } from '@ambit/json-schema';
import { SerializationError } from './errors.ts';
import { type Diagnostic, inspect, locateError } from './inspect.ts';
import { type Rounding, roundings } from './runtime/numbers.ts';
import type { Shape } from './shape/shape.ts';

/** The options of `compile` and `load`. */
export interface CompileOptions {
  /** Schemas that `$ref` may refer to, each by its key and by its `$id`. */
  readonly refs?: Readonly<Record<string, JsonSchema>>;
  /** The dialect of schemas without `$schema`; default `draft-07`. */
  readonly dialect?: DialectName;
  /** How a fraction becomes an integer for `type: integer`; default `trunc`. */
  readonly rounding?: Rounding;
  /**
   * When code is generated: at the first value (default) or within `compile`. Every fault of a schema is found within
   * `compile` in both cases. Serializers that are never used save most of their time by waiting.
   */
  readonly generate?: 'first-use' | 'now';
  /** Gets the function that generates the code. Call it at any time between `compile` and the first value. */
  readonly schedule?: (generate: () => void) => void;
  /**
   * Called for each change by serialization: a dropped property, a coerced value, a default for a missing one. Every
   * value is then walked twice, and getters and `toJSON` run twice, so use it only in development.
   */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/**
 * Writes a value as JSON text, as its schema says.
 *
 * @throws {SerializationError} when the value cannot be written; its `path` says where.
 */
export type Serializer = (value: unknown) => string;

/** @throws {TypeError} for an unknown rounding. */
export function checkRounding(rounding: Rounding): void {
  if (!roundings.includes(rounding)) {
    throw new TypeError(`rounding must be one of ${roundings.join(', ')}; got ${JSON.stringify(rounding)}`);
  }
}

/**
 * @param makeWriter Generates the code, at the first use. `isComplete`: also code that the next value does not need.
 * @param shape Returns the shape, for the path of an error, and for reports.
 */
export function makeSerializer(
  makeWriter: (isComplete: boolean) => Serializer,
  shape: () => Shape,
  options: CompileOptions,
): Serializer {
  const { rounding = 'trunc', report } = options;
  let write: Serializer | undefined;
  function prepare(isComplete: boolean): Serializer {
    write ??= makeWriter(isComplete);
    return write;
  }
  if (options.generate === 'now') prepare(true);
  else options.schedule?.(() => prepare(true));

  function serialize(value: unknown): string {
    try {
      // One call site that always calls the same function, so that the engine can inline it.
      return (write ?? prepare(false))(value);
    } catch (error) {
      if (value === undefined) throw new SerializationError('undefined cannot be written as JSON', '', error);
      throw locateError(shape(), value, rounding, error);
    }
  }
  if (report === undefined) return serialize;
  return (value) => {
    const text = serialize(value);
    for (const diagnostic of findChanges(shape(), value, rounding)) report(diagnostic);
    return text;
  };
}

function findChanges(shape: Shape, value: unknown, rounding: Rounding): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  try {
    inspect(shape, value, rounding, (diagnostic) => diagnostics.push(diagnostic));
  } catch {
    // The value is already written: it is no error if the second walk has another result, or needs too much stack.
  }
  return diagnostics;
}
