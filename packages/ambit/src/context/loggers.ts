/** Chooses the logger of an application: pino, a logger that the application brings, or silence. */

import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { CodedError } from '../shared/define-error.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { readableLog } from '../shared/readable.ts';
import { messageOf } from '../shared/thrown-values.ts';
import type { Context } from '../types/context.ts';
import {
  LogControllerInvalid,
  LogDestinationInvalid,
  LoggerGivenTwice,
  LoggerInstanceInvalid,
  LoggerInvalid,
  LoggerOptionsInvalid,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import { LogController, LogWriter } from '../types/log-controller.ts';
import type { ChildLoggerFactory, Logger, LoggerOptions, LogSerializers } from '../types/logger.ts';
import type { AmbitOptions } from '../types/options.ts';
import type { Reply } from '../types/reply.ts';
import type { Request } from '../types/request.ts';
import { checkSpelling, reportMistake, wrapOptionError } from './options/check-options.ts';

const require = createRequire(import.meta.url);

/** What an application writes its log with. */
export interface Logging {
  readonly log: Logger;
  /** False when nothing is logged: requests then share the silent logger. */
  readonly hasLogger: boolean;
  readonly logWriter: LogWriter;
}

export function openLog(options: AmbitOptions, compatibility: Compatibility): Logging {
  const { logController, disableRequestLogging, requestIdLogLabel } = options;
  if (logController && !(logController instanceof LogController))
    throw new LogControllerInvalid(typeof logController);
  const settings = {
    ...(disableRequestLogging !== undefined && { disableRequestLogging }),
    ...(requestIdLogLabel !== undefined && { requestIdLogLabel }),
  };
  const logWriter = new LogWriter(logController || new LogController(settings));
  // The errors of a stream would end the process if nobody listened to them.
  const report = (error: unknown): void => logWriter.warn(messageOf(error));
  const log = makeLogger(options, report, compatibility);
  return { log: log ?? makeSilentLogger(), hasLogger: log !== undefined, logWriter };
}

/** @returns `undefined` if nothing is logged. */
function makeLogger(
  { logger, loggerInstance }: AmbitOptions,
  report: (error: unknown) => void,
  compatibility: Compatibility,
): Logger | undefined {
  if (logger && loggerInstance) throw new LoggerGivenTwice();
  if (loggerInstance) {
    if (!isLogger(loggerInstance)) throw new LoggerInstanceInvalid();
    return adoptLogger(loggerInstance);
  }
  if (!logger) return undefined;
  if (isLogger(logger)) throw new LoggerOptionsInvalid();
  const isObject = typeof logger === 'object';
  if (isObject) checkSpelling(logger, knownOptions, 'logger', compatibility);
  else if (logger !== true) reportMistake(compatibility, new LoggerOptionsInvalid());
  return createLogger(isObject ? logger : {}, report);
}

/** Whether a value is a logger. If it has some of the methods, but not all, that is an error; with `isRequired`, also if it has none. */
export function isLogger(value: unknown, isRequired = false): value is Logger {
  const object = Object(value) as Record<string, unknown>;
  const missing = methods.filter((method) => typeof object[method] !== 'function');
  if (missing.length === 0) return true;
  if (missing.length === methods.length && !isRequired) return false;
  throw new LoggerInvalid(missing.join(','));
}

const methods = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'child'] as const;

/** Returns a child of a logger, so that our serializers do not change the logger itself. */
function adoptLogger(logger: Logger): Logger {
  const { serializersSym } = loadPino().symbols;
  const pinoSerializers = (logger as unknown as { [key: symbol]: LogSerializers })[serializersSym];
  const publicSerializers = (logger as { serializers?: LogSerializers }).serializers;
  return logger.child({}, { serializers: { ...serializers(), ...publicSerializers, ...pinoSerializers } });
}

/** Returns a logger that discards everything. Its `child` returns the same logger. */
function makeSilentLogger(): Logger {
  const ignore = (): void => {};
  const silent = {
    fatal: ignore,
    error: ignore,
    warn: ignore,
    info: ignore,
    debug: ignore,
    trace: ignore,
    child: (): Logger => silent,
  };
  return silent;
}

/** The options of pino, and our own. Other names are accepted, because pino ignores them. */
const knownOptions: readonly string[] = [
  'file stream transport name level levelComparison levelVal enabled safe crlf customLevels useOnlyCustomLevels',
  'redact serializers formatters hooks onChild mixin mixinMergeStrategy base timestamp messageKey errorKey nestedKey',
  'msgPrefix depthLimit edgeLimit browser',
].flatMap((names) => names.split(' '));

function createLogger(userOptions: LoggerOptions, report: (error: unknown) => void): Logger {
  if (userOptions.stream && userOptions.file) throw new LogDestinationInvalid();
  // `assign` copies symbols, too: some options of pino have symbols as names.
  const options: LoggerOptions = Object.assign({}, userOptions);
  const { file } = options;
  const stream = file
    ? wrapOptionError('logger', () => loadPino().destination(file))
    : (options.stream ?? terminal(options));
  delete options.file;
  delete options.stream;
  options.level ||= 'info';
  options.serializers = { ...serializers(), ...options.serializers };
  const pino = loadPino();
  const levels = [...Object.keys(options.customLevels ?? {}), ...methods, 'silent'];
  const hint = didYouMean(String(options.level), levels);
  const log = wrapOptionError('logger', () => pino(options, stream), hint);
  watchStream((log as unknown as { [key: symbol]: Partial<EventEmitter> })[pino.symbols.streamSym]!, report);
  return log;
}

/** In development, on a terminal, lines are for people, unless the application sends them elsewhere. */
function terminal({ transport }: LoggerOptions): LoggerOptions['stream'] {
  const { stdout, env } = process;
  if (!stdout?.isTTY || env.NODE_ENV === 'production' || transport) return undefined;
  return readableLog((text) => stdout.write(text));
}

/** Applications may share a stream, such as stdout: one listener per stream is enough. */
const watched = new WeakSet<object>();

function watchStream(stream: Partial<EventEmitter>, report: (error: unknown) => void): void {
  if (typeof stream.on !== 'function' || watched.has(stream)) return;
  watched.add(stream);
  stream.on('error', report);
}

/** How requests, replies and errors are written in log lines. */
function serializers(): LogSerializers {
  return {
    req: (request: Request) => ({
      method: request.method,
      url: request.url,
      canonicalPath: otherSpelling(request),
      version: request.headers?.['accept-version'],
      host: request.host,
      remoteAddress: request.ip,
      remotePort: request.socket ? request.socket.remotePort : undefined,
    }),
    err: serializeError,
    res: (reply: Reply) => ({ statusCode: reply.statusCode }),
  };
}

/** Pino lists the fields of an error that can be enumerated. Those of an error of boot cannot, because Node would print them twice. */
function serializeError(error: Error): unknown {
  const line = loadPino().stdSerializers.err(error as never);
  const { code, where } = Object(error) as Partial<CodedError>;
  return where === undefined ? line : Object.assign(line as object, { code, where });
}

/** The canonical path, if the client spelled the path differently. All log lines about one path can then be found by one text. */
function otherSpelling({ url, canonicalPath }: Request): string | undefined {
  // An application may log another object under the name `req`.
  if (typeof url !== 'string' || typeof canonicalPath !== 'string') return undefined;
  const { length } = canonicalPath;
  const isSame = url.startsWith(canonicalPath) && (url.length === length || url[length] === '?');
  return isSame ? undefined : canonicalPath;
}

interface Pino {
  (options: object, stream?: unknown): Logger;
  destination(file: string): unknown;
  stdSerializers: { err: (error: never) => unknown };
  symbols: { serializersSym: symbol; streamSym: symbol };
}

const loadPino = lazyModule<Pino>(() => require('pino'));

export const defaultChildLoggerFactory: ChildLoggerFactory<Context> = function defaultChildLoggerFactory(
  logger,
  bindings,
  options,
) {
  return logger.child(bindings, options);
};
