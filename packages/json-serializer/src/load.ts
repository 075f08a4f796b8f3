/** The public API of @ambit/json-serializer/runtime, which needs no generation of code. */
import type { JsonSchema } from '@ambit/json-schema';
import { type Runtime, runtimeFor } from './runtime/runtime.ts';
import { type CompileOptions, checkRounding, makeSerializer, type Serializer } from './serializer.ts';
import { type Reading, readShape } from './shape/read-shape.ts';
import type { Predicate } from './shape/test.ts';

export { locateNativeError } from './inspect.ts';
export { type DiscriminatedBranch, type Discriminator, readDiscriminator } from './shape/read-choice.ts';
export { isMultipleOf } from './validate/keywords.ts';

/** The value of an expression that `compileToSource` wrote. */
export type Program = (runtime: Runtime, predicate: (number: number) => Predicate) => Serializer;

/**
 * Returns a serializer that writes and fails like the one that `compile` creates from the schema. The schema is read
 * only when it is needed: for a branch that only validation can select, for the path of an error, for a report.
 *
 * @param program The value of the expression that `compileToSource` returned for the same schema with the same `refs`
 *   and `dialect`, in this version of the package.
 * @param schema The schema.
 * @param options The same options as for `compile`.
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
    const validator = read().validators.at(number);
    if (validator === undefined) throw new TypeError('the program was compiled from another schema');
    return validator;
  };
  return makeSerializer(
    () => program(runtimeFor(rounding), predicate),
    () => read().shape,
    options,
  );
}
