/** Responds to clients whose bytes node could not read as a request: too slow, too large a head, or not HTTP. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type EarlyResponse, earlyError } from '../shared/early-error.ts';
import { isThenable } from '../shared/values.ts';
import type { Logger } from '../types/logger.ts';
import type { ErrorFormat } from '../types/problems.ts';

interface ClientFault {
  readonly status: number;
  readonly label: string;
  readonly message: string;
}

const timeout: ClientFault = { status: 408, label: 'timeout', message: 'Client Timeout' };
const faults: Readonly<Record<string, ClientFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: timeout,
  HPE_HEADER_OVERFLOW: {
    status: 431,
    label: 'header_overflow',
    message: 'Exceeded maximum allowed HTTP header size',
  },
};
const malformed: ClientFault = { status: 400, label: 'error', message: 'Client Error' };

/** The response to a client that took too long to send its request. */
export function requestTimeoutAnswer(format: ErrorFormat): EarlyResponse {
  return earlyError(format, timeout);
}

/**
 * Returns a listener for bytes that node could not parse. If the application's handler throws, or its promise rejects, the
 * connection is closed here, because nothing else would close it.
 */
export function clientErrorListener(
  handler: ((error: Error & { code?: string }, socket: Socket) => unknown) | undefined,
  log: Logger,
  format: ErrorFormat,
): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    const closeAndReport = (failure: unknown): void => {
      socket.destroy();
      log.error({ err: failure }, 'clientErrorHandler failed');
    };
    try {
      if (handler === undefined) answerClientError(error, socket, log, format);
      else {
        const result = handler(error, socket);
        if (isThenable(result)) result.then(undefined, closeAndReport);
      }
    } catch (failure) {
      closeAndReport(failure);
    }
  };
}

/** There is no request yet: it writes to the socket. */
function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  log: Logger,
  format: ErrorFormat,
): void {
  // If the connection was reset, no client can read a response.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const fault = faults[error.code ?? ''] ?? malformed;
  const { status, label, message } = fault;
  const { fields, body } = earlyError(format, { status, message });
  log.trace({ err: error }, `client ${label}`);
  if (socket.writable && !isInReply(socket)) {
    endSoon(
      socket,
      error,
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${body.length}\r\nContent-Type: ${fields['content-type']}\r\n\r\n${body}`,
    );
  } else socket.destroy(error);
}

/** The time that a client gets to read the response. */
const maxReadMs = 1_000;

/** Destroys the socket only when the text was sent: over TLS, it would otherwise be lost. */
function endSoon(socket: Socket, error: Error, text: string): void {
  const destroy = (): void => {
    clearTimeout(timer);
    socket.destroy(error);
  };
  const timer = setTimeout(destroy, maxReadMs);
  socket.end(text, destroy);
}

/** Whether a reply has begun and not ended: the client would read any further text as part of it. */
function isInReply(socket: Socket): boolean {
  type Pending = { headersSent: boolean; writableEnded: boolean };
  // The reply that has the socket. Node's own handler of client errors reads the same property.
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: Pending | null };
  return reply?.headersSent === true && !reply.writableEnded;
}
