/** The methods of a context that set what holds in it and below: decorators, schemas, parsers, error handlers. */

import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './compilers.ts';
import type { Context, ContextOf } from './context.ts';
import type { ContextTypes, Extended, Inherited, Member, SharedSchema } from './context-types.ts';
import type { ErrorHandler } from './hooks.ts';
import type { ChildLoggerFactory } from './logger.ts';
import type { ErrorFormat } from './problems.ts';
import type { Reply, ReplyOf } from './reply.ts';
import type { CollectedParser, PoisoningAction, Request, RequestOf, StreamParser } from './request.ts';
import type { AllowedResponses } from './route-types.ts';

/** The type of a method, so that a context with more types is assignable to one with fewer. `Undecorated`: `Owner` without decorators. */
type Decorate<Types extends ContextTypes, Part extends keyof ContextTypes, Owner, Undecorated> = {
  declare<const Name extends string | symbol, Method extends MethodOf<Owner> & Expected<Undecorated, Name>>(
    name: Name,
    method: Method,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Method, Undecorated>>>;
  declare<const Name extends string | symbol, Value extends Expected<Undecorated, Name>>(
    name: Name,
    accessor: Accessor<Owner, Value>,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Undecorated>>>;
  declare<const Name extends string | symbol, Value extends Expected<Undecorated, Name, Missing<Part>>>(
    name: Name,
    value: InitialValue<Part, Value> | void,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Undecorated>>>;
}['declare'];

/** Adds decorators to contexts, requests and replies. */
export interface DecoratorMethods<Types extends ContextTypes> {
  /**
   * Adds a property to this context and to its children. The type of the returned context has it.
   * @param name The name of the property.
   * @param value A method, a value, or `{ getter, setter }` for a property that is computed at each access.
   * @param dependencies Names of decorators that must exist already.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken, {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   */
  decorate: Decorate<Types, 'context', ContextOf<Inherited<Types>>, Context>;
  /**
   * Adds a property to the requests of this context and of its children.
   * @param name The name of the property.
   * @param value As for `decorate`; a value is that with which each starts. It must not be an object: all requests would share it.
   * @param dependencies Names of such decorators that must exist already.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object; otherwise as `decorate`.
   */
  decorateRequest: Decorate<Types, 'request', RequestOf<Types>, Request>;
  /**
   * Adds a property to the replies of this context and of its children.
   * @param name The name of the property.
   * @param value As for `decorate`; a value is that with which each starts. It must not be an object: all replies would share it.
   * @param dependencies Names of such decorators that must exist already.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object; otherwise as `decorate`.
   */
  decorateReply: Decorate<Types, 'reply', ReplyOf<Types>, Reply>;
  /** Tells whether this context has a property of that name: a decorator, or one of its own. @param name The name of the property. */
  hasDecorator(name: string | symbol): boolean;
  /** Tells whether the requests of this context have a decorator of that name. @param name The name of the decorator. */
  hasRequestDecorator(name: string | symbol): boolean;
  /** Tells whether the replies of this context have a decorator of that name. @param name The name of the decorator. */
  hasReplyDecorator(name: string | symbol): boolean;
  /**
   * Reads a decorator; a function is bound to this context.
   * @param name Its name.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is none.
   */
  getDecorator<T = unknown>(name: string | symbol): T;
}

/** Reads shared schemas, and replaces the compilers of this context. Nothing here depends on the context's types. */
interface CompilerMethods {
  /**
   * Reads a shared schema that is visible in this context.
   * @param id Its `$id`.
   * @returns The schema, or `undefined`.
   */
  getSchema(id: string): unknown;
  /** Reads all shared schemas that are visible in this context. @returns A copy: the schemas by their `$id`. */
  getSchemas(): Record<string, unknown>;
  /** Replaces the compiler of request schemas, here and below. @param compiler Takes `{ schema, method, url, httpPart }`. */
  setValidatorCompiler(compiler: ValidatorCompiler<never>): this;
  /** Replaces the compiler of reply schemas, here and below. @param compiler Takes `{ schema, method, url, httpStatus, contentType }`. */
  setSerializerCompiler(compiler: SerializerCompiler<never>): this;
  /**
   * Replaces the store of shared schemas, and how compilers are created, for this context and its children.
   * @param options Members that are left out do not change.
   * @throws {FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN} if `bucket` is not a function.
   */
  setSchemaController(options: SchemaControllerOptions): this;
  /** Sets the serializer of replies without one of their own or a response schema. @param serialize Takes the payload and the status. */
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
   * @param schema A JSON Schema with an `$id`.
   * @throws {FST_ERR_SCH_MISSING_ID} if the schema has no `$id`, {FST_ERR_SCH_ALREADY_PRESENT} if the `$id` is taken.
   */
  addSchema<const Schema>(schema: Schema): ContextOf<Extended<Types, 'schemas', SharedSchema<Schema>>>;
  /**
   * Sets the function that creates the error of an invalid request, for this context and its children.
   * @param formatter Takes the problems and the name of the part, and returns an Error. It must not be async.
   * @throws {FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN} if it is not a function, or is async.
   */
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<ContextOf<Types>>): this;
}

/** Media types, and patterns of media types. */
type MediaTypes = string | RegExp | (string | RegExp)[];

/** The types of a body that is collected, by `parseAs`. */
interface CollectedBodies {
  string: string;
  buffer: Buffer;
}

/** Adds and removes parsers of bodies. */
export interface ParserMethods {
  /**
   * Adds a parser that reads the body as a stream, to this context and to its children.
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param parser Takes the request and the stream. It returns a promise of the value, or calls `done`. It must limit the size itself.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if there is such a parser, {FST_ERR_CTP_INVALID_TYPE} or {FST_ERR_CTP_EMPTY_TYPE} for the media
   *   type, {FST_ERR_CTP_INVALID_HANDLER} if `parser` is not a function.
   */
  addContentTypeParser(mediaType: MediaTypes, parser: StreamParser): this;
  /**
   * The same: without `parseAs`, no option applies.
   * @param mediaType As above.
   * @param options Not used.
   * @param parser As above.
   */
  addContentTypeParser(mediaType: MediaTypes, options: { bodyLimit?: number }, parser: StreamParser): this;
  /**
   * Adds a parser of a body that is collected as text or as a Buffer, to this context and to its children.
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param options `bodyLimit`: the largest body in bytes; a larger one is answered with 413. Default: the application's `bodyLimit`.
   * @param parser Takes the request and the text or the Buffer. It returns a promise of the value, or calls `done`.
   */
  addContentTypeParser<As extends keyof CollectedBodies>(
    mediaType: MediaTypes,
    options: { parseAs: As; bodyLimit?: number },
    parser: CollectedParser<CollectedBodies[As]>,
  ): this;
  /** Tells whether this context has a parser for a media type. @param mediaType A media type, or a pattern as it was added. */
  hasContentTypeParser(mediaType: string | RegExp): boolean;
  /** Removes parsers, here and below: such a body is answered with 415. @param mediaType One or several, as they were added. */
  removeContentTypeParser(mediaType: MediaTypes): void;
  /** Removes all parsers from this context and from its children, those for JSON and text, too. */
  removeAllContentTypeParsers(): void;
  /**
   * Creates a parser like the default one for JSON.
   * @param onProtoPoisoning What to do about a key `__proto__`.
   * @param onConstructorPoisoning What to do about a key `constructor` that holds a `prototype`.
   * @returns The parser, for `addContentTypeParser` with `parseAs: 'string'`.
   */
  getDefaultJsonParser(
    onProtoPoisoning: PoisoningAction,
    onConstructorPoisoning: PoisoningAction,
  ): CollectedParser<string>;
  /** The default parser for text, for `addContentTypeParser` with `parseAs: 'string'`. */
  defaultTextParser: CollectedParser<string>;
}

/** Sets how failed requests are answered. */
export interface ErrorMethods<Types extends ContextTypes> {
  /**
   * Sets the error handler of this context and of its children.
   * @param handler Takes the error, the request and the reply. If it throws, the error handler of the context around it is called.
   * @throws {FST_ERR_ERROR_HANDLER_NOT_FN} if `handler` is not a function.
   * @throws {FST_ERR_ERROR_HANDLER_ALREADY_SET} if this context has one, and the option `allowErrorHandlerOverride` is `false`.
   */
  setErrorHandler(handler: ErrorHandler<Types>): this;
  /** The error handler of this context. The default one replies with a JSON body with `statusCode`, `code`, `error` and `message`. */
  readonly errorHandler: ErrorHandler;
  /** Sets the format of errors that no error handler answers, here and below. @param format `json`, or `problem` (RFC 9457). */
  setErrorFormat(format: ErrorFormat): this;
  /** The format of error replies in this context. Default: the option `errors` of the application, which is `json` by default. */
  readonly errorFormat: ErrorFormat;
  /**
   * Sets which responses the routes of this context and of its children may send, if they have a response schema.
   * @param responses `declared`: a reply whose status or media type the response schemas of its route do not declare fails with 500, because
   *   all its properties would be sent. `any`: such a reply is sent.
   */
  setResponses(responses: AllowedResponses): this;
}

/** Sets how loggers and ids of requests are created. Nothing here depends on the context's types. */
export interface LogMethods {
  /** Sets what creates the logger of each request, here and below. @param factory Takes logger, fields, options and node's request. */
  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this;
  /** The function that creates the logger of each request of this context. Default: it calls `child` of the context's logger. */
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
  /** Sets what creates the ids of requests, here and below. @param generate Takes node's request, and returns the id. */
  setGenReqId(generate: (rawRequest: never) => string): this;
  /** The function that creates the ids of requests of this context. Default: a counter (`req-1`). */
  readonly genReqId: (rawRequest: never) => string;
}

/** A decorator that is a method of the object that it decorates. */
export type MethodOf<Owner> = (this: Owner, ...args: never[]) => unknown;

/** A decorator that is computed at each access. */
export interface Accessor<Owner, Value> {
  /** Returns the value. `this` is the context, request or reply. */
  getter(this: Owner): Value;
  /** Called when a value is assigned. @param value The value. */
  setter?(this: Owner, value: Value): void;
}

/**
 * The type that a decorator of this name must have: any type, unless the application has declared the name for every context, by augmenting
 * `Undecorated`. `OtherValue` is a parameter because a union outside the condition would make the compiler infer literal types.
 */
export type Expected<Undecorated, Name, OtherValue = never> = Name extends keyof Undecorated
  ? Undecorated[Name] | OtherValue
  : unknown;

/** The values with which a request or a reply may start instead of a value of the declared type. */
export type Missing<Part> = Part extends 'context' ? never : null | undefined;

/** A value with which requests or replies may start. An object is rejected at run time, because all of them would share it. */
export type InitialValue<Part, Value> = Part extends 'context'
  ? Value
  : IsObject<Value> extends true
    ? NoObject
    : Value;

/** Its member is the message in the compiler's error. A string type instead would make the compiler infer string literals. */
interface NoObject {
  readonly 'all requests would share one object: use null, or a getter': never;
}

/** Whether a value is certainly an object: `null as User | null` may be `null`, and functions are methods. */
type IsObject<Value> = unknown extends Value
  ? false
  : [Value] extends [never]
    ? false
    : [Value] extends [object]
      ? Value extends ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
        ? false
        : true
      : false;
