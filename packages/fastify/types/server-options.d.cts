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

/** What node reports of bytes that are no request. */
export interface ConnectionError extends Error {
  code: string;
  bytesParsed: number;
  rawPacket: { type: string; data: number[] };
}

type TrustProxyFunction = (address: string, hop: number) => boolean;
type QuerystringParser = (str: string) => { [key: string]: unknown };

/** Options of the router. */
export type FastifyRouterOptions<RawServer extends RawServerBase> = Omit<
  FindMyWayConfig<FindMyWayVersion<RawServer>>,
  'defaultRoute' | 'onBadUrl' | 'onMaxParamLength' | 'querystringParser'
> & {
  /** Turns the routing trees into generated code at boot. */
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
  /** Called with each engine that is made. */
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
  connectionTimeout?: number;
  keepAliveTimeout?: number;
  requestTimeout?: number;
  handlerTimeout?: number;
  pluginTimeout?: number;
  maxRequestsPerSocket?: number;
  forceCloseConnections?: boolean | 'idle';
  return503OnClosing?: boolean;
  bodyLimit?: number;
  onProtoPoisoning?: ProtoAction;
  onConstructorPoisoning?: ConstructorAction;
  serverFactory?: FastifyServerFactory<RawServer>;

  logger?: boolean | (FastifyLoggerOptions<RawServer> & PinoLoggerOptions);
  loggerInstance?: Logger;
  logController?: LogController;
  childLoggerFactory?: FastifyChildLoggerFactory;
  /** @deprecated Give a `logController`. */
  disableRequestLogging?: boolean | ((req: FastifyRequest) => boolean);
  /** @deprecated Give a `logController`. */
  requestIdLogLabel?: string;
  requestIdHeader?: string | false;
  genReqId?: (req: RawRequestDefaultExpression<RawServer>) => string;
  trustProxy?: boolean | string | string[] | TrustProxyFunction;

  routerOptions?: FastifyRouterOptions<RawServer>;
  exposeHeadRoutes?: boolean;
  allowUnsafeRegex?: boolean;
  caseSensitive?: boolean;
  ignoreTrailingSlash?: boolean;
  ignoreDuplicateSlashes?: boolean;
  maxParamLength?: number;
  useSemicolonDelimiter?: boolean;
  querystringParser?: QuerystringParser;
  constraints?: { [name: string]: ConstraintStrategy<FindMyWayVersion<RawServer>, unknown> };

  ajv?: AjvOptions;
  serializerOpts?: Record<string, unknown>;
  /** Whether warnings are logged of what serializing changes. Not of Fastify; default false. */
  reportSerialization?: boolean;
  /** When schemas become code; their faults are found at boot in any case. Not of Fastify; default `'first-use'`. */
  compile?: 'boot' | 'first-use' | 'background';
  /** The module that `compileSchemas` of `ambit` wrote in a build. Not of Fastify. */
  compiled?: object | null | undefined;
  schemaController?: FastifySchemaControllerOptions;
  schemaErrorFormatter?: SchemaErrorFormatter;

  allowErrorHandlerOverride?: boolean;
  /** Answers what fails before a route is found. */
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
  /** Answers what node cannot read as a request. */
  clientErrorHandler?: (error: ConnectionError, socket: Socket) => void;
  /** Gives the URL to route by. */
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

export type FastifyHttp2SecureOptions<
  Server extends http2.Http2SecureServer,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http2: true;
  https: http2.SecureServerOptions;
  http2SessionTimeout?: number;
};

export type FastifyHttp2Options<
  Server extends http2.Http2Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http2: true;
  http2SessionTimeout?: number;
};

export type FastifyHttpsOptions<
  Server extends https.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  https: https.ServerOptions | null;
  http2?: false;
};

export type FastifyHttpOptions<
  Server extends http.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http?: http.ServerOptions | null;
  http2?: false;
};
