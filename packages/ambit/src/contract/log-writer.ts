/**
 * Writes the framework's own log lines. Serializers, streams and controllers belong to the application. If one of them throws, a line is
 * lost. The loss is reported, and the request and the process continue.
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

  override defaultErrorLog(error: Error, request: Request, reply: Reply): void {
    try {
      this.#controller.defaultErrorLog(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override streamError(error: Error, request: Request, reply: Reply): void {
    try {
      this.#controller.streamError(error, request, reply);
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

  override writeHeadError(error: Error, request: Request, reply: Reply): void {
    try {
      this.#controller.writeHeadError(error, request, reply);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override serializerError(error: Error, request: Request, reply: Reply, metadata: LogMetadata): void {
    try {
      this.#controller.serializerError(error, request, reply, metadata);
    } catch (failure) {
      this.#reportLostLine(reply.log, failure);
    }
  }

  override serviceUnavailable(logger: Logger, context: Context): void {
    try {
      this.#controller.serviceUnavailable(logger, context);
    } catch (error) {
      this.#reportLostLine(logger, error);
    }
  }
}
