/** The schemas of a route, and the compilers that turn them into functions. */
import type { FastifyInstance } from './instance.cjs';
import type { SafePromiseLike } from './type-provider.cjs';

/** The schemas of a route. What a schema is, a compiler decides: JSON Schema by default. */
export interface FastifySchema {
  /** Validates the body of the methods that have one. */
  body?: unknown;
  /** Validates the query string. */
  querystring?: unknown;
  /** Validates the parameters of the path. */
  params?: unknown;
  /** Validates the headers. */
  headers?: unknown;
  /** Serializes replies: by status, by class of statuses as in `2xx`, or `default` (specification 6.1). */
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

/** One thing that is wrong with a request. */
export interface FastifySchemaValidationError {
  /** The keyword of the schema that the value violates: `required`. */
  keyword: string;
  /** JSON Pointer of the offending value inside the part. */
  instancePath: string;
  /** JSON Pointer of that keyword inside the schema. */
  schemaPath: string;
  /** Details of the keyword: `{ missingProperty: 'name' }`. */
  params: Record<string, unknown>;
  /** What is wrong: `must have required property 'name'`. */
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

/** Compiles a schema of a request into a validator. */
export type FastifySchemaCompiler<T> = (routeSchema: FastifyRouteSchemaDef<T>) => FastifyValidationResult;

/** Compiles a schema of a reply into a serializer. */
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
