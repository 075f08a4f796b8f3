/** The reply as handlers, hooks and plugins see it. */
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger } from './logger.cjs';
import type { FastifyRequest, RequestRouteOptions } from './request.cjs';
import type { RouteGenericInterface } from './route.cjs';
import type { FastifySchema } from './schema.cjs';
import type {
  CallSerializerTypeProvider,
  FastifyReplyType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyType,
  SendArgs,
} from './type-provider.cjs';
import type {
  CodeToReplyKey,
  ContextConfigDefault,
  HttpHeader,
  HttpKeys,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  ReplyDefault,
  ReplyKeysToCodes,
} from './utils.cjs';

/** The type of a route's reply: one type, or a payload for each status. */
export interface ReplyGenericInterface {
  /** The type of the argument of `reply.send`. */
  Reply?: ReplyDefault;
}

/** The payload that a `Reply` type lists for a status; the `Reply` type itself if it lists no statuses. */
type PayloadForCode<Reply, Code extends ReplyKeysToCodes<keyof Reply>> = Reply extends Partial<
  Record<HttpKeys, unknown>
> &
  Record<Exclude<keyof Reply, HttpKeys>, never>
  ? Code extends keyof Reply
    ? Reply[Code]
    : CodeToReplyKey<Code> extends keyof Reply
      ? Reply[CodeToReplyKey<Code>]
      : unknown
  : Reply;

/** The argument of `send` after `code`. */
export type ResolveReplyTypeWithRouteGeneric<
  RouteGenericReply,
  Code extends ReplyKeysToCodes<keyof RouteGenericReply>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = Code extends keyof SchemaCompiler['response']
  ? CallSerializerTypeProvider<TypeProvider, SchemaCompiler['response'][Code]>
  : ResolveFastifyReplyType<TypeProvider, SchemaCompiler, { Reply: PayloadForCode<RouteGenericReply, Code> }>;

/** The statuses with which a route may respond: those of its response schemas, or those of its `Reply` type. */
type AllowedCodes<Response, Reply> = keyof Response extends never
  ? ReplyKeysToCodes<keyof Reply>
  : keyof Response extends ReplyKeysToCodes<keyof Reply>
    ? keyof Response
    : ReplyKeysToCodes<keyof Reply>;

type HeaderValue = number | string | string[] | undefined;
type Fields = { [name: string]: unknown };
type Serialize = (payload: Fields) => string;

/** Computes a trailer after the payload was sent, and returns a promise or calls the callback. */
type TrailerFunction<Reply> =
  | ((reply: Reply, payload: string | Buffer | null) => Promise<string>)
  | ((
      reply: Reply,
      payload: string | Buffer | null,
      done: (err: Error | null, value?: string) => void,
    ) => void);

/** A reply. Augment this interface to declare what `decorateReply` adds. */
export interface FastifyReply<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ReplyType extends FastifyReplyType = ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric>,
> {
  /** The options of the route, including defaults. */
  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>;
  /** Node's response object. */
  raw: RawReply;
  /** Milliseconds since the request arrived. 0 if nothing observes the response: neither a logger nor an `onResponse` hook. */
  elapsedTime: number;
  /** The logger of the request. */
  log: FastifyBaseLogger;
  /** The request of this reply. */
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>;
  /** The instance that the route was declared on. */
  server: FastifyInstance;
  /** The status of the response. Default 200. */
  statusCode: number;
  /** True once the response has ended, or was hijacked. */
  sent: boolean;

  /**
   * Sets the status.
   *
   * @param statusCode From 100 to 599. Fractions are truncated.
   * @throws {FST_ERR_BAD_STATUS_CODE} for any other value.
   */
  code<Code extends AllowedCodes<SchemaCompiler['response'], RouteGeneric['Reply']>>(
    statusCode: Code,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<RouteGeneric['Reply'], Code, SchemaCompiler, TypeProvider>
  >;
  /**
   * The same as `code`.
   *
   * @param statusCode From 100 to 599.
   * @throws {FST_ERR_BAD_STATUS_CODE} for any other value.
   */
  status<Code extends AllowedCodes<SchemaCompiler['response'], RouteGeneric['Reply']>>(
    statusCode: Code,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<RouteGeneric['Reply'], Code, SchemaCompiler, TypeProvider>
  >;
  /**
   * Sends the reply. It never throws: if the payload cannot be sent, the request fails, and its error handler is called.
   *
   * @param args An object or another value that is serialized, a string, a Buffer, a typed array, a stream, a web stream, a `Response`,
   *   `null`, or `undefined` for no content. An Error is given to the error handler.
   */
  send(
    ...args: SendArgs<ReplyType>
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;

  /**
   * Sets a header.
   *
   * @param key The name, in upper or lower case.
   * @param value Default `''`. A value of `set-cookie` is added to those that were set before.
   */
  header(
    key: HttpHeader,
    // biome-ignore lint/suspicious/noExplicitAny: values are turned into text, whatever they are.
    value: any,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Sets several headers.
   *
   * @param values The values by name.
   */
  headers(
    values: Partial<Record<HttpHeader, HeaderValue>>,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Reads a header that was set.
   *
   * @param key The name, in upper or lower case.
   * @returns Its value, or `undefined`.
   */
  getHeader(key: HttpHeader): HeaderValue;
  /**
   * Reads all headers that were set.
   *
   * @returns A copy: the values by name, names in lower case.
   */
  getHeaders(): Record<HttpHeader, HeaderValue>;
  /**
   * Removes a header that was set.
   *
   * @param key The name, in upper or lower case.
   */
  removeHeader(
    key: HttpHeader,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Returns whether a header was set.
   *
   * @param key The name, in upper or lower case.
   */
  hasHeader(key: HttpHeader): boolean;
  /**
   * Sets the Content-Type.
   *
   * @param contentType A JSON type without a charset is sent with `charset=utf-8`.
   */
  type(
    contentType: string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Redirects the client, and ends the request.
   *
   * @param url The target. Characters that a header cannot contain are percent-encoded.
   * @param statusCode From 100 to 599. Default: the status that was set before, or 302.
   * @throws {FST_ERR_BAD_STATUS_CODE} for any other status.
   */
  redirect(
    url: string,
    statusCode?: number,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Sends an informational response 103 before the reply, with links that the client may already load (RFC 8297).
   *
   * @param hints The headers of that response, such as `link`.
   * @param callback Called when it has been written.
   */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void;
  /** Stops the framework from sending a response: the application writes to `reply.raw` itself. */
  hijack(): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >;
  /** Calls the not-found handler of this context. */
  callNotFound(): void;

  /**
   * Sets the serializer of this reply (specification 6.6).
   *
   * @param fn Gets the payload, and returns what is sent.
   */
  serializer(
    // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type they expect.
    fn: (payload: any) => string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  /**
   * Serializes a value in the same way as `send`, without sending it.
   *
   * @param payload The value.
   * @returns The text.
   * @throws What the serializer throws.
   */
  serialize(payload: unknown): string | ArrayBuffer | Buffer;
  /**
   * Returns a serializer that was already compiled.
   *
   * @param httpStatus A status of this route's response schemas.
   * @param contentType The media type, if the schema of that status has one schema for each.
   * @returns The serializer, or `undefined` if there is none.
   */
  getSerializationFunction(httpStatus: string, contentType?: string): Serialize | undefined;
  /**
   * Returns a serializer that was already compiled.
   *
   * @param schema A schema that `compileSerializationSchema` has compiled.
   * @returns The serializer, or `undefined` if there is none.
   */
  getSerializationFunction(schema: Fields): Serialize | undefined;
  /**
   * Compiles a schema with the serializer compiler of this route. The same schema object is compiled once for each route.
   *
   * @param schema The schema.
   * @param httpStatus The status that is passed to the compiler. Default `null`.
   * @param contentType The media type that is given to the compiler. Default `null`.
   * @returns The serializer.
   * @throws What the compiler throws for an invalid schema.
   */
  compileSerializationSchema(schema: Fields, httpStatus?: string, contentType?: string): Serialize;
  /**
   * Serializes any value with a schema.
   *
   * @param input The value.
   * @param schema The schema.
   * @param httpStatus The status that is passed to the compiler.
   * @param contentType The media type that is given to the compiler.
   * @returns The text.
   */
  serializeInput(input: Fields, schema: Fields, httpStatus?: string, contentType?: string): string;
  /**
   * Serializes any value with the response schema of a status.
   *
   * @param input The value.
   * @param httpStatus A status of this route's response schemas.
   * @param contentType The media type, if the schema of that status has one schema for each.
   * @returns The text.
   * @throws {FST_ERR_MISSING_SERIALIZATION_FN} if the route has no schema for that status.
   * @throws {FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN} if it has none for that media type.
   */
  serializeInput(input: Fields, httpStatus: string, contentType?: string): unknown;

  /**
   * Adds a trailer: a header that is sent after the payload (RFC 9110, 6.5).
   *
   * @param key The name, in upper or lower case.
   * @param fn Returns the value when the payload has been sent.
   * @throws {FST_ERR_BAD_TRAILER_NAME} if a trailer must not have this name.
   * @throws {FST_ERR_BAD_TRAILER_VALUE} if `fn` is not a function.
   */
  trailer: (
    key: string,
    fn: TrailerFunction<
      FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>
    >,
  ) => FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >;
  /**
   * Returns whether a trailer was added.
   *
   * @param key The name, in upper or lower case.
   */
  hasTrailer(key: string): boolean;
  /**
   * Removes a trailer that was added.
   *
   * @param key The name, in upper or lower case.
   */
  removeTrailer(
    key: string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;

  /**
   * Reads a reply decorator.
   *
   * @param name The name of the decorator.
   * @returns Its value. A function is bound to this reply.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is no decorator of that name.
   */
  getDecorator<T>(name: string | symbol): T;
  /**
   * Waits until the response has ended, for `await reply`.
   *
   * @param fulfilled Called when the response has ended.
   * @param rejected Called with the error if the response could not be written.
   */
  then(fulfilled: () => void, rejected: (err: Error) => void): void;
}
