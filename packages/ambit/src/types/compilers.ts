/** The replaceable compilers: schema in, function out (specification 5.7, 6.5), and the options of the default ones. */

import type { DialectName } from '@ambit/json-schema';
import type { AjvOptions, ValidationProblem } from '@ambit/json-validator';

export type { AjvOptions, AjvPlugin, ValidationProblem } from '@ambit/json-validator';

/** A JSON Schema object. The framework does not read its keywords; the engines do. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A part of a request that a schema can validate, under the name that compilers and formatters see. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring';

/** The result of a validator: Ajv's boolean, a value to use instead, an error, or a promise of these. */
export type ValidationResult =
  | boolean
  | undefined
  | void
  | { value: unknown; error?: undefined }
  | { error: unknown }
  | PromiseLike<unknown>;

/** A compiled validator. Ajv's own functions are of this type. */
export interface ValidatorFunction {
  // Ajv's functions take a second argument, of a type of Ajv. The framework passes none.
  /**
   * Validates a value.
   * @param data The value. It may be changed in place: coerced, and with defaults.
   * @param dataContext Not used.
   */
  (data: unknown, dataContext?: never): ValidationResult;
  /** Problems of the last call that returned `false`. */
  errors?: ValidationProblem[] | null | undefined;
  /** Whether a missing part is passed as `undefined`. Default `false`: as `null`, which validators for Fastify expect. */
  takesUndefined?: boolean;
}

/** What every compiler is told. */
interface CompilerRequest<Schema> {
  /** The schema to compile. */
  schema: Schema;
  /** The method of the route. */
  method: string;
  /** The URL pattern of the route. */
  url: string;
  /** Set if the schema belongs to one media type of a `content` map. */
  contentType?: string | undefined;
}

/** The argument of a validator compiler. */
export interface ValidatorRequest<Schema = unknown> extends CompilerRequest<Schema> {
  /** The part of the request. */
  httpPart?: HttpPart | undefined;
  /** Set when the framework reads the body as a form: strings of the format `binary` are then instances of `File`. */
  hasFiles?: boolean | undefined;
  /** Set for the headers of a route: the names of properties are compared without case. */
  hasFieldNames?: boolean | undefined;
}

/** Compiles one schema of a route into a validator (specification 5.7). */
export type ValidatorCompiler<Schema = unknown> = (request: ValidatorRequest<Schema>) => ValidatorFunction;

/** A compiled serializer: value in, JSON text out. */
export type SerializerFunction = (value: never) => string;

/** The argument of a serializer compiler. */
export interface SerializerRequest<Schema = unknown> extends CompilerRequest<Schema> {
  /** The key of the response schema: a status, `2xx`, or `default`. */
  httpStatus?: string | undefined;
}

/** Compiles one response schema into a serializer (specification 6.5). */
export type SerializerCompiler<Schema = unknown> = (request: SerializerRequest<Schema>) => SerializerFunction;

/** The shared schemas visible in a context, by `$id`. */
export type SharedSchemas = { readonly [id: string]: JsonSchema };

/** Builds the error of a failed validation (specification 5.4). `this` is the context of the route; must return an Error. */
export type SchemaErrorFormatter<This = unknown> = (
  this: This,
  problems: ValidationProblem[],
  dataVar: HttpPart,
) => Error;

/** A dialect of JSON Schema. */
export type SchemaDialect = DialectName;

/** Options of the serializer engine. The default engine ignores names that it does not know, because they may be for another one. */
export interface SerializerOptions {
  /** How a fraction becomes an integer under `type: integer`. Default `trunc`. */
  rounding?: 'ceil' | 'floor' | 'round' | 'trunc';
  [name: string]: unknown;
}

/** A store of shared schemas that replaces the default registry. */
export interface SchemaBucket {
  /** Adds a schema. @param schema The schema, with its `$id`. */
  add(schema: unknown): unknown;
  /** Reads a schema. @param id Its `$id`. */
  getSchema(id: string): unknown;
  /** Reads all schemas, by their `$id`. */
  getSchemas(): Record<string, unknown>;
}

/** Replaces the store of shared schemas, and how compilers are created from them. */
export interface SchemaControllerOptions {
  /** Creates the store of a context's shared schemas, from those of the parent. */
  bucket?: (parentSchemas?: Record<string, unknown>) => SchemaBucket;
  /** Create compilers from the shared schemas and the options. */
  compilersFactory?: {
    buildValidator?: (shared: Record<string, unknown>, options: AjvOptions) => ValidatorCompiler;
    buildSerializer?: (
      shared: Record<string, unknown>,
      options: SerializerOptions | undefined,
    ) => (request: SerializerRequest & { httpStatus: string }) => SerializerFunction;
  };
}

/** `boot`: before the application is ready. `first-use`: with the first value. `background`: once it listens, unless used before. */
export type CompileTime = 'boot' | 'first-use' | 'background';
