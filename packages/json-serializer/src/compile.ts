/** `compile` and `compileToSource` convert a schema to a function from values to JSON text, or to the code of such a function. */
import type { JsonSchema } from '@ambit/json-schema';
import { type BufferedShape, isBuffered } from './emit/buffer.ts';
import { estimateShape } from './emit/native.ts';
import { Program } from './emit/program.ts';
import { type Strategy, strategy } from './engine.ts';
import { type BufferWriter, bufferWrites } from './runtime/output-buffer.ts';
import { type Runtime, runtimeFor } from './runtime/runtime.ts';
import { type CompileOptions, checkRounding, makeSerializer, type Serializer } from './serializer.ts';
import { readShape, readSharingShape } from './shape/read-shape.ts';
import type { Shape } from './shape/shape.ts';

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
  const runtime = runtimeFor(rounding);
  return makeSerializer(
    (isComplete) => makeWriter(shape, strategy, runtime, isComplete),
    () => shape,
    options,
  );
}

/** @param isComplete Whether all code is generated now, including code that is only useful for later values. */
export function makeWriter(
  shape: Shape,
  strategy: Strategy,
  runtime: Runtime,
  isComplete: boolean,
): Serializer {
  const program = new Program(strategy);
  const concatenate = program.link(program.writer(shape), runtime) as Serializer;
  if (!isBufferFaster(shape, strategy)) return concatenate;
  const makeBufferWriter = () => {
    const buffered = new Program(strategy, isComplete);
    return buffered.link(buffered.bufferWriter(shape), runtime) as BufferWriter;
  };
  if (!isComplete) return bufferWrites(concatenate, makeBufferWriter);
  const writeToBuffer = makeBufferWriter();
  return bufferWrites(concatenate, () => writeToBuffer);
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
  const program = new Program(strategy);
  const concatenating = program.toSource(program.writer(shape), validators);
  if (!isBufferFaster(shape, strategy)) return concatenating;
  const buffered = new Program(strategy, true);
  const writeToBuffer = buffered.toSource(buffered.bufferWriter(shape), validators);
  return `(runtime,predicate)=>runtime.bufferWrites((${concatenating})(runtime,predicate),
()=>(${writeToBuffer})(runtime,predicate))`;
}

/** The output must be large enough to pay for taking the text out of the buffer. */
function isBufferFaster(shape: Shape, strategy: Strategy): shape is BufferedShape {
  if (!isBuffered(shape)) return false;
  const { bufferMinValues, bufferMaxStringShare } = strategy;
  const { values, strings, dates, objects } = estimateShape(shape);
  return values + 2 * dates >= bufferMinValues && strings - objects / 2 <= values * bufferMaxStringShare;
}
