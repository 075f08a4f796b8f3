/** The loggers that the framework writes to: pino's interface, and nothing of pino itself. */
import type { IncomingMessage } from 'node:http';
import type { HandledError } from './handlers.ts';
import type { ChildLoggerOptions } from './logger-options.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** One level method of a logger: `(fields, text?)` or `(text)`. */
export interface LogMethod {
  /**
   * Logs a line with fields.
   *
   * @param fields The fields of the line.
   * @param text Its text.
   * @param args Values for the placeholders in the text (`%s`, `%d`, `%o`).
   */
  (fields: object, text?: string, ...args: unknown[]): void;
  /**
   * Logs a line.
   *
   * @param text Its text.
   * @param args Values for the placeholders in the text (`%s`, `%d`, `%o`).
   */
  (text: string, ...args: unknown[]): void;
}

/** What the framework needs of a logger. Every pino instance is one. */
export interface Logger {
  /** The level of the least important lines that are written. */
  level?: string;
  /** Logs what ends the process. */
  fatal: LogMethod;
  /** Logs an error. */
  error: LogMethod;
  /** Logs a warning. */
  warn: LogMethod;
  /** Logs what is worth knowing. */
  info: LogMethod;
  /** Logs what helps to find a fault. */
  debug: LogMethod;
  /** Logs every detail. */
  trace: LogMethod;
  /**
   * Makes a logger whose lines have further fields.
   *
   * @param bindings The fields.
   * @param options Its level, serializers and the like. Default: those of this logger.
   * @returns The new logger.
   */
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger;
}

/**
 * How fields of a log line are written, by the field's name. What the framework logs has a type; say that of other fields yourself:
 * `{ user: (user: User) => user.id }`.
 */
export type LogSerializers = FrameworkSerializers & { [field: string]: LogSerializer };

interface FrameworkSerializers {
  req?(request: Request): unknown;
  res?(reply: LoggedReply): unknown;
  err?(error: HandledError): unknown;
}

/** A method's type: its parameter may be annotated with what the field holds. */
type LogSerializer = { serialize(value: unknown): unknown }['serialize'];

/** The reply of a log line; where the server refuses a request because it closes, the status alone. */
export type LoggedReply = Partial<Reply> & Pick<Reply, 'statusCode'>;

/** Makes the logger of one request. `this` is the context of the route. */
export type ChildLoggerFactory<This = unknown> = (
  this: This,
  logger: Logger,
  bindings: Record<string, unknown>,
  options: ChildLoggerOptions,
  rawRequest: IncomingMessage,
) => Logger;
