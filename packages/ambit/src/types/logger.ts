/** The loggers that applications bring: the part of pino's interface that the framework uses, declared without pino; and pino's options. */
import type { IncomingMessage } from 'node:http';
import type { HandledError } from './hooks.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Empty } from './route-types.ts';

/** One level method of a logger: `(fields, text?)` or `(text)`. */
export interface LogMethod {
  /**
   * Logs a line.
   * @param fields Its fields.
   * @param text Its text.
   * @param args Values for the placeholders in it (`%s`, `%d`, `%o`).
   */
  (fields: object, text?: string, ...args: unknown[]): void;
  /**
   * Logs a line.
   * @param text Its text.
   * @param args Values for the placeholders in the text (`%s`, `%d`, `%o`).
   */
  (text: string, ...args: unknown[]): void;
}

/** What the framework needs of a logger. Every pino instance is one. */
export interface Logger extends Record<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', LogMethod> {
  /** The lowest level that is written. */
  level?: string;
  /**
   * Creates a logger whose lines have further fields.
   * @param bindings The fields.
   * @param options Default: those of this logger.
   */
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger;
}

/** How fields of a log line are written, by name. Annotate the type of your own: `{ user: (user: User) => user.id }`. */
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

/** The lowest level that is written; other names are those of `customLevels`. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | (string & Empty);

/** Names of levels with their numbers; those of pino are 10 (`trace`) to 60 (`fatal`). */
type LogLevels = { [level: string]: number };

/** Paths of values that log lines must not show, alone or with a replacement. */
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
  /** Called in place of the level method; it must call `method`. */
  logMethod?(this: unknown, args: unknown[], method: (...args: unknown[]) => void, level: number): void;
  /** Returns the line to write. */
  streamWrite?(line: string): string;
}

/** Options of `logger`: pino's own, passed through, and a destination. */
export interface LoggerOptions {
  /** The lowest level that is written. Default `info`. */
  level?: LogLevel;
  /** A path to write to. Cannot be combined with `stream`. */
  file?: string;
  /** Anything with `write(line)`. */
  stream?: { write(line: string): void };
  /** How fields are written, by the field's name. */
  serializers?: LogSerializers;
  /** Paths of values that lines must not show, such as `req.headers.authorization`. */
  redact?: LogRedaction;
  /** Where lines go, in a worker thread: `{ target: 'pino-pretty' }`. */
  transport?: object;
  /** A field `name` of each line. */
  name?: string;
  /** `false` for no time; or a function that returns JSON to write instead, beginning with a comma. */
  timestamp?: boolean | (() => string);
  /** Fields of every line in place of the process and the host; `null` for none. */
  base?: Record<string, unknown> | null;
  /**
   * Returns further fields of each line.
   * @param fields Those that it has.
   * @param level Its number.
   * @param logger The logger.
   */
  mixin?(fields: object, level: number, logger: never): object;
  /**
   * Merges the fields of a line with those of `mixin`.
   * @param fields The fields.
   * @param mixed What `mixin` returned.
   */
  mixinMergeStrategy?(fields: object, mixed: object): object;
  /** Functions that change the format of lines. */
  formatters?: LogFormatters;
  /** Functions that are called for each line. */
  hooks?: LogHooks;
  /** Called with each new child logger. @param child The logger. */
  onChild?(child: Logger): void;
  /** Further levels with their numbers. */
  customLevels?: LogLevels;
  /** Whether the logger has only the levels of `customLevels`. Default `false`. */
  useOnlyCustomLevels?: boolean;
  /** How levels are compared. Default `ASC`: higher numbers are more important. */
  levelComparison?: 'ASC' | 'DESC' | ((current: number, expected: number) => boolean);
  /** The number of a custom `level`. */
  levelVal?: number;
  /** Whether lines are written. Default `true`. */
  enabled?: boolean;
  /** The field for the text. Default `msg`. */
  messageKey?: string;
  /** The field for an error. Default `err`. */
  errorKey?: string;
  /** The field that holds the fields of a line. Default: they are at the top level. */
  nestedKey?: string;
  /** What the text of each line begins with. */
  msgPrefix?: string;
  /** Whether circular objects are written without an error. Default `true`. */
  safe?: boolean;
  /** How many levels of a nested object are written. Default 5. */
  depthLimit?: number;
  /** How many properties or items of an object are written. Default 100. */
  edgeLimit?: number;
  /** Whether lines end in `\r\n`. */
  crlf?: boolean;
  /** Options of pino in browsers. They have no effect here. */
  browser?: object;
}

/** The options of a child logger. */
export interface ChildLoggerOptions
  extends Pick<LoggerOptions, 'serializers' | 'customLevels' | 'redact' | 'msgPrefix'> {
  /** The lowest level that is written. */
  level?: string;
  /** Functions that change the format of lines. */
  formatters?: Omit<LogFormatters, 'log'> & { log?(fields: object): object };
}
