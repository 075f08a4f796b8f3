/** Makes a logger with pino, or gives one that the application brings our serializers. */
import type { EventEmitter } from 'node:events';
import { LogDestinationInvalid } from '../contract/errors.ts';
import type { Logger, LogSerializers } from '../contract/logger.ts';
import type { LoggerOptions } from '../contract/logger-options.ts';
import type { Reply } from '../contract/reply.ts';
import type { Request } from '../contract/request.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { wrapOptionError } from './options/check-options.ts';

interface Pino {
  (options: object, stream?: unknown): Logger;
  destination(file: string): unknown;
  stdSerializers: { err: (error: never) => unknown };
  symbols: { serializersSym: symbol; streamSym: symbol };
}
const loadPino = lazyModule<Pino>(() => require('pino'));

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
    err: loadPino().stdSerializers.err,
    res: (reply: Reply) => ({ statusCode: reply.statusCode }),
  };
}

/** The canonical path, if the client spelled it in another way: lines about one path can then be found by its one text. */
function otherSpelling({ url, canonicalPath }: Request): string | undefined {
  // What an application logs under this name need not be a request of ours.
  if (typeof url !== 'string' || typeof canonicalPath !== 'string') return undefined;
  const { length } = canonicalPath;
  const isSame = url.startsWith(canonicalPath) && (url.length === length || url[length] === '?');
  return isSame ? undefined : canonicalPath;
}

/** @param report Takes what the stream of the logger fails with: without a listener, that would end the process. */
export function createLogger(given: LoggerOptions, report: (error: unknown) => void): Logger {
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
export function adoptLogger(given: Logger): Logger {
  const { serializersSym } = loadPino().symbols;
  const own = (given as unknown as { [key: symbol]: LogSerializers })[serializersSym];
  const named = (given as { serializers?: LogSerializers }).serializers;
  return given.child({}, { serializers: { ...serializers(), ...named, ...own } });
}
