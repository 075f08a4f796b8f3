/** An exchange on node's own request and response objects: http, https, http2 with its compatibility layer, and inject. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { Exchange, type ReplyHeaders } from '../contract/exchange.ts';
import type { HeaderValue } from '../contract/reply.ts';
import { isFieldName, isFieldValue } from '../shared/http-facts.ts';

export class NodeExchange extends Exchange {
  override rawRequest: IncomingMessage;
  override rawResponse: ServerResponse;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super();
    this.rawRequest = rawRequest;
    this.rawResponse = rawResponse;
  }

  override get method(): string {
    return this.rawRequest.method!;
  }

  override get url(): string {
    return this.rawRequest.url!;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    return this.rawRequest.headers;
  }

  override get socket(): Socket {
    return this.rawRequest.socket;
  }

  override get requestStream(): Readable {
    return this.rawRequest;
  }

  override get responseStream(): Writable {
    return this.rawResponse;
  }

  override get bodyArrival(): 'unknown' | 'underway' | 'complete' {
    return 'unknown';
  }

  override get isHttp2(): boolean {
    return this.rawRequest.httpVersionMajor === 2;
  }

  override get isAborted(): boolean {
    return this.rawRequest.aborted;
  }

  override get status(): number {
    return this.rawResponse.statusCode;
  }

  override set status(status: number) {
    this.rawResponse.statusCode = status;
  }

  override get isHeadWritten(): boolean {
    return this.rawResponse.headersSent;
  }

  override get isEnded(): boolean {
    return this.rawResponse.writableEnded;
  }

  override get isDestroyed(): boolean {
    return this.rawResponse.destroyed;
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.rawResponse.getHeader(name);
  }

  override getHeaders(): Record<string, OutgoingHttpHeader | undefined> {
    return this.rawResponse.getHeaders();
  }

  override hasHeader(name: string): boolean {
    return this.rawResponse.hasHeader(name);
  }

  override setHeader(name: string, value: HeaderValue): void {
    if (this.isHttp2) checkField(name, value);
    this.rawResponse.setHeader(name, value as OutgoingHttpHeader);
  }

  override removeHeader(name: string): void {
    if (!this.rawResponse.headersSent) this.rawResponse.removeHeader(name);
  }

  override writeHead(status: number, headers?: ReplyHeaders): void {
    if (this.isHttp2) for (const name in headers) checkField(name, headers[name]);
    // HTTP/2 has no reason phrase (RFC 9113, 8.3.2), and warns of one who looks for it.
    const statusMessage = this.isHttp2 ? '' : this.rawResponse.statusMessage;
    try {
      this.rawResponse.writeHead(status, headers as Record<string, OutgoingHttpHeader> | undefined);
    } catch (error) {
      // Node has set the reason of this status by now, and would keep it for the next.
      if (!this.isHttp2) this.rawResponse.statusMessage = statusMessage;
      throw error;
    }
  }

  override write(chunk: string | Uint8Array): boolean {
    return this.rawResponse.write(chunk);
  }

  override end(payload?: string | Uint8Array, _lengthBytes?: number): void {
    this.rawResponse.end(payload);
  }

  override addTrailers(trailers: Record<string, string>): void {
    this.rawResponse.addTrailers(trailers);
  }

  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    this.rawResponse.writeEarlyHints(hints, callback);
  }

  override destroy(error?: Error): void {
    this.rawResponse.destroy(error);
  }

  override onceDrained(listener: () => void): void {
    this.rawResponse.once('drain', listener);
  }

  override onceFinished(listener: (error?: Error) => void): void {
    const response = this.rawResponse;
    const settle = (error?: Error): void => {
      response.removeListener('finish', settle);
      response.removeListener('error', settle);
      listener(error);
    };
    response.on('finish', settle);
    response.on('error', settle);
  }

  override onClientGone(listener: () => void): () => void {
    const { rawRequest, rawResponse } = this;
    const stop = (): void => {
      rawRequest.removeListener('close', onRequestClose);
      rawResponse.removeListener('close', onResponseClose);
    };
    const leave = (): void => {
      stop();
      listener();
    };
    // A request closes when its body has been read, too: only one that closes half read tells that the client left.
    const onRequestClose = (): void => {
      if (rawRequest.aborted || !(rawRequest.readableEnded || rawResponse.writableEnded)) leave();
    };
    const onResponseClose = (): void => {
      if (!rawResponse.writableEnded) leave();
    };
    rawRequest.on('close', onRequestClose);
    rawResponse.on('close', onResponseClose);
    return stop;
  }

  override onSocketTimeout(listener: () => void): () => void {
    const { socket } = this.rawRequest;
    socket.on('timeout', listener);
    return () => socket.removeListener('timeout', listener);
  }
}

/**
 * Throws for what node refuses over HTTP/1.1. Over HTTP/2 it resets the stream for such a name, so that the request could not be
 * answered any more, and hands such a value on (RFC 9113, 8.2.1).
 */
function checkField(name: string, value: HeaderValue): void {
  if (!isFieldName(name)) {
    throw invalidField(`Header name must be a valid HTTP token ["${name}"]`, 'ERR_INVALID_HTTP_TOKEN');
  }
  for (const text of Array.isArray(value) ? value : [value]) {
    if (text === undefined) {
      throw invalidField(`Invalid value "undefined" for header "${name}"`, 'ERR_HTTP_INVALID_HEADER_VALUE');
    }
    if (!isFieldValue(`${text}`)) {
      throw invalidField(`Invalid character in header content ["${name}"]`, 'ERR_INVALID_CHAR');
    }
  }
}

function invalidField(message: string, code: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}
