/** The public surface of @ambit/json-serializer/runtime: what needs no code to be generated. Owns `load`. */
import type { JsonSchema } from './json-schema.ts';
import type { Writer } from './runtime/buffer-writes.ts';
import { type Runtime, runtimeFor } from './runtime/runtime.ts';
import { type CompileOptions, checkRounding, makeSerializer, type Serializer } from './serializer.ts';
import { type Reading, readShape } from './shape/read-shape.ts';
import type { Predicate } from './shape/test.ts';

export { locateNativeError } from './report/locate-error.ts';

/** The value of an expression that `compileToSource` wrote. */
export type Program = (runtime: Runtime, predicate: (number: number) => Predicate) => Writer;

/**
 * A serializer that writes and fails as the one that `compile` makes of the schema. The schema is read when it is needed first:
 * for a branch that only validation can choose, for the path of an error, for a report.
 *
 * @param program Made by `compileToSource` of the same schema with the same `refs` and `dialect`, by this version of the package.
 * @param schema The schema.
 * @param options The options that `compile` would be given.
 * @returns The serializer.
 * @throws {TypeError} (from the serializer) if the program was made from another schema.
 */
export function load(program: Program, schema: JsonSchema, options: CompileOptions = {}): Serializer {
  const { rounding = 'trunc' } = options;
  checkRounding(rounding);
  let reading: Reading | undefined;
  const read = (): Reading => {
    reading ??= readShape(schema, options);
    return reading;
  };
  const predicate = (number: number): Predicate => {
    const found = read().validators.at(number);
    if (found === undefined) throw new TypeError('the program was compiled from another schema');
    return found;
  };
  return makeSerializer(
    { makeWriter: () => program(runtimeFor(rounding), predicate), shape: () => read().shape },
    options,
  );
}
