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
  Reply?: ReplyDefault;
}

/** The payload that a `Reply` type lists for a status; the `Reply` type itself where it lists none. */
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

/** What `send` takes after `code`. */
export type ResolveReplyTypeWithRouteGeneric<
  RouteGenericReply,
  Code extends ReplyKeysToCodes<keyof RouteGenericReply>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = Code extends keyof SchemaCompiler['response']
  ? CallSerializerTypeProvider<TypeProvider, SchemaCompiler['response'][Code]>
  : ResolveFastifyReplyType<TypeProvider, SchemaCompiler, { Reply: PayloadForCode<RouteGenericReply, Code> }>;

/** The statuses that a route may answer with: those of its response schemas, else those of its `Reply` type. */
type AllowedCodes<Response, Reply> = keyof Response extends never
  ? ReplyKeysToCodes<keyof Reply>
  : keyof Response extends ReplyKeysToCodes<keyof Reply>
    ? keyof Response
    : ReplyKeysToCodes<keyof Reply>;

type HeaderValue = number | string | string[] | undefined;
type Fields = { [name: string]: unknown };
type Serialize = (payload: Fields) => string;

/** Computes a trailer when the payload is out, by promise or by callback. */
type TrailerFunction<Reply> =
  | ((reply: Reply, payload: string | Buffer | null) => Promise<string>)
  | ((
      reply: Reply,
      payload: string | Buffer | null,
      done: (err: Error | null, value?: string) => void,
    ) => void);

/** A reply. Augment this interface to type what `decorateReply` adds. */
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
  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>;
  /** Node's own response object. */
  raw: RawReply;
  elapsedTime: number;
  log: FastifyBaseLogger;
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>;
  /** The instance that the route was declared on. */
  server: FastifyInstance;
  statusCode: number;
  /** True once the response has ended, or was hijacked. */
  sent: boolean;

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
  send(
    ...args: SendArgs<ReplyType>
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;

  header(
    key: HttpHeader,
    // biome-ignore lint/suspicious/noExplicitAny: values are turned into text, whatever they are.
    value: any,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  headers(
    values: Partial<Record<HttpHeader, HeaderValue>>,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  getHeader(key: HttpHeader): HeaderValue;
  getHeaders(): Record<HttpHeader, HeaderValue>;
  removeHeader(
    key: HttpHeader,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  hasHeader(key: HttpHeader): boolean;
  type(
    contentType: string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  redirect(
    url: string,
    statusCode?: number,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void;
  hijack(): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >;
  callNotFound(): void;

  serializer(
    // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type they expect.
    fn: (payload: any) => string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;
  serialize(payload: unknown): string | ArrayBuffer | Buffer;
  getSerializationFunction(httpStatus: string, contentType?: string): Serialize | undefined;
  getSerializationFunction(schema: Fields): Serialize | undefined;
  compileSerializationSchema(schema: Fields, httpStatus?: string, contentType?: string): Serialize;
  serializeInput(input: Fields, schema: Fields, httpStatus?: string, contentType?: string): string;
  serializeInput(input: Fields, httpStatus: string, contentType?: string): unknown;

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
  hasTrailer(key: string): boolean;
  removeTrailer(
    key: string,
  ): FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>;

  getDecorator<T>(name: string | symbol): T;
  /** `await reply` waits until the response is out. */
  then(fulfilled: () => void, rejected: (err: Error) => void): void;
}
