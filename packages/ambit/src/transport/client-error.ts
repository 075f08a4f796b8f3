/** Answers what node could not read as a request: too slow, too large a head, or no HTTP at all. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../contract/logger.ts';
import type { ErrorFormat } from '../contract/problem.ts';
import { type EarlyAnswer, earlyError } from '../shared/early-error-body.ts';
import { isThenable } from '../shared/thenable.ts';

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

/** What a client is told that took too long for its request. */
export function requestTimeoutAnswer(format: ErrorFormat): EarlyAnswer {
  return earlyError(format, timeout);
}

/** The default `clientErrorHandler`. There is no request yet: it writes to the socket. */
export function answerClientError(
  this: { log: Logger; format: ErrorFormat },
  error: Error & { code?: string },
  socket: Socket,
): void {
  // If the connection was reset, no client can read a response.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const fault = faults[error.code ?? ''] ?? malformed;
  const { status, label, message } = fault;
  const { fields, body } = earlyError(this.format, { status, message });
  this.log.trace({ err: error }, `client ${label}`);
  if (socket.writable && !isInReply(socket)) {
    endSoon(
      socket,
      error,
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${body.length}\r\nContent-Type: ${fields['content-type']}\r\n\r\n${body}`,
    );
  } else socket.destroy(error);
}

/** A client gets this long to take an answer. */
const takingMs = 1_000;

/** Destroys the socket when the text is out: over TLS, what was written a moment before would be lost with it. */
function endSoon(socket: Socket, error: Error, text: string): void {
  const destroy = (): void => {
    clearTimeout(timer);
    socket.destroy(error);
  };
  const timer = setTimeout(destroy, takingMs);
  socket.end(text, destroy);
}

type ClientErrorHandler = (error: Error & { code?: string }, socket: Socket) => unknown;

/**
 * A listener for bytes that node could not parse. If the application's handler throws, or its promise rejects, the
 * connection is closed here, because nothing else would close it.
 *
 * @param report Takes what the handler failed with.
 */
export function guardClientErrors(
  handler: ClientErrorHandler,
  report: (error: unknown) => void,
): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    const giveUp = (failure: unknown): void => {
      socket.destroy();
      report(failure);
    };
    try {
      const result = handler(error, socket);
      if (isThenable(result)) result.then(undefined, giveUp);
    } catch (failure) {
      giveUp(failure);
    }
  };
}

/** Whether a reply has begun and not ended: whatever is written now would be taken for a part of it. */
function isInReply(socket: Socket): boolean {
  type Pending = { headersSent: boolean; writableEnded: boolean };
  // Node keeps the reply that has the socket under this name, and decides by it in its own handler.
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: Pending | null };
  return reply?.headersSent === true && !reply.writableEnded;
}
