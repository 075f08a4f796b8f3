/** Ends a connection, in one of the four ways: after its last response, by node, with an error, or because the socket was closed. */
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';
import type { HandOverReason } from './reasons.ts';

export class Ending {
  /** After this, the engine neither reads nor writes. */
  hasEnded = false;
  #hasFailed = false;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Ends the connection after its last response, which has been collected. */
  afterResponses(): void {
    this.#connection.output.flush();
    this.#markEnded();
    this.#connection.socket.destroySoon();
  }

  /** Gives the connection, and what was read but not served, to node. */
  handOver(reason: HandOverReason): void {
    const { engine, socket, input, output } = this.#connection;
    output.flush();
    this.hasEnded = true;
    engine.handOver(socket, input.rest, reason);
  }

  /** Ends the connection with the events and the response of node. */
  fail(error: Error): void {
    const { socket, output, queue } = this.#connection;
    output.flush();
    // After the beginning of a response, further bytes would be read as part of it.
    if (queue.first?.isHeadWritten !== true) this.#failSocket(error);
    else {
      this.#hasFailed = true;
      this.hasEnded = true;
      socket.destroy(error);
    }
  }

  /** Called when the socket has failed: no response can be sent. */
  onSocketError(error: Error): void {
    if (!this.#hasFailed) this.#failSocket(error);
  }

  onClosed(): void {
    this.#markEnded();
    this.#connection.queue.close();
  }

  #failSocket(error: Error): void {
    const { engine, socket } = this.#connection;
    this.#hasFailed = true;
    this.#markEnded();
    failSocket(engine.server, socket, error);
  }

  #markEnded(): void {
    this.hasEnded = true;
    this.#connection.input.clear();
  }
}

/** Reports a failure as node's server does, to `clientError` or with its own response, and ends the connection. */
function failSocket(server: Server, socket: Socket, error: Error & { code?: string }): void {
  // Only the first failure is reported: later errors of the socket are ignored.
  if (socket.listenerCount('error') === 0) socket.on('error', ignore);
  if (server.emit('clientError', error, socket)) return;
  if (socket.writable) {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`, 'latin1');
  }
  socket.destroy(error);
}

function ignore(): void {}

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
