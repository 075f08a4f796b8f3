/** The request as handlers, hooks and plugins see it. */
import type { FastifyContextConfig } from './context.cjs';
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger } from './logger.cjs';
import type { FastifyRouteConfig, RouteGenericInterface, RouteHandlerMethod } from './route.cjs';
import type { FastifySchema, FastifySchemaValidationError } from './schema.cjs';
import type {
  FastifyRequestType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyRequestType,
} from './type-provider.cjs';
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  RequestBodyDefault,
  RequestHeadersDefault,
  RequestParamsDefault,
  RequestQuerystringDefault,
} from './utils.cjs';

type HTTPRequestPart = 'body' | 'query' | 'querystring' | 'params' | 'headers';

/** The types of a route's request, one for each part. */
export interface RequestGenericInterface {
  /** The type of `request.body`. */
  Body?: RequestBodyDefault;
  /** The type of `request.query`. */
  Querystring?: RequestQuerystringDefault;
  /** The type of `request.params`. */
  Params?: RequestParamsDefault;
  /** The type of `request.headers`. */
  Headers?: RequestHeadersDefault;
}

// biome-ignore-start lint/suspicious/noExplicitAny: validators take whatever arrives, schemas are of any library.
export interface ValidationFunction {
  (input: any): boolean;
  /** Problems of the last call that returned `false`. */
  errors?: null | FastifySchemaValidationError[];
}

type AnySchema = { [key: string]: any };
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** The options of the route, including defaults. */
export interface RequestRouteOptions<ContextConfig = ContextConfigDefault, SchemaCompiler = FastifySchema> {
  method: HTTPMethods | HTTPMethods[];
  /** `undefined` in a not-found handler. */
  url: string | undefined;
  bodyLimit: number;
  handlerTimeout: number;
  attachValidation: boolean;
  logLevel: string;
  exposeHeadRoute: boolean;
  prefixTrailingSlash: string;
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig;
  /** Absent in a not-found handler. */
  schema?: SchemaCompiler;
  handler: RouteHandlerMethod;
  version?: string;
}

/** A request. Augment this interface to declare what `decorateRequest` adds. */
export interface FastifyRequest<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ContextConfig = ContextConfigDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  RequestType extends FastifyRequestType = ResolveFastifyRequestType<
    TypeProvider,
    SchemaCompiler,
    RouteGeneric
  >,
> {
  /**
   * The id of the request, unique within the process. It comes from the option `genReqId`, or from the header that `requestIdHeader` names.
   */
  id: string;
  /** The values of the route's parameters, percent-decoded: untrusted input until they are validated. */
  params: RequestType['params'];
  /** The parsed query string: untrusted input until it is validated. */
  query: RequestType['query'];
  /** The headers, their names in lower case. An assigned object is merged with the received headers, and removes none of them. */
  headers: RawRequest['headers'] & RequestType['headers'];
  /** The parsed body, from `preValidation` on; after validation, coerced and with defaults. `undefined` without a body. */
  body: RequestType['body'];
  /** Node's request object. */
  raw: RawRequest;
  /** The logger of this request. Its lines carry the request's id. */
  log: Logger;
  /** The instance that the route was declared on. */
  server: FastifyInstance;
  /** The error of a request that is not valid, if the route has `attachValidation: true` (specification 5.5). */
  // biome-ignore lint/suspicious/noExplicitAny: the problems have the shape that the validator gave them.
  validationError?: Error & { validation: any; validationContext: string };

  /** @deprecated Use `raw`. */
  readonly req: RawRequest & RouteGeneric['Headers'];
  /** The IP address of the client: that of the connection, or the one that a trusted proxy reports. */
  readonly ip: string;
  /** The addresses from the connection to the client. `undefined` without `trustProxy`. */
  readonly ips?: string[];
  /** Host and port that the client requested. This is untrusted input, as is everything derived from it. */
  readonly host: string;
  /** `host` without the port. */
  readonly hostname: string;
  /** The port in `host`, or `null` if it has none. */
  readonly port: number | null;
  /** `https` if the connection is encrypted, or if a trusted proxy says so in `x-forwarded-proto`. */
  readonly protocol: 'http' | 'https';
  /** The method, in upper case as it was received. */
  readonly method: string;
  /** Path and query string that are used for routing: after `rewriteUrl`. */
  readonly url: string;
  /**
   * The path of `url` as the router compares it, without the query string: compare it in guards. Parameters in it may still be
   * encoded: compare those in `params`. Not in Fastify.
   */
  readonly canonicalPath: string;
  /** The URL as received, before `rewriteUrl`. */
  readonly originalUrl: string;
  /** The options of the route, including defaults. */
  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>;
  /** Whether a not-found handler handles the request. */
  readonly is404: boolean;
  /** The socket of the connection. */
  readonly socket: RawRequest['socket'];
  /** Aborts when the client disconnects or `handlerTimeout` is exceeded. */
  readonly signal: AbortSignal;
  /** The remaining milliseconds of `handlerTimeout`, at least 0; `Infinity` without a limit. Not in Fastify. */
  readonly remainingMs: number;
  /** The canonical media type of the body. */
  readonly mediaType: string | undefined;

  /**
   * Returns a validator that was already compiled.
   *
   * @param httpPart A part of this route, or a schema that `compileValidationSchema` has compiled.
   * @returns The validator, or `undefined` if there is none.
   */
  getValidationFunction(httpPart: HTTPRequestPart): ValidationFunction | undefined;
  /**
   * Returns a validator that was already compiled.
   *
   * @param schema A part of this route, or a schema that `compileValidationSchema` has compiled.
   * @returns The validator, or `undefined` if there is none.
   */
  getValidationFunction(schema: AnySchema): ValidationFunction | undefined;
  /**
   * Compiles a schema with the validator compiler of this route. The same schema object is compiled once for each route.
   *
   * @param schema The schema.
   * @param httpPart The part that is passed to the compiler. Default `null`.
   * @returns The validator.
   * @throws What the compiler throws for an invalid schema.
   */
  compileValidationSchema(schema: AnySchema, httpPart?: HTTPRequestPart): ValidationFunction;
  /**
   * Validates any value.
   *
   * @param input The value.
   * @param schema A schema.
   * @param httpPart The part whose schema is used, if this route has one for it; otherwise `schema` is compiled.
   * @returns What the validator returns. Ajv returns `true` or `false`, and sets `errors` on the validator.
   * @throws {FST_ERR_REQ_INVALID_VALIDATION_INVOCATION} if there is neither a schema nor a validator for the part.
   */
  validateInput(input: unknown, schema: AnySchema, httpPart?: HTTPRequestPart): boolean;
  /**
   * Validates any value.
   *
   * @param input The value.
   * @param httpPart A part of this route, whose schema is used.
   * @returns What the validator returns. Ajv returns `true` or `false`, and sets `errors` on the validator.
   * @throws {FST_ERR_REQ_INVALID_VALIDATION_INVOCATION} if there is neither a schema nor a validator for the part.
   */
  validateInput(input: unknown, httpPart?: HTTPRequestPart): boolean;
  /**
   * Reads a request decorator.
   *
   * @param name The name of the decorator.
   * @returns Its value. A function is bound to this request.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is no decorator of that name.
   */
  getDecorator<T>(name: string | symbol): T;
  /**
   * Sets a request decorator for this request only.
   *
   * @param name The name of the decorator.
   * @param value The new value.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is no decorator of that name.
   */
  setDecorator<T = unknown>(name: string | symbol, value: T): void;
}
