/** Loggers, and the lines that the framework itself logs. The interface is pino's. */
import type { FastifyError } from '@fastify/error';
import type {
  BaseLogger,
  Bindings,
  ChildLoggerOptions,
  LogFn as FastifyLogFn,
  LevelWithSilent as LogLevel,
  LoggerOptions as PinoLoggerOptions,
} from 'pino';
import type { FastifyInstance } from './instance.cjs';
import type { FastifyReply } from './reply.cjs';
import type { FastifyRequest } from './request.cjs';
import type { RouteGenericInterface } from './route.cjs';
import type { FastifySchema } from './schema.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.cjs';
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

export type { Bindings, ChildLoggerOptions, FastifyLogFn, LogLevel, PinoLoggerOptions };

/** What the framework needs of a logger. Every pino instance is one. */
export interface FastifyBaseLogger
  extends Pick<BaseLogger, 'level' | 'info' | 'error' | 'debug' | 'fatal' | 'warn' | 'trace' | 'silent'> {
  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger;
}

/** @deprecated The older name of `FastifyBaseLogger`. */
export type FastifyLoggerInstance = FastifyBaseLogger;

/** Anything that takes lines. */
export interface FastifyLoggerStreamDestination {
  write(msg: string): void;
}

/** What the `res` serializer gets: a whole reply, or only a status. */
export type ResSerializerReply<
  RawServer extends RawServerBase,
  RawReply extends FastifyReply<RouteGenericInterface, RawServer>,
> = Partial<RawReply> & Pick<RawReply, 'statusCode'>;

/** Options of `logger`, beside pino's own. */
export interface FastifyLoggerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends FastifyRequest<
    RouteGenericInterface,
    RawServer,
    RawRequestDefaultExpression<RawServer>,
    FastifySchema,
    FastifyTypeProvider
  > = FastifyRequest<RouteGenericInterface, RawServer>,
  RawReply extends FastifyReply<
    RouteGenericInterface,
    RawServer,
    RawRequestDefaultExpression<RawServer>,
    RawReplyDefaultExpression<RawServer>,
    ContextConfigDefault,
    FastifySchema,
    FastifyTypeProvider
  > = FastifyReply<RouteGenericInterface, RawServer>,
> {
  serializers?: {
    req?: (req: RawRequest) => {
      method?: string;
      url?: string;
      version?: string;
      host?: string;
      remoteAddress?: string;
      remotePort?: number;
      [field: string]: unknown;
    };
    err?: (err: FastifyError) => { type: string; message: string; stack: string; [field: string]: unknown };
    res?: (res: ResSerializerReply<RawServer, RawReply>) => {
      statusCode?: string | number;
      [field: string]: unknown;
    };
  };
  level?: string;
  /** A path to write to. Cannot be combined with `stream`. */
  file?: string;
  genReqId?: (req: RawRequest) => string;
  stream?: FastifyLoggerStreamDestination;
}

export interface LogControllerOptions {
  disableRequestLogging?: boolean | ((req: FastifyRequest) => boolean);
  requestIdLogLabel?: string;
}

/** Facts of a line that have no argument of their own. */
type Metadata = Record<string, unknown>;

/** Owns the lines that the framework itself logs. Extend it to change or silence some of them. */
export declare class LogController {
  disableRequestLogging: boolean | ((req: FastifyRequest) => boolean);
  requestIdLogLabel: string;

  constructor(options?: LogControllerOptions);

  isLogDisabled(request: FastifyRequest): boolean;
  incomingRequest(request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata?: Metadata,
  ): void;
  defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  routeNotFound(request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { statusCode: number },
  ): void;
  serviceUnavailable(logger: FastifyBaseLogger, server: FastifyInstance): void;
}

/** Makes the logger of one request. `this` is the instance of the route. */
export type FastifyChildLoggerFactory<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  logger: Logger,
  bindings: Bindings,
  childLoggerOpts: ChildLoggerOptions,
  rawReq: RawRequest,
) => Logger;
