/** Ends connections that cannot continue, with the events, errors and responses of node. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The errors of node's parser for bytes that are not a request, by code. */
export class ParseError extends Error {
  readonly code: string;
  readonly reason: string;
  readonly bytesParsed = 0;
  readonly rawPacket: Buffer;

  constructor(code: string, reason: string, rawPacket: Buffer) {
    super(`Parse Error: ${reason}`);
    this.code = code;
    this.reason = reason;
    this.rawPacket = rawPacket;
  }
}

/** A head or a body took longer than the server allows. */
export class RequestTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';

  constructor() {
    super('Request timeout');
  }
}

/** What failures of clients are reported to. */
interface ErrorReceiver {
  emit(event: 'clientError', error: Error, socket: Socket): boolean;
}

function ignore(): void {}

/** Reports a failure as node's server does, to `clientError` or with its own response, and ends the connection. */
export function failSocket(server: ErrorReceiver, socket: Socket, error: Error & { code?: string }): void {
  // Only the first failure is reported: later errors of the socket are ignored.
  if (socket.listenerCount('error') === 0) socket.on('error', ignore);
  if (server.emit('clientError', error, socket)) return;
  if (socket.writable) {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`, 'latin1');
  }
  socket.destroy(error);
}
