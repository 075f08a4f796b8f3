/** The methods of a context for shared schemas and for compilers. */
import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from '../compiler.ts';
import type { SchemaControllerOptions } from '../compiler-options.ts';
import type { ContextOf } from '../context.ts';
import type { ContextTypes, Extended, SharedSchema } from '../context-types.ts';

/** Reads shared schemas, and replaces the compilers of this context. Nothing here depends on the context's types. */
export interface CompilerMethods {
  /**
   * Reads a shared schema that is visible in this context.
   *
   * @param id Its `$id`.
   * @returns The schema, or `undefined`.
   */
  getSchema(id: string): unknown;
  /**
   * Reads all shared schemas that are visible in this context.
   *
   * @returns A copy: the schemas by their `$id`.
   */
  getSchemas(): Record<string, unknown>;
  /**
   * Replaces the compiler of the schemas of requests, for this context and its children.
   *
   * @param compiler Takes `{ schema, method, url, httpPart }`, and returns the validator.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `compiler` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setValidatorCompiler(compiler: ValidatorCompiler<never>): this;
  /**
   * Replaces the compiler of the schemas of replies, for this context and its children.
   *
   * @param compiler Takes `{ schema, method, url, httpStatus, contentType }`, and returns the serializer.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `compiler` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSerializerCompiler(compiler: SerializerCompiler<never>): this;
  /**
   * Replaces the store of shared schemas, and how compilers are created, for this context and its children.
   *
   * @param options Members that are left out do not change.
   * @throws {AMBIT_ERR_OPTION_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   * @throws {FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN} if `bucket` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSchemaController(options: SchemaControllerOptions): this;
  /**
   * Sets the serializer of the replies of this context and of its children that have neither a serializer of their own nor a response
   * schema.
   *
   * @param serialize Takes the payload and the status, and returns what is sent.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `serialize` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setReplySerializer(serialize: (payload: never, status: number) => string): this;
  /** The compiler of the schemas of requests in this context. `undefined` before boot has created the default compiler. */
  readonly validatorCompiler: ValidatorCompiler | undefined;
  /** The compiler of the schemas of replies in this context. `undefined` before boot has created the default compiler. */
  readonly serializerCompiler: SerializerCompiler | undefined;
}

/** Adds shared schemas, and replaces how they are compiled and how invalid requests are reported. */
export interface SchemaMethods<Types extends ContextTypes> extends CompilerMethods {
  /**
   * Adds a shared schema to this context and to its children. Schemas of routes refer to it by `$ref: 'id#'`.
   *
   * @param schema A JSON Schema with an `$id`.
   * @returns This context, whose type has the schema.
   * @throws {FST_ERR_SCH_MISSING_ID} if the schema has no `$id`.
   * @throws {FST_ERR_SCH_ALREADY_PRESENT} if the `$id` is taken.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addSchema<const Schema>(schema: Schema): ContextOf<Extended<Types, 'schemas', SharedSchema<Schema>>>;
  /**
   * Sets the function that creates the error of an invalid request, for this context and its children.
   *
   * @param formatter Takes the problems and the name of the part, and returns an Error. It must not be async.
   * @throws {FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN} if it is not a function, or is async.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<ContextOf<Types>>): this;
}
