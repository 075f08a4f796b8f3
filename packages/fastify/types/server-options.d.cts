/** The options of the factory, for each kind of server. */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyError } from '@fastify/error';
import type { Ajv, Options, Plugin } from 'ajv';
import type { JTDOptions } from 'ajv/dist/jtd';
import type { ConstraintStrategy, Config as FindMyWayConfig } from 'find-my-way';
import type { ConstructorAction, ProtoAction } from './content-type-parser.cjs';
import type { FastifyContextConfig } from './context.cjs';
import type { FastifyInstance, FindMyWayVersion } from './instance.cjs';
import type {
  FastifyBaseLogger,
  FastifyChildLoggerFactory,
  FastifyLoggerOptions,
  LogController,
  PinoLoggerOptions,
} from './logger.cjs';
import type { MultipartOptions } from './multipart.cjs';
import type { OverloadOptions } from './overload.cjs';
import type { FastifyReply } from './reply.cjs';
import type { FastifyRequest, RequestGenericInterface } from './request.cjs';
import type { FastifySchema, FastifySchemaControllerOptions, SchemaErrorFormatter } from './schema.cjs';
import type { FastifyServerFactory } from './server-factory.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.cjs';
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

/** Node's error for bytes that are not a valid request. */
export interface ConnectionError extends Error {
  /** The permanent code: `FST_ERR_CTP_BODY_TOO_LARGE`. */
  code: string;
  /** The number of bytes of the request that were read. */
  bytesParsed: number;
  /** The bytes that were received. */
  rawPacket: { type: string; data: number[] };
}

type TrustProxyFunction = (address: string, hop: number) => boolean;
type QuerystringParser = (str: string) => { [key: string]: unknown };

/** Options of the router. */
export type FastifyRouterOptions<RawServer extends RawServerBase> = Omit<
  FindMyWayConfig<FindMyWayVersion<RawServer>>,
  'defaultRoute' | 'onBadUrl' | 'onMaxParamLength' | 'querystringParser'
> & {
  /** Compiles the routing trees to code at boot. */
  compile?: boolean;
  defaultRoute?: (
    req: RawRequestDefaultExpression<RawServer>,
    res: RawReplyDefaultExpression<RawServer>,
  ) => void;
  onBadUrl?: (
    path: string,
    req: RawRequestDefaultExpression<RawServer>,
    res: RawReplyDefaultExpression<RawServer>,
  ) => void;
  onMaxParamLength?: (
    path: string,
    req: RawRequestDefaultExpression<RawServer>,
    res: RawReplyDefaultExpression<RawServer>,
  ) => void;
  querystringParser?: QuerystringParser;
};

interface AjvHooks {
  plugins?: (Plugin<unknown> | [Plugin<unknown>, unknown])[];
  /** Is called with each Ajv instance that is created. */
  onCreate?: (ajvInstance: Ajv) => void;
}

/** Options of the default validator engine, Ajv; with `JTD`, for JSON Type Definition schemas (RFC 8927). */
export type AjvOptions =
  | (AjvHooks & { mode?: never; customOptions?: Options })
  | (AjvHooks & { mode: 'JTD'; customOptions?: JTDOptions });

/** The options of the factory. Times are in milliseconds, sizes in bytes. */
export type FastifyServerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = {
  /** The maximum time without any data on a socket. Default 0: no limit. */
  connectionTimeout?: number;
  /** The maximum time that a connection stays open without a request. Default 72,000. */
  keepAliveTimeout?: number;
  /** The maximum time to receive a complete request. Default 0: no limit. */
  requestTimeout?: number;
  /** The maximum time from routing to the reply. If it is exceeded, the client gets 503. Default 0: no limit. */
  handlerTimeout?: number;
  /** The maximum time that a plugin or a boot hook may take; 0 is no limit. Default 10,000. */
  pluginTimeout?: number;
  /** The maximum number of requests of a connection. Default 0: no limit. */
  maxRequestsPerSocket?: number;
  /** Which connections `close` destroys: `true` all, `idle` those without a request, `false` none. Default `idle`. */
  forceCloseConnections?: boolean | 'idle';
  /** Whether requests that arrive while the application closes get 503. Default `true`. */
  return503OnClosing?: boolean;
  /** The maximum size of a body: an integer > 0. A request with a larger body gets 413. Default 1,048,576 (1 MiB). */
  bodyLimit?: number;
  /** The limits of `multipart/form-data` bodies that the framework reads, and the folder for their files. Not in Fastify. */
  multipart?: MultipartOptions;
  /** What to do about a key `__proto__` in a JSON body: `error` (respond with 400), `remove` or `ignore`. Default `error`. */
  onProtoPoisoning?: ProtoAction;
  /**
   * What to do about a key `constructor` with a `prototype` in a JSON body: `error` (respond with 400), `remove` or `ignore`. Default
   * `error`.
   */
  onConstructorPoisoning?: ConstructorAction;
  /** Creates the server. Options for Node's servers are then ignored. */
  serverFactory?: FastifyServerFactory<RawServer>;

  /** `true`, or options of pino, for a logger. Default `false`: nothing is logged. */
  logger?: boolean | (FastifyLoggerOptions<RawServer> & PinoLoggerOptions);
  /** An existing logger: pino, or an object with the same methods. It must not be combined with `logger`. */
  loggerInstance?: Logger;
  /** Writes the lines that the framework logs. Default: a `LogController`. */
  logController?: LogController;
  /** Creates the logger of each request. Default: it calls `child` of the application's logger. */
  childLoggerFactory?: FastifyChildLoggerFactory;
  /** @deprecated Use `logController`. */
  disableRequestLogging?: boolean | ((req: FastifyRequest) => boolean);
  /** @deprecated Use `logController`. */
  requestIdLogLabel?: string;
  /** The header from which request ids are read; `true` is `request-id`. Default `false`: none. */
  requestIdHeader?: string | false;
  /** Creates the id of a request from Node's request object. Default: a counter (`req-1`). */
  genReqId?: (req: RawRequestDefaultExpression<RawServer>) => string;
  /**
   * The proxies whose forwarding headers are used: `true` for all, addresses or ranges, or a function. A number trusts none. Default
   * `false`.
   */
  trustProxy?: boolean | string | string[] | TrustProxyFunction;

  /** Options of the router. */
  routerOptions?: FastifyRouterOptions<RawServer>;
  /** Whether GET routes also handle HEAD. Default `true`. */
  exposeHeadRoutes?: boolean;
  /** Whether routes may use regular expressions that an attacker can make run for very long. Default `false`. */
  allowUnsafeRegex?: boolean;
  /** Whether the case of a path matters. `false` matches any case, and does not change parameters. Default `true`. */
  caseSensitive?: boolean;
  /** Whether `/a/` matches the route `/a`. Default `false`. */
  ignoreTrailingSlash?: boolean;
  /** Whether `//a` matches the route `/a`. Default `false`. */
  ignoreDuplicateSlashes?: boolean;
  /** The maximum length of a parameter in characters. A request with a longer one gets 414. Default 100. */
  maxParamLength?: number;
  /** Whether `;` begins the query string, too. Default `false`. */
  useSemicolonDelimiter?: boolean;
  /** Parses the query string. Default: fast-querystring. */
  querystringParser?: QuerystringParser;
  /** Constraint strategies by name. */
  constraints?: { [name: string]: ConstraintStrategy<FindMyWayVersion<RawServer>, unknown> };

  /** Options of the default validator compiler, Ajv 8. Default: those of specification 5.6. */
  ajv?: AjvOptions;
  /** Options of the default serializer compiler. */
  serializerOpts?: Record<string, unknown>;
  /** Whether to log warnings about values that serialization changes. Not in Fastify; default false. */
  reportSerialization?: boolean;
  /** When schemas are compiled to code. Invalid schemas always fail at boot. Not in Fastify; default `'first-use'`. */
  compile?: 'boot' | 'first-use' | 'background';
  /** The module that `compileSchemas` of `ambit` wrote in a build. Not in Fastify. */
  compiled?: object | null | undefined;
  /** Replaces the store of shared schemas, and the factories of compilers. */
  schemaController?: FastifySchemaControllerOptions;
  /** Creates the error of an invalid request. `this` is the context of the route. */
  schemaErrorFormatter?: SchemaErrorFormatter;

  /** Whether a context may call `setErrorHandler` twice: the second handler then gets errors first. Default `true`. */
  allowErrorHandlerOverride?: boolean;
  /** The format of responses to errors that no error handler handles: `problem` is RFC 9457. Not in Fastify; default `'json'`. */
  errors?: 'json' | 'problem';
  /** Limits how many requests run at the same time. Not in Fastify; default `false`. */
  overload?: OverloadOptions | boolean | null;
  /** Adds the routes for probes: `true` for `/livez` and `/readyz`, or their paths. Not in Fastify; default none. */
  health?: { live?: string | false; ready?: string | false } | boolean | null;
  /** Handles errors that occur before a route is found. */
  frameworkErrors?: <
    RequestGeneric extends RequestGenericInterface = RequestGenericInterface,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    error: FastifyError,
    req: FastifyRequest<
      RequestGeneric,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      FastifySchema,
      TypeProvider
    >,
    res: FastifyReply<
      RequestGeneric,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      RawReplyDefaultExpression<RawServer>,
      FastifyContextConfig,
      SchemaCompiler,
      TypeProvider
    >,
  ) => void;
  /** Handles errors of requests that Node cannot parse. */
  clientErrorHandler?: (error: ConnectionError, socket: Socket) => void;
  /** Returns the URL that is used for routing. */
  rewriteUrl?: (
    this: FastifyInstance<
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      RawReplyDefaultExpression<RawServer>,
      Logger,
      FastifyTypeProviderDefault
    >,
    req: RawRequestDefaultExpression<RawServer>,
  ) => string;
};

/** The options of an application on HTTP/2 over TLS. */
export type FastifyHttp2SecureOptions<
  Server extends http2.Http2SecureServer,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http2: true;
  https: http2.SecureServerOptions;
  http2SessionTimeout?: number;
};

/** The options of an application on HTTP/2 in clear text. */
export type FastifyHttp2Options<
  Server extends http2.Http2Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http2: true;
  http2SessionTimeout?: number;
};

/** The options of an application on HTTPS. */
export type FastifyHttpsOptions<
  Server extends https.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  https: https.ServerOptions | null;
  http2?: false;
};

/** The options of an application on HTTP. */
export type FastifyHttpOptions<
  Server extends http.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http?: http.ServerOptions | null;
  http2?: false;
};
