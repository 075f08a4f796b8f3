/** The interface of loggers: the part of pino's interface that the framework uses, declared without pino. */
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
  /** The lowest level that is written. */
  level?: string;
  /** Logs an error that ends the process. */
  fatal: LogMethod;
  /** Logs an error. */
  error: LogMethod;
  /** Logs a warning. */
  warn: LogMethod;
  /** Logs general information. */
  info: LogMethod;
  /** Logs details that help to find a fault. */
  debug: LogMethod;
  /** Logs every detail. */
  trace: LogMethod;
  /**
   * Creates a logger whose lines have further fields.
   *
   * @param bindings The fields.
   * @param options Its level, serializers and the like. Default: those of this logger.
   * @returns The new logger.
   */
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger;
}

/**
 * How fields of a log line are written, by the field's name. The fields that the framework logs are typed. Annotate the type of other
 * fields: `{ user: (user: User) => user.id }`.
 */
export type LogSerializers = FrameworkSerializers & { [field: string]: LogSerializer };

interface FrameworkSerializers {
  req?(request: Request): unknown;
  res?(reply: LoggedReply): unknown;
  err?(error: HandledError): unknown;
}

/** The type of a method, because its parameter may then be annotated with the type of the field. */
type LogSerializer = { serialize(value: unknown): unknown }['serialize'];

/** The reply in a log line. If the server rejects a request because it closes, only the status is there. */
export type LoggedReply = Partial<Reply> & Pick<Reply, 'statusCode'>;

/** Creates the logger of one request. `this` is the context of the route. */
export type ChildLoggerFactory<This = unknown> = (
  this: This,
  logger: Logger,
  bindings: Record<string, unknown>,
  options: ChildLoggerOptions,
  rawRequest: IncomingMessage,
) => Logger;
