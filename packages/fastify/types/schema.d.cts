/** The schemas of a route, and the compilers that turn them into functions. */
import type { FastifyInstance } from './instance.cjs';
import type { SafePromiseLike } from './type-provider.cjs';

/** The schemas of a route. The compiler defines the language of the schemas. Default: JSON Schema. */
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

/** A schema, with the route and the part of it to which it belongs. */
export interface FastifyRouteSchemaDef<T> {
  schema: T;
  method: string;
  url: string;
  httpPart?: string;
  httpStatus?: string;
  contentType?: string;
}

/** One error of an invalid request. */
export interface FastifySchemaValidationError {
  /** The keyword of the schema that the value violates: `required`. */
  keyword: string;
  /** The JSON Pointer of the invalid value in the part. */
  instancePath: string;
  /** The JSON Pointer of that keyword in the schema. */
  schemaPath: string;
  /** Details of the keyword: `{ missingProperty: 'name' }`. */
  params: Record<string, unknown>;
  /** The message: `must have required property 'name'`. */
  message?: string;
}

/** A compiled validator. */
export interface FastifyValidationResult {
  (
    // biome-ignore lint/suspicious/noExplicitAny: validators declare the type they expect, but may get any value.
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

// biome-ignore-start lint/suspicious/noExplicitAny: factories of the ecosystem are typed with the types of Ajv and similar libraries.
export type ValidatorFactory = (externalSchemas: any, options?: any) => (routeSchema: any, meta?: any) => any;
export type SerializerFactory = (externalSchemas?: any, options?: any) => (routeSchema: any) => any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** The store of shared schemas, and the factories of compilers. */
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
