/** The schemas of a route, and the compilers that turn them into functions. */
import type { FastifyInstance } from './instance.cjs';
import type { SafePromiseLike } from './type-provider.cjs';

/** The schemas of a route. What a schema is, a compiler decides: JSON Schema by default. */
export interface FastifySchema {
  body?: unknown;
  querystring?: unknown;
  params?: unknown;
  headers?: unknown;
  response?: unknown;
}

/** One schema, and where in which route it stands. */
export interface FastifyRouteSchemaDef<T> {
  schema: T;
  method: string;
  url: string;
  httpPart?: string;
  httpStatus?: string;
  contentType?: string;
}

export interface FastifySchemaValidationError {
  keyword: string;
  /** JSON Pointer of the offending value inside the part. */
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** A compiled validator. */
export interface FastifyValidationResult {
  (
    // biome-ignore lint/suspicious/noExplicitAny: validators declare the type they expect, and get whatever arrives.
    data: any,
  ): // biome-ignore lint/suspicious/noExplicitAny: the value of another library's validator has any type.
  boolean | SafePromiseLike<any> | { error?: Error | FastifySchemaValidationError[]; value?: any };
  errors?: FastifySchemaValidationError[] | null;
}

export type FastifySchemaCompiler<T> = (routeSchema: FastifyRouteSchemaDef<T>) => FastifyValidationResult;

export type FastifySerializerCompiler<T> = (
  routeSchema: FastifyRouteSchemaDef<T>,
  // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type they expect.
) => (data: any) => string;

// biome-ignore-start lint/suspicious/noExplicitAny: factories of the ecosystem are typed against Ajv and its kin.
export type ValidatorFactory = (externalSchemas: any, options?: any) => (routeSchema: any, meta?: any) => any;
export type SerializerFactory = (externalSchemas?: any, options?: any) => (routeSchema: any) => any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** Where shared schemas are kept, and how compilers are made from them. */
export interface FastifySchemaControllerOptions {
  bucket?: (parentSchemas?: unknown) => {
    add(schema: unknown): FastifyInstance;
    getSchema(schemaId: string): unknown;
    getSchemas(): Record<string, unknown>;
  };
  compilersFactory?: {
    buildValidator?: ValidatorFactory;
    buildSerializer?: SerializerFactory;
  };
}

export type SchemaErrorDataVar = 'body' | 'headers' | 'params' | 'querystring';

/** Builds the error of a failed validation. */
export type SchemaErrorFormatter = (
  errors: FastifySchemaValidationError[],
  dataVar: SchemaErrorDataVar,
) => Error;
