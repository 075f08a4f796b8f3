/** What a context does with schemas and the compilers of them, and that no request, reply or plugin has a part in. */
import type { SchemaControllerOptions, SerializerCompiler, ValidatorCompiler } from './compiler.ts';

export interface SchemaHandling {
  getSchema(id: string): unknown;
  getSchemas(): Record<string, unknown>;
  setValidatorCompiler(compiler: ValidatorCompiler<never>): this;
  setSerializerCompiler(compiler: SerializerCompiler<never>): this;
  setSchemaController(options: SchemaControllerOptions): this;
  setReplySerializer(serialize: (payload: never, status: number) => string): this;
  readonly validatorCompiler: ValidatorCompiler | undefined;
  readonly serializerCompiler: SerializerCompiler | undefined;
}
