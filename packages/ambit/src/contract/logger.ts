/** The loggers that the framework writes to: pino's interface, and nothing of pino itself. */
import type { IncomingMessage } from 'node:http';
import type { HandledError } from './handlers.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Empty } from './route-types.ts';

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
  customLevels?: LogLevels;
  formatters?: Omit<LogFormatters, 'log'> & { log?(fields: object): object };
  redact?: LogRedaction;
  msgPrefix?: string;
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

/** The level of the least important lines that are written; other names are those of `customLevels`. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | (string & Empty);
/** Names of levels with their numbers; those of pino are 10 (`trace`) to 60 (`fatal`). */
type LogLevels = { [level: string]: number };
/** Paths of what log lines must not show, or those and what is shown instead. */
type LogRedaction =
  | string[]
  | {
      paths: string[];
      censor?: string | ((value: unknown, path: string[]) => unknown);
      remove?: boolean;
    };

interface LogFormatters {
  level?(label: string, number: number): object;
  bindings?(bindings: Record<string, unknown>): object;
  log?(fields: Record<string, unknown>): object;
}

interface LogHooks {
  /** Called in place of the level method; it has to call `method`. */
  logMethod?(this: unknown, args: unknown[], method: (...args: unknown[]) => void, level: number): void;
  /** Gives the line that is written. */
  streamWrite?(line: string): string;
}

/** Options of `logger`: pino's own, passed through, and a destination. */
export interface LoggerOptions {
  /** Default `'info'`. */
  level?: LogLevel;
  /** A path to write to. Cannot be combined with `stream`. */
  file?: string;
  /** Anything with `write(line)`. */
  stream?: { write(line: string): void };
  serializers?: LogSerializers;
  redact?: LogRedaction;
  /** Where lines go, in a worker thread: `{ target: 'pino-pretty' }`. */
  transport?: object;
  name?: string;
  /** False, or what is written instead of the time: a function that returns JSON, beginning with a comma. */
  timestamp?: boolean | (() => string);
  /** Fields of every line in place of the process and the host; `null` for none. */
  base?: Record<string, unknown> | null;
  /** Gives fields of every line. */
  mixin?(fields: object, level: number, logger: never): object;
  /** Joins the fields of a line with those of `mixin`. */
  mixinMergeStrategy?(fields: object, mixed: object): object;
  formatters?: LogFormatters;
  hooks?: LogHooks;
  onChild?(child: Logger): void;
  customLevels?: LogLevels;
  useOnlyCustomLevels?: boolean;
  levelComparison?: 'ASC' | 'DESC' | ((current: number, expected: number) => boolean);
  /** The number of a `level` of one's own. */
  levelVal?: number;
  enabled?: boolean;
  messageKey?: string;
  errorKey?: string;
  nestedKey?: string;
  msgPrefix?: string;
  safe?: boolean;
  depthLimit?: number;
  edgeLimit?: number;
  /** Whether lines end in `\r\n`. */
  crlf?: boolean;
  browser?: object;
}
