/** The public surface of @ambit/json-serializer. */
export { type DialectName, type JsonSchema, SchemaError, type SchemaObject } from '@ambit/json-schema';
export { compile, compileToSource } from './compile.ts';
export { SerializationError } from './errors.ts';
export type { Diagnostic } from './inspect.ts';
export type { Rounding } from './runtime/numbers.ts';
export type { CompileOptions, Serializer } from './serializer.ts';
