/** An exchange on the objects of node's compatibility layer of HTTP/2: what differs there from HTTP/1.1. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { ReplyHeaders } from '../contract/exchange.ts';
import { type ExchangeHolder, exchangeKey } from '../contract/exchange-holder.ts';
import type { BodyStream } from '../contract/parsers.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { checkFields } from './check-fields.ts';
import { NodeExchange } from './node-exchange.ts';

// Of `http2.constants`, which cost as much to load as the rest of the module.
const internalError = 2;
/** Flow control starves other streams when one writes without limit. */
const pieceBytes = 64 * 1024;

export class Http2Exchange extends NodeExchange {
  #failsWhenReset = false;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse) {
    super(rawRequest, rawResponse);
    // Those that a plugin makes by hand may have none.
    const { stream } = rawResponse as unknown as Http2ServerResponse;
    if (stream) (stream as Partial<ExchangeHolder>)[exchangeKey] = this;
  }

  override get authority(): string | undefined {
    return this.requestHeaders[':authority'] as string | undefined;
  }

  /** Here, node says `finish` when the stream has closed, whole or not. */
  override onceSettled(listener: (error?: Error) => void): void {
    super.onceSettled((error) => {
      const { stream } = this.rawResponse as unknown as Http2ServerResponse;
      const isWhole = !stream.aborted && stream.rstCode === 0;
      listener(error ?? (isWhole ? undefined : new Error('The stream was reset')));
    });
  }

  /** Frames mark the end of a body: it needs no length. */
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

  /** Whoever reads a body whose rest will not come gets an error, as over HTTP/1.1. Node would end it as if it were whole. */
  #failWhenReset(): void {
    if (this.#failsWhenReset) return;
    this.#failsWhenReset = true;
    const { rawRequest } = this;
    rawRequest.once('aborted', () => {
      if (rawRequest.readableEnded) return;
      // An error that nobody listens to would be thrown.
      rawRequest.destroy(rawRequest.listenerCount('error') > 0 ? connectionReset() : undefined);
    });
  }

  override prepareHead(fields: ReplyHeaders): void {
    // Node would reset the stream for such a name, and hand such a value on (RFC 9113, 8.2.1).
    checkFields(fields);
    super.prepareHead(fields);
  }

  /** There is no reason phrase (RFC 9113, 8.3.2), and node warns of one who looks for it. */
  override writeHead(status: number, fields: ReplyHeaders): void {
    checkFields(fields);
    this.rawResponse.writeHead(status, fields as Record<string, OutgoingHttpHeader>);
  }

  override end(payload?: string | Uint8Array, _lengthBytes?: number): void {
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

  /** Without a code of an error, the client would take half a response for the whole. */
  override destroy(error?: Error): void {
    if (!this.isEnded) (this.rawResponse as unknown as Http2ServerResponse).stream.close(internalError);
    super.destroy(error);
  }

  /** Streams end one by one, the connection goes on. */
  override closeAfterResponse(): void {}

  /** Trailers are a frame of their own; there is no `transfer-encoding` (RFC 9113, 8.2.2). */
  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    fields.trailer = names.join(' ');
  }
}

/** What node's HTTP/1.1 server reports. */
function connectionReset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
