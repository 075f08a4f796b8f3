/** How is a request answered with node's request and response objects? All exchanges of connections that node serves, and some of the engine's. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  validateHeaderValue,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AnswerFields } from './answer-head.ts';
import { Exchange, type Payload } from './exchange.ts';
import { isHost } from './scan-fields.ts';

export class ParsedByNode extends Exchange {
  override readonly lane = 'node';
  override owner: unknown = undefined;
  override readonly hasRawRequest = true;
  override readonly hasRawResponse = true;
  override readonly rawRequest: IncomingMessage;
  override readonly rawResponse: ServerResponse;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super();
    this.rawRequest = rawRequest;
    this.rawResponse = rawResponse;
  }

  override get method(): string {
    return this.rawRequest.method!;
  }

  override get target(): string {
    return this.rawRequest.url!;
  }

  override get socket(): Socket {
    return this.rawRequest.socket;
  }

  override header(name: string): string | undefined {
    const value = this.rawRequest.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  override get headers(): IncomingHttpHeaders {
    return this.rawRequest.headers;
  }

  override get rawHeaders(): string[] {
    return this.rawRequest.rawHeaders;
  }

  override get contentLength(): number | undefined {
    const { headers } = this.rawRequest;
    if (headers['transfer-encoding'] !== undefined) return undefined;
    return Number(headers['content-length'] ?? 0);
  }

  override readBody(
    take: (body: Buffer) => void,
    fail: (error: Error) => void,
    maxBytes: number = Number.POSITIVE_INFINITY,
  ): void {
    readStream(this.rawRequest, take, fail, maxBytes);
  }

  override respond(status: number, fields: AnswerFields, payload?: Payload): void {
    respondThroughNode(this.rawResponse, status, fields, payload);
  }

  /** Does nothing, because node's server announces the end itself. */
  override announceEnd(): void {}

  override get isHeadWritten(): boolean {
    return this.rawResponse.headersSent;
  }

  override get isEnded(): boolean {
    return this.rawResponse.writableEnded;
  }

  override get isDestroyed(): boolean {
    return this.rawResponse.destroyed;
  }

  override destroy(error?: Error): void {
    this.rawResponse.destroy(error);
  }

  override onFinished(listener: (error?: Error) => void): void {
    watchFinish(this.rawRequest, this.rawResponse, listener);
  }

  override onClientGone(listener: () => void): () => void {
    return watchClient(this.rawRequest, this.rawResponse, listener);
  }
}

// ---- with node's objects, also for exchanges that the engine serves

/**
 * Sends a whole response. Fields are set, not written, so that node knows the length before it writes the head. A wrong length is left
 * out, because the client would misread the rest of this response, or the next one (RFC 9112, 6.3).
 */
export function respondThroughNode(
  response: ServerResponse,
  status: number,
  fields: AnswerFields,
  payload: Payload | undefined,
): void {
  // Node rejects a second response and an invalid status before any field is set.
  if (response.headersSent || !(status >= 100 && status <= 999)) response.writeHead(status);
  // `setHeader` does not check the values of a list, as `writeHead` does.
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (Array.isArray(value)) for (const text of value) validateHeaderValue(name, text as string);
  }
  response.statusCode = status;
  const lengthBytes = payload === undefined ? 0 : Buffer.byteLength(payload);
  // A response without content may state the length that the content would have (RFC 9110, 8.6).
  const isDescription = response.req.method === 'HEAD' || status === 304;
  for (const name of Object.keys(fields)) {
    const isLength = !isDescription && name.toLowerCase() === 'content-length';
    if (!isLength || String(fields[name]) === String(lengthBytes))
      response.setHeader(name, fields[name] as string);
  }
  const { statusMessage } = response;
  try {
    end(response, lengthBytes, isDescription, payload);
  } catch (error) {
    // Node refuses some fields only now. Left on the response, they would fail the reply to the error, too.
    if (!response.headersSent) {
      response.statusMessage = statusMessage;
      for (const name of Object.keys(fields)) response.removeHeader(name);
    }
    throw error;
  }
}

function end(
  response: ServerResponse,
  lengthBytes: number,
  isDescription: boolean,
  payload: Payload | undefined,
): void {
  if (response.hasHeader('content-disposition')) {
    // If node knows the length when it writes the head, it loses the characters of this field that are not ASCII.
    const hasLength =
      !isDescription && response.statusCode !== 204 && !response.hasHeader('transfer-encoding');
    if (hasLength) response.setHeader('content-length', lengthBytes);
    response.writeHead(response.statusCode);
  }
  // Bytes, because node would write the head in UTF-8 if a text follows.
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  // While earlier responses are not complete, node queues `100 Continue`, and would put the head of bytes in front of it, but not that of text.
  if (bytes !== undefined && response.req.headers.expect !== undefined)
    response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1');
  else response.end(bytes);
}

/** Collects a body from the events of its stream. */
export function readStream(
  stream: Readable,
  take: (body: Buffer) => void,
  fail: (error: Error) => void,
  maxBytes: number,
): void {
  const pieces: Buffer[] = [];
  let lengthBytes = 0;
  const stop = (): void => {
    stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
  };
  const onData = (piece: Buffer): void => {
    lengthBytes += piece.length;
    if (lengthBytes > maxBytes) onError(new BodyTooLong(maxBytes));
    else pieces.push(piece);
  };
  const onEnd = (): void => {
    stop();
    take(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  };
  const onError = (error: Error): void => {
    stop();
    fail(error);
  };
  const onClose = (): void => onError(new ClientGone());
  stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
}

/** The client closed the connection before its request was complete. Code and message are those of node. */
export class ClientGone extends Error {
  /** The permanent code, the same as in node. */
  readonly code = 'ECONNRESET';

  constructor() {
    super('aborted');
  }
}

/** The body is larger than its reader allows. */
export class BodyTooLong extends Error {
  /** The permanent code. */
  readonly code = 'ERR_BODY_TOO_LONG';

  /** @param maxBytes The largest body that the reader allows. */
  constructor(maxBytes: number) {
    super(`the body is longer than ${maxBytes} bytes`);
  }
}

/**
 * Calls a function once, when the client closes the connection before the response has ended. Returns a function that
 * stops listening.
 */
export function watchClient(
  request: IncomingMessage,
  response: ServerResponse,
  listener: () => void,
): () => void {
  const stop = (): void => {
    request.off('close', onRequestClose);
    response.off('close', onResponseClose);
  };
  const leave = (): void => {
    stop();
    listener();
  };
  // A request also emits `close` when its body has been read. Only if it was read in part, the client closed the
  // connection.
  const onRequestClose = (): void => {
    if (request.destroyed && !request.readableEnded && !response.writableEnded) leave();
  };
  const onResponseClose = (): void => {
    if (!response.writableEnded) leave();
  };
  request.on('close', onRequestClose);
  response.on('close', onResponseClose);
  return stop;
}

/**
 * Calls a function once: when the operating system has taken the response, or with the error. A response that waits for earlier ones has no
 * socket: if the client leaves then, only the request emits `close`.
 */
export function watchFinish(
  request: IncomingMessage,
  response: ServerResponse,
  listener: (error?: Error) => void,
): void {
  const settle = (error?: Error): void => {
    response.off('finish', settle).off('error', settle).off('close', onClose);
    request.off('close', onRequestClose);
    listener(error);
  };
  const onClose = (): void => settle(response.writableFinished ? undefined : new ClientGone());
  const onRequestClose = (): void => {
    if (request.destroyed && !request.readableEnded) settle(new ClientGone());
  };
  response.on('finish', settle).on('error', settle).on('close', onClose);
  request.on('close', onRequestClose);
}

// ---- the host, checked as strictly as the engine does

/**
 * Whether the Host of a request is valid. If there are two, or one that is invalid, the request must be rejected with 400
 * (RFC 9112, 3.2). Node itself checks that there is one.
 */
export function hasValidHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1');
    if (++hosts > 1 || !isHost(value, 0, value.length)) return false;
  }
  return true;
}

/**
 * Gives a request with an absolute target, such as `http://example.org/`, the host of the target instead of its field Host (RFC 9112, 3.2.2).
 * Returns false if that host is not valid.
 */
export function takeTargetHost({ url, headers }: IncomingMessage): boolean {
  if (url!.startsWith('/')) return true;
  const host = /^https?:\/\/([^/?#]*)/i.exec(url!)?.[1];
  if (host === undefined) return true;
  const bytes = Buffer.from(host, 'latin1');
  if (bytes.length === 0 || !isHost(bytes, 0, bytes.length)) return false;
  headers.host = host;
  return true;
}
