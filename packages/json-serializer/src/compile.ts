/**
 * `compile` and `compileToSource` convert a schema to a function from values to JSON text, or to the code of
 * such a function.
 */
import type { JsonSchema } from '@ambit/json-schema';
import { makeWriter, writeSource } from './emit/make-writer.ts';
import { strategy } from './engine.ts';
import { runtimeFor } from './runtime/runtime.ts';
import { type CompileOptions, checkRounding, makeSerializer, type Serializer } from './serializer.ts';
import { readShape, readSharingShape } from './shape/read-shape.ts';

/**
 * Compiles a JSON Schema (draft 7 or 2020-12, with OpenAPI's `nullable`) into a serializer that writes exactly what the
 * schema declares. Never compile a schema that comes from a user, because code is generated from it.
 *
 * @param schema The schema.
 * @param options The schemas for `$ref`, how fractions become integers, and when code is generated.
 * @returns The serializer.
 * @throws {SchemaError} when the schema cannot be compiled; its `schemaPath` says where.
 */
export function compile(schema: JsonSchema, options: CompileOptions = {}): Serializer {
  const { rounding = 'trunc' } = options;
  checkRounding(rounding);
  const { shape } = readSharingShape(schema, options);
  return makeSerializer(
    {
      makeWriter: (isComplete) => makeWriter(shape, strategy, runtimeFor(rounding), isComplete),
      shape: () => shape,
    },
    options,
  );
}

/**
 * Returns the code that `compile` would run, as the text of one JavaScript expression. Pass the value of this
 * expression and the same schema to `load` of `@ambit/json-serializer/runtime`. The code is optimized for the engine
 * that runs `compileToSource`; other engines can run it too, but it may be slower there.
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
