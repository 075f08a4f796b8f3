/** The replaceable compilers: schema in, function out (specification 5.7, 6.5). */

/** A JSON Schema object. The framework does not read its keywords; the engines do. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A part of a request that a schema can validate, under the name that compilers and formatters see. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring';

/** One problem in the form of the default engine, Ajv. Other engines may leave out members. */
export interface ValidationProblem {
  /** The keyword of the schema that the value violates: `required`. */
  keyword: string;
  /** JSON Pointer of the offending value inside the part (RFC 6901); empty for the part itself. */
  instancePath: string;
  /** JSON Pointer of that keyword inside the schema. */
  schemaPath: string;
  /** Details of the keyword: `{ missingProperty: 'name' }`. */
  params: Record<string, unknown>;
  /** What is wrong: `must have required property 'name'`. */
  message?: string;
}

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
   *
   * @param data The value. It may be changed in place: coerced, and with defaults.
   * @param dataContext Not used.
   */
  (data: unknown, dataContext?: never): ValidationResult;
  /** Problems of the last call that returned `false`. */
  errors?: ValidationProblem[] | null | undefined;
  /** Whether a missing part is passed as `undefined`. Default `false`: as `null`, which validators for Fastify expect. */
  takesUndefined?: boolean;
}

/** The argument of a validator compiler. */
export interface ValidatorRequest<Schema = unknown> {
  /** The schema to compile. */
  schema: Schema;
  /** The method of the route. */
  method: string;
  /** The URL pattern of the route. */
  url: string;
  /** The part of the request. */
  httpPart?: HttpPart | undefined;
  /** Set when the schema belongs to one media type of a `content` map. */
  contentType?: string | undefined;
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
export interface SerializerRequest<Schema = unknown> {
  /** The schema to compile. */
  schema: Schema;
  /** The method of the route. */
  method: string;
  /** The URL pattern of the route. */
  url: string;
  /** The key of the response schema: a status, `2xx`, or `default`. */
  httpStatus?: string | undefined;
  /** Set if the schema belongs to one media type of a `content` map. */
  contentType?: string | undefined;
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
