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
  Body?: RequestBodyDefault;
  Querystring?: RequestQuerystringDefault;
  Params?: RequestParamsDefault;
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

/** What was declared for the route, with its defaults filled in. */
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

/** A request. Augment this interface to type what `decorateRequest` adds. */
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
  id: string;
  params: RequestType['params'];
  query: RequestType['query'];
  headers: RawRequest['headers'] & RequestType['headers'];
  body: RequestType['body'];
  /** Node's own request object. */
  raw: RawRequest;
  log: Logger;
  /** The instance that the route was declared on. */
  server: FastifyInstance;
  // biome-ignore lint/suspicious/noExplicitAny: the problems have the shape that the validator gave them.
  validationError?: Error & { validation: any; validationContext: string };

  /** @deprecated Use `raw`. */
  readonly req: RawRequest & RouteGeneric['Headers'];
  /** Address of the peer; of the client, behind a trusted proxy. */
  readonly ip: string;
  readonly ips?: string[];
  /** Host and port that the client asked for: untrusted input, like all that follows from it. */
  readonly host: string;
  readonly hostname: string;
  readonly port: number | null;
  readonly protocol: 'http' | 'https';
  readonly method: string;
  readonly url: string;
  /** The URL as received, before `rewriteUrl`. */
  readonly originalUrl: string;
  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>;
  readonly is404: boolean;
  readonly socket: RawRequest['socket'];
  /** Aborts when the client goes away or `handlerTimeout` passes. */
  readonly signal: AbortSignal;
  /** The canonical media type of the body. */
  readonly mediaType: string | undefined;

  getValidationFunction(httpPart: HTTPRequestPart): ValidationFunction | undefined;
  getValidationFunction(schema: AnySchema): ValidationFunction | undefined;
  compileValidationSchema(schema: AnySchema, httpPart?: HTTPRequestPart): ValidationFunction;
  validateInput(input: unknown, schema: AnySchema, httpPart?: HTTPRequestPart): boolean;
  validateInput(input: unknown, httpPart?: HTTPRequestPart): boolean;
  getDecorator<T>(name: string | symbol): T;
  setDecorator<T = unknown>(name: string | symbol, value: T): void;
}
