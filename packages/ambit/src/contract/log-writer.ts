/**
 * Writes the framework's own log lines. Serializers, streams and controllers belong to the application. If one throws, one line is lost and
 * that is reported; the request and the process go on.
 */
import { messageOf } from '../shared/thrown-values.ts';
import type { Context } from './context.ts';
import { LogController, type LogMetadata } from './log-controller.ts';
import type { Logger } from './logger.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import { warnLogLineLost } from './warnings.ts';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** Different reasons that are reported; each is reported once. */
const maxReasons = 16;

export class LogWriter extends LogController {
  readonly #lines: LogController;
  readonly #reported = new Set<string>();

  constructor(lines: LogController) {
    super(lines);
    this.#lines = lines;
  }

  /** Whether the controller is the application's own: it may do more than log. */
  get isCustom(): boolean {
    return this.#lines.constructor !== LogController;
  }

  /** Writes a line that no controller decides about: a text alone, or fields with or without one. */
  write(log: Logger, level: Level, line: object | string, text?: string): void {
    try {
      if (text === undefined) log[level](line as string);
      else log[level](line as object, text);
    } catch (error) {
      this.#reportLostLine(log, error);
    }
  }

  /** The same logger, of which no method throws. */
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

  /** Reports a line that could not be written: in the log, if it still takes text; otherwise as a warning of the process. */
  #reportLostLine(log: Logger, error: unknown): void {
    const reason = messageOf(error);
    try {
      log.error(`a log line could not be written: ${reason}`);
    } catch {
      this.warn(reason);
    }
  }

  /** Warns that the log does not take lines, once for each reason. */
  warn(reason: string): void {
    if (this.#reported.has(reason) || this.#reported.size === maxReasons) return;
    this.#reported.add(reason);
    warnLogLineLost(reason);
  }

  override isLogDisabled(request: Request): boolean {
    try {
      return this.#lines.isLogDisabled(request);
    } catch (error) {
      this.#reportLostLine(request.log, error);
      return false;
    }
  }

  // HOT: once per request, as is `requestCompleted`. Written out: a common wrapper would cost a closure each time.
  override incomingRequest(request: Request, reply: Reply): void {
    try {
      this.#lines.incomingRequest(request, reply);
    } catch (error) {
      this.#reportLostLine(request.log, error);
    }
  }

  override requestCompleted(error: Error | null | undefined, request: Request, reply: Reply): void {
    try {
      this.#lines.requestCompleted(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override defaultErrorLog(error: Error, request: Request, reply: Reply): void {
    try {
      this.#lines.defaultErrorLog(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override streamError(error: Error, request: Request, reply: Reply): void {
    try {
      this.#lines.streamError(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override routeNotFound(request: Request, reply: Reply): void {
    try {
      this.#lines.routeNotFound(request, reply);
    } catch (error) {
      this.#reportLostLine(request.log, error);
    }
  }

  override writeHeadError(error: Error, request: Request, reply: Reply): void {
    try {
      this.#lines.writeHeadError(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override serializerError(error: Error, request: Request, reply: Reply, metadata: LogMetadata): void {
    try {
      this.#lines.serializerError(error, request, reply, metadata);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override serviceUnavailable(logger: Logger, context: Context): void {
    try {
      this.#lines.serviceUnavailable(logger, context);
    } catch (error) {
      this.#reportLostLine(logger, error);
    }
  }
}
