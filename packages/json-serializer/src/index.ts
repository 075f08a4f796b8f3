/** The public surface of @ambit/json-serializer. */
export { compile, compileToSource } from './compile.ts';
export { SchemaError, SerializationError } from './errors.ts';
export type { JsonSchema, SchemaObject } from './json-schema.ts';
export type { Diagnostic } from './report/inspector.ts';
export type { Rounding } from './runtime/numbers.ts';
export type { DialectName } from './schema/dialect.ts';
export type { CompileOptions, Serializer } from './serializer.ts';
