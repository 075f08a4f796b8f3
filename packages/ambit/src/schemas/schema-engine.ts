/** The interface that Ajv and our serializer implement. */
import type { SchemaContent, StandardSchema } from '@ambit/json-schema';
import type { SerializerRequest, ValidatorRequest } from '../types/compilers.ts';
import type { SectionSettings } from './artifact/artifact.ts';

/** Compiles schemas into functions, with one set of shared schemas. */
export interface SchemaEngine<Request extends ValidatorRequest | SerializerRequest, Compiled> {
  /**
   * Everything besides the schema that decides what is compiled; `undefined` if text cannot express it, so that no artifact can contain it.
   */
  readonly settings: SectionSettings | undefined;
  /** Whether equal schemas get the same function. */
  readonly isShared: boolean;
  /**
   * Compiles the schema of a request.
   *
   * @param content The schema as text, if JSON can express it.
   * @param mayWait Whether code may be generated later. Errors of the schema are thrown now in any case.
   */
  compile(request: Request, content: string | undefined, mayWait: boolean): CompiledSchema<Compiled>;
  /** Creates the function from what a build compiled from the schema. */
  link(stored: unknown, request: Request, content: string): CompiledSchema<Compiled>;
  /** Creates the function for a schema of another library, for which no code is generated. */
  adapt(schema: StandardSchema): Compiled;
}

/** A compiler that may get the content of the schema, if it was read already. Compilers of applications ignore it. */
export type ContentCompiler<Request, Compiled> = (request: Request, content?: SchemaContent) => Compiled;

/** A function that an engine has created. */
export interface CompiledSchema<Compiled> {
  readonly run: Compiled;
  /** Generates the code before the first call; `undefined` if it is generated already. */
  readonly generate: (() => void) | undefined;
}
