/** Owns the logger of an application: pino, made from options or taken as it is, or silence. */

import type { EventEmitter } from 'node:events';
import type { Compatibility } from '../contract/compatibility.ts';
import type { Context } from '../contract/context.ts';
import {
  LogControllerInvalid,
  LogDestinationInvalid,
  LoggerGivenTwice,
  LoggerInstanceInvalid,
  LoggerInvalid,
  LoggerOptionsInvalid,
} from '../contract/errors.ts';
import { LogController } from '../contract/log-controller.ts';
import type { ChildLoggerFactory, Logger, LoggerOptions, LogSerializers } from '../contract/logger.ts';
import type { AmbitOptions } from '../contract/options.ts';
import type { Reply } from '../contract/reply.ts';
import type { Request } from '../contract/request.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { wrapOptionError } from './options/check-options.ts';
import { checkSpelling, type KnownNames } from './options/check-spelling.ts';

interface Pino {
  (options: object, stream?: unknown): Logger;
  destination(file: string): unknown;
  stdSerializers: { err: (error: never) => unknown };
  symbols: { serializersSym: symbol; streamSym: symbol };
}
const loadPino = lazyModule<Pino>(() => require('pino'));

const methods = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'child'] as const;

/** The options of pino, and our own. Others pass: pino ignores them. */
const spelling: KnownNames = {
  known: [
    ...[
      'file',
      'stream',
      'transport',
      'name',
      'level',
      'levelComparison',
      'levelVal',
      'enabled',
      'safe',
      'crlf',
    ],
    ...['customLevels', 'useOnlyCustomLevels', 'redact', 'serializers', 'formatters', 'hooks', 'onChild'],
    ...[
      'mixin',
      'mixinMergeStrategy',
      'base',
      'timestamp',
      'messageKey',
      'errorKey',
      'nestedKey',
      'msgPrefix',
    ],
    ...['depthLimit', 'edgeLimit', 'browser'],
  ],
};

export interface LogSetup {
  readonly log: Logger;
  readonly hasLogger: boolean;
}

/**
 * @param report Takes what the stream of the logger fails with: without a listener, that would end the process.
 * @throws When `logger` and `loggerInstance` are both given, or either is not what it should be.
 */
export function makeLogger(
  { logger, loggerInstance }: AmbitOptions,
  report: (error: unknown) => void,
  misspelledNames: Compatibility['misspelledNames'],
): LogSetup {
  if (logger && loggerInstance) throw new LoggerGivenTwice();
  if (loggerInstance) {
    if (!isLogger(loggerInstance)) throw new LoggerInstanceInvalid();
    return { log: adopt(loggerInstance), hasLogger: true };
  }
  if (!logger) return { log: silence(), hasLogger: false };
  if ((logger !== true && typeof logger !== 'object') || isLogger(logger)) throw new LoggerOptionsInvalid();
  if (logger !== true) checkSpelling(logger, spelling, 'logger', misspelledNames);
  return { log: create(logger === true ? {} : logger, report), hasLogger: true };
}

export function makeLogController({
  logController,
  disableRequestLogging,
  requestIdLogLabel,
}: AmbitOptions): LogController {
  if (!logController) {
    return new LogController({
      ...(disableRequestLogging !== undefined && { disableRequestLogging }),
      ...(requestIdLogLabel !== undefined && { requestIdLogLabel }),
    });
  }
  if (logController instanceof LogController) return logController;
  throw new LogControllerInvalid(typeof logController);
}

export const defaultChildLoggerFactory: ChildLoggerFactory<Context> = function defaultChildLoggerFactory(
  logger,
  bindings,
  options,
) {
  return logger.child(bindings, options);
};

/** Whether a value is a logger; one that has only some of the methods is a mistake. */
export function isLogger(value: unknown, isRequired = false): value is Logger {
  const object = Object(value) as Record<string, unknown>;
  const missing = methods.filter((method) => typeof object[method] !== 'function');
  if (missing.length === 0) return true;
  if (missing.length === methods.length && !isRequired) return false;
  throw new LoggerInvalid(missing.join(','));
}

/** Discards everything. Its children are itself. */
function silence(): Logger {
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

/** How requests, replies and errors are written in log lines. */
function serializers(): LogSerializers {
  return {
    req: (request: Request) => ({
      method: request.method,
      url: request.url,
      version: request.headers?.['accept-version'],
      host: request.host,
      remoteAddress: request.ip,
      remotePort: request.socket ? request.socket.remotePort : undefined,
    }),
    err: loadPino().stdSerializers.err,
    res: (reply: Reply) => ({ statusCode: reply.statusCode }),
  };
}

function create(given: LoggerOptions, report: (error: unknown) => void): Logger {
  if (given.stream && given.file) throw new LogDestinationInvalid();
  // Symbols too: pino takes some of its options under symbols.
  const options: LoggerOptions = Object.assign({}, given);
  const { file } = options;
  const stream = file ? wrapOptionError('logger', () => loadPino().destination(file)) : options.stream;
  delete options.file;
  delete options.stream;
  options.level ||= 'info';
  options.serializers = { ...serializers(), ...options.serializers };
  const pino = loadPino();
  const log = wrapOptionError('logger', () => pino(options, stream));
  watchStream((log as unknown as { [key: symbol]: Partial<EventEmitter> })[pino.symbols.streamSym]!, report);
  return log;
}

/** Streams may be shared by applications, as stdout is: one listener is enough. */
const watched = new WeakSet<object>();

function watchStream(stream: Partial<EventEmitter>, report: (error: unknown) => void): void {
  if (typeof stream.on !== 'function' || watched.has(stream)) return;
  watched.add(stream);
  stream.on('error', report);
}

/** A child of the given logger, so that our serializers do not change the logger itself. */
function adopt(given: Logger): Logger {
  const { serializersSym } = loadPino().symbols;
  const own = (given as unknown as { [key: symbol]: LogSerializers })[serializersSym];
  const named = (given as { serializers?: LogSerializers }).serializers;
  return given.child({}, { serializers: { ...serializers(), ...named, ...own } });
}
