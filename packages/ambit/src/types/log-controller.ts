/** Which lines a request logs, and how. If code of the application throws here, a line is lost and reported, and the request goes on. */

import { messageOf } from '../shared/thrown-values.ts';
import type { Context } from './context.ts';
import type { Logger } from './logger.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import { warnLogLineLost } from './warnings.ts';

/** The options of a `LogController`. */
export interface LogControllerOptions {
  /** `true`, or a function of the request: whether no line is logged for each request. Default `false`. */
  disableRequestLogging?: boolean | ((request: Request) => boolean);
  /** The field that request ids are logged in. Default `reqId`. */
  requestIdLogLabel?: string;
}

/** Further values for a line, which have no parameter of their own. */
type LogMetadata = Record<string, unknown>;

/** Writes the lines that the framework logs. Extend it to change or silence some of them, and pass it as the option `logController`. */
export class LogController {
  /** Whether no line is logged for each request. */
  readonly disableRequestLogging: boolean | ((request: Request) => boolean);
  /** The field that request ids are logged in. */
  readonly requestIdLogLabel: string;

  /** @param options Whether lines are logged for each request, and the field for its id. */
  constructor(options: LogControllerOptions = {}) {
    this.disableRequestLogging = options.disableRequestLogging || false;
    this.requestIdLogLabel = options.requestIdLogLabel || 'reqId';
  }

  /** Tells whether no lines are logged for a request. Every other method calls it. @param request The request. */
  isLogDisabled(request: Request): boolean {
    const disabled = this.disableRequestLogging;
    return typeof disabled === 'function' ? disabled(request) : disabled;
  }

  /** Logs that a request has arrived. @param request The request. */
  incomingRequest(request: Request, _reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    request.log.info({ req: request }, 'incoming request');
  }

  /**
   * Logs that a response was sent, or failed.
   * @param error Why it failed.
   * @param request The request.
   * @param reply Its reply.
   */
  requestCompleted(
    error: Error | null | undefined,
    request: Request,
    reply: Reply,
    _metadata?: LogMetadata,
  ): void {
    if (this.isLogDisabled(request)) return;
    const responseTime = reply.elapsedTime;
    if (error) reply.log.error({ res: reply, err: error, responseTime }, 'request errored');
    else reply.log.info({ res: reply, responseTime }, 'request completed');
  }

  /**
   * Logs an error of the default error handler.
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   */
  defaultErrorLog(error: Error, request: Request, reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    const text = error?.message;
    if (reply.statusCode >= 500) reply.log.error({ req: request, res: reply, err: error }, text);
    else reply.log.info({ res: reply, err: error }, text);
  }

  /**
   * Logs that a stream has failed after the head was sent.
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   */
  streamError(
    error: Error & { code?: string },
    request: Request,
    reply: Reply,
    _metadata?: LogMetadata,
  ): void {
    if (this.isLogDisabled(request)) return;
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE')
      reply.log.info({ res: reply }, 'stream closed prematurely');
    else reply.log.warn({ err: error }, 'response terminated with an error with headers already sent');
  }

  /** Logs that no route matches a request. @param request The request. */
  routeNotFound(request: Request, _reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    // Does not read `request.raw`, because reading it may create node's request object.
    request.log.info(`Route ${request.method}:${request.url} not found`);
  }

  /**
   * Logs that the head could not be written.
   * @param error The error.
   * @param request The request.
   * @param reply Its reply.
   */
  writeHeadError(error: Error, request: Request, reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    reply.log.warn({ req: request, res: reply, err: error }, error?.message);
  }

  /**
   * Logs that a serializer has failed. @param error The error. @param request The request. @param reply Its reply.
   * @param metadata `statusCode`: the status whose serializer failed.
   */
  serializerError(error: Error, request: Request, reply: Reply, metadata: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    const { statusCode } = metadata;
    reply.log.error({ err: error, statusCode }, 'The serializer for the given status code failed');
  }

  /** Logs that a request is rejected because the application closes, in any case. @param logger The logger of the application. */
  serviceUnavailable(logger: Logger, _context: Context): void {
    logger.info(
      { res: { statusCode: 503 } },
      'request aborted - refusing to accept new requests as server is closing',
    );
  }
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** How many different reasons are reported, each of them once. */
const maxReasons = 16;

export class LogWriter extends LogController {
  readonly #controller: LogController;
  readonly #reported = new Set<string>();

  constructor(controller: LogController) {
    super(controller);
    this.#controller = controller;
  }

  /** Whether the controller is a class of the application, which may do more than log. */
  get isCustom(): boolean {
    return this.#controller.constructor !== LogController;
  }

  /** Writes a line without asking the controller: only a text, or fields with an optional text. */
  write(log: Logger, level: Level, line: object | string, text?: string): void {
    try {
      if (text === undefined) log[level](line as string);
      else log[level](line as object, text);
    } catch (error) {
      this.#reportLostLine(log, error);
    }
  }

  /** Returns the same logger with level methods that never throw. */
  guard(log: Logger): Logger {
    const guarded = levels.map((level) => [
      level,
      (...line: Parameters<Logger[Level]>): void => {
        try {
          log[level](...line);
        } catch (error) {
          this.#reportLostLine(log, error);
        }
      },
    ]);
    return { ...Object.fromEntries(guarded), child: log.child.bind(log) };
  }

  /** Reports a line that could not be written: in the log, if that still accepts text; otherwise as a warning of the process. */
  #reportLostLine(log: Logger, error: unknown): void {
    const reason = messageOf(error);
    try {
      log.error(`a log line could not be written: ${reason}`);
    } catch {
      this.warn(reason);
    }
  }

  /** Warns that the logger cannot write lines, once for each reason. */
  warn(reason: string): void {
    if (this.#reported.has(reason) || this.#reported.size === maxReasons) return;
    this.#reported.add(reason);
    warnLogLineLost(reason);
  }

  override isLogDisabled(request: Request): boolean {
    try {
      return this.#controller.isLogDisabled(request);
    } catch (error) {
      this.#reportLostLine(request.log, error);
      return false;
    }
  }

  // HOT: once per request, like `requestCompleted`. Each method has its own `try`, because a shared wrapper would cost a closure per call.
  override incomingRequest(request: Request, reply: Reply): void {
    try {
      this.#controller.incomingRequest(request, reply);
    } catch (error) {
      this.#reportLostLine(request.log, error);
    }
  }

  override requestCompleted(error: Error | null | undefined, request: Request, reply: Reply): void {
    try {
      this.#controller.requestCompleted(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override routeNotFound(request: Request, reply: Reply): void {
    try {
      this.#controller.routeNotFound(request, reply);
    } catch (error) {
      this.#reportLostLine(request.log, error);
    }
  }

  override serviceUnavailable(logger: Logger, context: Context): void {
    try {
      this.#controller.serviceUnavailable(logger, context);
    } catch (error) {
      this.#reportLostLine(logger, error);
    }
  }

  // The other lines are rare.
  static {
    for (const name of ['defaultErrorLog', 'streamError', 'writeHeadError', 'serializerError'] as const) {
      LogWriter.prototype[name] = function (
        this: LogWriter,
        ...line: Parameters<LogController['serializerError']>
      ) {
        try {
          this.#controller[name](...line);
        } catch (failure) {
          this.#reportLostLine(line[2].log, failure);
        }
      };
    }
  }
}
