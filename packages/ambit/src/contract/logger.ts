/** The loggers that the framework writes to: pino's interface, and nothing of pino itself. */
import type { IncomingMessage } from 'node:http';

/** One level method of a logger: `(fields, text?)` or `(text)`. */
export interface LogMethod {
  (fields: object, text?: string, ...args: unknown[]): void;
  (text: string, ...args: unknown[]): void;
}

/** What the framework needs of a logger. Every pino instance is one. */
export interface Logger {
  level?: string;
  fatal: LogMethod;
  error: LogMethod;
  warn: LogMethod;
  info: LogMethod;
  debug: LogMethod;
  trace: LogMethod;
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger;
}

export interface ChildLoggerOptions {
  level?: string;
  serializers?: LogSerializers;
}

/** How a field of a log line is written, by the field's name. */
export type LogSerializers = { [field: string]: (value: never) => unknown };

/** Makes the logger of one request. `this` is the context of the route. */
export type ChildLoggerFactory<This = unknown> = (
  this: This,
  logger: Logger,
  bindings: Record<string, unknown>,
  options: ChildLoggerOptions,
  rawRequest: IncomingMessage,
) => Logger;

/** Options of `logger`: pino's own options, passed through, and a destination. */
export interface LoggerOptions {
  level?: string;
  /** A path to write to. Cannot be combined with `stream`. */
  file?: string;
  /** Anything with `write(line)`. */
  stream?: { write(line: string): void };
  serializers?: LogSerializers;
  /** Paths or pino's redaction options, passed through. */
  redact?: string[] | { paths: string[]; censor?: unknown; remove?: boolean };
  [pinoOption: string]: unknown;
}
