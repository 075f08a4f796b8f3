/** Creates a logger with pino, or adds our serializers to a logger that the application brings. */
import type { EventEmitter } from 'node:events';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { LogDestinationInvalid } from '../types/errors.ts';
import type { Logger, LoggerOptions, LogSerializers } from '../types/logger.ts';
import type { Reply } from '../types/reply.ts';
import type { Request } from '../types/request.ts';
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

/** The canonical path, if the client spelled the path differently. All log lines about one path can then be found by one text. */
function otherSpelling({ url, canonicalPath }: Request): string | undefined {
  // An application may log another object under the name `req`.
  if (typeof url !== 'string' || typeof canonicalPath !== 'string') return undefined;
  const { length } = canonicalPath;
  const isSame = url.startsWith(canonicalPath) && (url.length === length || url[length] === '?');
  return isSame ? undefined : canonicalPath;
}

/** @param report Gets the errors of the logger's stream: without a listener, they would end the process. */
export function createLogger(userOptions: LoggerOptions, report: (error: unknown) => void): Logger {
  if (userOptions.stream && userOptions.file) throw new LogDestinationInvalid();
  // `assign` copies symbols, too: some options of pino have symbols as names.
  const options: LoggerOptions = Object.assign({}, userOptions);
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

/** Applications may share a stream, such as stdout: one listener per stream is enough. */
const watched = new WeakSet<object>();

function watchStream(stream: Partial<EventEmitter>, report: (error: unknown) => void): void {
  if (typeof stream.on !== 'function' || watched.has(stream)) return;
  watched.add(stream);
  stream.on('error', report);
}

/** Returns a child of a logger, so that our serializers do not change the logger itself. */
export function adoptLogger(logger: Logger): Logger {
  const { serializersSym } = loadPino().symbols;
  const pinoSerializers = (logger as unknown as { [key: symbol]: LogSerializers })[serializersSym];
  const publicSerializers = (logger as { serializers?: LogSerializers }).serializers;
  return logger.child({}, { serializers: { ...serializers(), ...publicSerializers, ...pinoSerializers } });
}
