/** The interface that Ajv and our serializer implement. */
import type { SerializerRequest, ValidatorRequest } from '../contract/compiler.ts';
import type { SectionSettings } from './artifact/artifact.ts';
import type { SchemaContent } from './schema-content.ts';
import type { StandardSchema } from './standard-schema.ts';

/** Makes functions from schemas, over one set of shared schemas. */
export interface SchemaEngine<Request extends ValidatorRequest | SerializerRequest, Compiled> {
  /** Everything besides the schema that decides what is compiled; `undefined` when text cannot tell it, so that no artifact can hold it. */
  readonly settings: SectionSettings | undefined;
  /** Whether schemas of equal content get the same function. */
  readonly isShared: boolean;
  /**
   * Compiles the schema of a request.
   *
   * @param content The schema as text, if JSON can express it.
   * @param mayWait Whether code may be generated later. Every fault of the schema is thrown now either way.
   */
  compile(request: Request, content: string | undefined, mayWait: boolean): CompiledSchema<Compiled>;
  /** Makes the function of what a build compiled from the schema. */
  link(stored: unknown, request: Request, content: string): CompiledSchema<Compiled>;
  /** Makes the function of a schema of another library, which needs no code. */
  adapt(schema: StandardSchema): Compiled;
}

/** A compiler that may be told what was read of the schema already. Compilers of applications ignore it. */
export type ContentCompiler<Request, Compiled> = (request: Request, content?: SchemaContent) => Compiled;

/** A function that an engine made. */
export interface CompiledSchema<Compiled> {
  readonly run: Compiled;
  /** Generates its code ahead of its first call; `undefined` when that is done. */
  readonly generate: (() => void) | undefined;
}
