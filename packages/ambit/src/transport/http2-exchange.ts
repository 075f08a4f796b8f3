/** An exchange on the objects of node's compatibility layer of HTTP/2: what differs there from HTTP/1.1. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { type ExchangeHolder, exchangeKey, type ReplyHeaders } from '../types/exchange.ts';
import type { BodyStream } from '../types/request.ts';
import { checkFields } from './check-fields.ts';
import { NodeExchange } from './node-exchange.ts';

// Copied from `http2.constants`, which take as long to load as the rest of the module.
const internalError = 2;
/** Long payloads are written in pieces of this length, because one long write would block other streams. */
const pieceBytes = 64 * 1024;

export class Http2Exchange extends NodeExchange {
  #failsWhenReset = false;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super(rawRequest, rawResponse);
    // Objects that a plugin has created may have no stream.
    const { stream } = rawResponse as unknown as Http2ServerResponse;
    if (stream) (stream as Partial<ExchangeHolder>)[exchangeKey] = this;
  }

  override get authority(): string | undefined {
    return this.requestHeaders[':authority'] as string | undefined;
  }

  /** Over HTTP/2, node emits `finish` when the stream has closed, even if the response is not complete. */
  override onceSettled(listener: (error?: Error) => void): void {
    super.onceSettled((error) => {
      const { stream } = this.rawResponse as unknown as Http2ServerResponse;
      const isComplete = !stream.aborted && stream.rstCode === 0;
      listener(error ?? (isComplete ? undefined : new Error('The stream was reset')));
    });
  }

  /** `undefined` if it is unknown: frames mark the end of a body, so it needs no length. */
  override get hasBody(): boolean | undefined {
    return super.hasBody || undefined;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    this.#failWhenReset();
    super.readBody(limitBytes, settle);
  }

  override streamBody(): BodyStream {
    this.#failWhenReset();
    return super.streamBody();
  }

  /**
   * If the client resets the stream, code that reads the body gets an error, as over HTTP/1.1. Node would end the body as if it were
   * complete.
   */
  #failWhenReset(): void {
    if (this.#failsWhenReset) return;
    this.#failsWhenReset = true;
    const { rawRequest } = this;
    rawRequest.once('aborted', () => {
      if (rawRequest.readableEnded) return;
      // An error without a listener would be thrown.
      rawRequest.destroy(rawRequest.listenerCount('error') > 0 ? connectionReset() : undefined);
    });
  }

  override prepareHead(fields: ReplyHeaders): void {
    // Node would reset the stream for an invalid name, and send an invalid value (RFC 9113, 8.2.1).
    checkFields(fields);
    super.prepareHead(fields);
  }

  /** Does not read the reason phrase: HTTP/2 has none (RFC 9113, 8.3.2), and node warns about code that reads it. */
  override writeHead(status: number, fields: ReplyHeaders): void {
    checkFields(fields);
    this.rawResponse.writeHead(status, fields as Record<string, OutgoingHttpHeader>);
  }

  override end(payload?: string | Uint8Array): void {
    if (payload === undefined || payload.length <= pieceBytes) this.rawResponse.end(payload);
    else this.#endInPieces(typeof payload === 'string' ? Buffer.from(payload) : payload, 0);
  }

  #endInPieces(bytes: Uint8Array, from: number): void {
    let at = from;
    while (!this.isDestroyed && !this.isEnded) {
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.length;
      if (at === bytes.length) this.rawResponse.end(piece);
      else if (!this.write(piece)) {
        this.rawResponse.once('drain', () => this.#endInPieces(bytes, at));
        return;
      }
    }
  }

  /** Closes the stream with an error code, because the client would otherwise accept half a response as complete. */
  override destroy(error?: Error): void {
    if (!this.isEnded) (this.rawResponse as unknown as Http2ServerResponse).stream.close(internalError);
    super.destroy(error);
  }

  /** Does nothing: a stream ends by itself, and the connection continues. */
  override closeAfterResponse(): void {}

  /** Trailers are a frame of their own, so there is no `transfer-encoding` (RFC 9113, 8.2.2). */
  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    fields.trailer = names.join(' ');
  }
}

/** The error that node's HTTP/1.1 server reports. */
function connectionReset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
