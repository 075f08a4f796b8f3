/**
 * Owns `compile` and `compileToSource`: they turn a schema into a function from values to JSON text, or into the code
 * of one.
 */
import { makeWriter, writeSource } from './emit/make-writer.ts';
import { strategy } from './engine.ts';
import type { JsonSchema } from './json-schema.ts';
import { runtimeFor } from './runtime/runtime.ts';
import { type CompileOptions, checkRounding, makeSerializer, type Serializer } from './serializer.ts';
import { readShape } from './shape/read-shape.ts';

/**
 * Compiles a JSON Schema (draft 7 or 2020-12, with OpenAPI's `nullable`) into a serializer that writes exactly what the schema declares.
 * Schemas are code: never compile one that a user supplied.
 *
 * @param schema The schema.
 * @param options Schemas for `$ref`, how fractions become integers, when code is generated.
 * @returns The serializer.
 * @throws {SchemaError} when the schema cannot be compiled; its `schemaPath` says where.
 */
export function compile(schema: JsonSchema, options: CompileOptions = {}): Serializer {
  const { rounding = 'trunc' } = options;
  checkRounding(rounding);
  const { shape } = readShape(schema, options);
  return makeSerializer(
    {
      makeWriter: (isWhole) => makeWriter(shape, strategy, runtimeFor(rounding), isWhole),
      shape: () => shape,
    },
    options,
  );
}

/**
 * The code that `compile` would run, as the text of one JavaScript expression. Its value is what `load` of
 * `@ambit/json-serializer/runtime` takes, with the same schema. It is made for the engine that it is made on: others run it
 * as well, perhaps not as fast.
 *
 * @param schema The schema.
 * @param options Schemas for `$ref`.
 * @returns The text of the expression.
 * @throws {SchemaError} when the schema cannot be compiled; its `schemaPath` says where.
 */
export function compileToSource(
  schema: JsonSchema,
  options: Pick<CompileOptions, 'refs' | 'dialect'> = {},
): string {
  const { shape, validators } = readShape(schema, options);
  return writeSource(shape, strategy, (predicate) => validators.numberOf(predicate));
}
