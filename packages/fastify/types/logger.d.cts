/** Loggers with the interface of pino, and the lines that the framework logs. */
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

/** The interface of loggers. Every pino instance implements it. */
export interface FastifyBaseLogger
  extends Pick<BaseLogger, 'level' | 'info' | 'error' | 'debug' | 'fatal' | 'warn' | 'trace' | 'silent'> {
  /**
   * Creates a logger that adds fields to its lines.
   *
   * @param bindings The fields.
   * @param options Its level, serializers and other options of pino. Default: those of this logger.
   * @returns The new logger.
   */
  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger;
}

/** @deprecated The older name of `FastifyBaseLogger`. */
export type FastifyLoggerInstance = FastifyBaseLogger;

/** A destination for lines. */
export interface FastifyLoggerStreamDestination {
  write(msg: string): void;
}

/** The argument of the `res` serializer: a reply, or an object with only a status. */
export type ResSerializerReply<
  RawServer extends RawServerBase,
  RawReply extends FastifyReply<RouteGenericInterface, RawServer>,
> = Partial<RawReply> & Pick<RawReply, 'statusCode'>;

/** Options of `logger`, in addition to those of pino. */
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
  /** Serializers for fields, by the field's name. */
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
  /** The level of the least important lines that are written. Default `info`. */
  level?: string;
  /** A path to write to. Cannot be combined with `stream`. */
  file?: string;
  /** Creates the id of a request from Node's request object. Default: a counter (`req-1`). */
  genReqId?: (req: RawRequest) => string;
  /** An object with `write(line)`. */
  stream?: FastifyLoggerStreamDestination;
}

export interface LogControllerOptions {
  disableRequestLogging?: boolean | ((req: FastifyRequest) => boolean);
  requestIdLogLabel?: string;
}

/** Further properties of a log line. */
type Metadata = Record<string, unknown>;

/** Writes the lines that the framework logs. Extend it to change or suppress some of them. */
export declare class LogController {
  /** Whether no line is logged for each request. */
  disableRequestLogging: boolean | ((req: FastifyRequest) => boolean);
  /** The field for request ids in log lines. */
  requestIdLogLabel: string;

  /** @param options Whether lines are logged for each request, and the field for its id. */
  constructor(options?: LogControllerOptions);

  /**
   * Returns whether no lines are logged for a request. Every other method calls it.
   *
   * @param request The request.
   */
  isLogDisabled(request: FastifyRequest): boolean;
  /**
   * Logs that a request has arrived.
   *
   * @param request The request.
   * @param reply Its reply.
   * @param metadata Details of the line.
   */
  incomingRequest(request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  /**
   * Logs that a response has been sent, or has failed.
   *
   * @param error What the response failed with, if it did.
   * @param request The request.
   * @param reply Its reply.
   * @param metadata Details of the line.
   */
  requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata?: Metadata,
  ): void;
  /**
   * Logs the error that the default error handler handles.
   *
   * @param error The error.
   * @param request The request.
   * @param reply Its reply, with the status that is sent.
   * @param metadata Details of the line.
   */
  defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  /**
   * Logs that the stream of a payload has failed after the headers were sent.
   *
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   * @param metadata Details of the line.
   */
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  /**
   * Logs that no route matches a request.
   *
   * @param request The request.
   * @param reply Its reply.
   * @param metadata Details of the line.
   */
  routeNotFound(request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  /**
   * Logs that the headers of a response could not be written.
   *
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   * @param metadata Details of the line.
   */
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: Metadata): void;
  /**
   * Logs that a serializer has failed.
   *
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   * @param metadata `statusCode`: the status whose serializer failed.
   */
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { statusCode: number },
  ): void;
  /**
   * Logs that a request is rejected because the application closes. This is always logged.
   *
   * @param logger The logger of the application.
   * @param server The application.
   */
  serviceUnavailable(logger: FastifyBaseLogger, server: FastifyInstance): void;
}

/** Creates the logger of one request. `this` is the instance of the route. */
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
