/** Chooses the logger of an application: pino, a logger that the application brings, or silence. */

import type { Context } from '../types/context.ts';
import {
  LoggerGivenTwice,
  LoggerInstanceInvalid,
  LoggerInvalid,
  LoggerOptionsInvalid,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { ChildLoggerFactory, Logger } from '../types/logger.ts';
import type { AmbitOptions } from '../types/options.ts';
import { reportMistake } from './options/check-options.ts';
import { checkSpelling, type KnownNames } from './options/check-spelling.ts';
import { adoptLogger, createLogger } from './pino-logger.ts';

const methods = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'child'] as const;

/** The options of pino, and our own. Other names are accepted, because pino ignores them. */
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
 * @param report Gets the errors of the logger's stream: without a listener, they would end the process.
 * @throws An error of the catalogue if `logger` and `loggerInstance` are both set, or one of them is invalid.
 */
export function makeLogger(
  { logger, loggerInstance }: AmbitOptions,
  report: (error: unknown) => void,
  compatibility: Compatibility,
): LogSetup {
  if (logger && loggerInstance) throw new LoggerGivenTwice();
  if (loggerInstance) {
    if (!isLogger(loggerInstance)) throw new LoggerInstanceInvalid();
    return { log: adoptLogger(loggerInstance), hasLogger: true };
  }
  if (!logger) return { log: makeSilentLogger(), hasLogger: false };
  if (isLogger(logger)) throw new LoggerOptionsInvalid();
  const isObject = typeof logger === 'object';
  if (isObject) checkSpelling(logger, spelling, 'logger', compatibility);
  else if (logger !== true) reportMistake(compatibility, new LoggerOptionsInvalid());
  return { log: createLogger(isObject ? logger : {}, report), hasLogger: true };
}

export const defaultChildLoggerFactory: ChildLoggerFactory<Context> = function defaultChildLoggerFactory(
  logger,
  bindings,
  options,
) {
  return logger.child(bindings, options);
};

/**
 * Whether a value is a logger.
 *
 * @param isRequired Whether a value without any method of a logger is an error, too.
 * @throws {LoggerInvalid} if the value has some of the methods, but not all.
 */
export function isLogger(value: unknown, isRequired = false): value is Logger {
  const object = Object(value) as Record<string, unknown>;
  const missing = methods.filter((method) => typeof object[method] !== 'function');
  if (missing.length === 0) return true;
  if (missing.length === methods.length && !isRequired) return false;
  throw new LoggerInvalid(missing.join(','));
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
