/** An exchange on one of our own HTTP/1.1 servers: what is only true for node's objects there, and not on other transports. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BytesCollected } from '../shared/stream-collector.ts';
import type { ReplyHeaders } from '../types/exchange.ts';
import { ArrivedBody } from './arrived-body.ts';
import { NodeExchange } from './node-exchange.ts';

/** The state of the server that exchanges read. */
export interface ServerState {
  /** Whether it is closing, and connections end with their next response. */
  readonly endsConnections: boolean;
}

export class Http1Exchange extends NodeExchange {
  readonly #server: ServerState;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse, server: ServerState) {
    super(rawRequest, rawResponse);
    this.#server = server;
    // With the field `TE`, node sends chunks to these clients as well (RFC 9112, 6.1).
    if (rawRequest.httpVersionMinor === 0) rawResponse.useChunkedEncodingByDefault = false;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    new ArrivedBody(this.rawRequest, limitBytes, settle).readWhenArrived();
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    if (this.#server.endsConnections) this.#announceEnd();
    super.writeHead(status, fields);
  }

  /** Announces that the connection ends with this response, unless another request has arrived after this one. */
  #announceEnd(): void {
    type Parser = { incoming?: unknown };
    // The request that node's parser is reading or has read last. The property is not documented.
    const { parser } = (this.rawResponse.socket ?? {}) as Socket & { parser?: Parser | null };
    if (parser?.incoming === this.rawRequest) this.rawResponse.shouldKeepAlive = false;
  }

  /** Clients of HTTP/1.0 do not understand responses before the final one (RFC 9110, 15.2). */
  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    if (this.rawRequest.httpVersionMinor === 0) callback?.();
    else super.writeEarlyHints(hints, callback);
  }

  /** The first chunk takes the head with it. A text would make node write the head in UTF-8, which is Latin-1. */
  override write(chunk: string | Uint8Array): boolean {
    const isFirstText = typeof chunk === 'string' && !this.rawResponse.headersSent;
    return super.write(isFirstText ? Buffer.from(chunk) : chunk);
  }

  /** As for `write`. If the head has only ASCII, UTF-8 is the same, and a text needs one write. */
  override end(payload?: string | Uint8Array): void {
    const { _header: head } = this.rawResponse as ServerResponse & { _header?: string | null };
    const mayBeText = typeof head === 'string' && Buffer.byteLength(head) === head.length;
    this.rawResponse.end(typeof payload === 'string' && !mayBeText ? Buffer.from(payload) : payload);
  }
}
