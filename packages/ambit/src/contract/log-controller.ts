/** Owns the lines that the framework itself logs. Extend the class to change or silence some of them. */
import type { Context } from './context.ts';
import type { Logger } from './logger.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

export interface LogControllerOptions {
  /** True, or a predicate on the request: no line per request is logged. */
  disableRequestLogging?: boolean | ((request: Request) => boolean);
  /** The field that request ids are logged under; by default `reqId`. */
  requestIdLogLabel?: string;
}

/** Facts of a line that have no argument of their own. */
export type LogMetadata = Record<string, unknown>;

export class LogController {
  readonly disableRequestLogging: boolean | ((request: Request) => boolean);
  readonly requestIdLogLabel: string;

  constructor(options: LogControllerOptions = {}) {
    this.disableRequestLogging = options.disableRequestLogging || false;
    this.requestIdLogLabel = options.requestIdLogLabel || 'reqId';
  }

  /** Whether the lines of this request are left out. Every other method asks. */
  isLogDisabled(request: Request): boolean {
    const disabled = this.disableRequestLogging;
    return typeof disabled === 'function' ? disabled(request) : disabled;
  }

  incomingRequest(request: Request, _reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    request.log.info({ req: request }, 'incoming request');
  }

  requestCompleted(
    error: Error | null | undefined,
    request: Request,
    reply: Reply,
    _metadata?: LogMetadata,
  ): void {
    if (this.isLogDisabled(request)) return;
    const responseTime = reply.elapsedTime;
    if (error) reply.log.error({ res: reply, err: error, responseTime }, 'request errored');
    else reply.log.info({ res: reply, responseTime }, 'request completed');
  }

  defaultErrorLog(error: Error, request: Request, reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    const text = error?.message;
    if (reply.statusCode >= 500) reply.log.error({ req: request, res: reply, err: error }, text);
    else reply.log.info({ res: reply, err: error }, text);
  }

  streamError(
    error: Error & { code?: string },
    request: Request,
    reply: Reply,
    _metadata?: LogMetadata,
  ): void {
    if (this.isLogDisabled(request)) return;
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE')
      reply.log.info({ res: reply }, 'stream closed prematurely');
    else reply.log.warn({ err: error }, 'response terminated with an error with headers already sent');
  }

  routeNotFound(request: Request, _reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    request.log.info(`Route ${request.raw.method}:${request.raw.url} not found`);
  }

  writeHeadError(error: Error, request: Request, reply: Reply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    reply.log.warn({ req: request, res: reply, err: error }, error?.message);
  }

  serializerError(error: Error, request: Request, reply: Reply, metadata: LogMetadata): void {
    if (this.isLogDisabled(request)) return;
    const { statusCode } = metadata;
    reply.log.error({ err: error, statusCode }, 'The serializer for the given status code failed');
  }

  /** A request refused while the server closes. Always logged. */
  serviceUnavailable(logger: Logger, _context: Context): void {
    logger.info(
      { res: { statusCode: 503 } },
      'request aborted - refusing to accept new requests as server is closing',
    );
  }
}
