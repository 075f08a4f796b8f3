/** An exchange on one of our own HTTP/1.1 servers: what holds for node's objects there, and not for those of other wires. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ReplyHeaders } from '../contract/exchange.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { ArrivedBody } from './arrived-body.ts';
import { NodeExchange } from './node-exchange.ts';
import { endInOneWrite } from './one-write.ts';

/** What exchanges know of the server that received them. */
export interface ServerState {
  /** It is closing, and connections end with the response that is written next. */
  readonly endsConnections: boolean;
}

export class Http1Exchange extends NodeExchange {
  readonly #server: ServerState;

  constructor(rawRequest: IncomingMessage, rawResponse: ServerResponse, server: ServerState) {
    super(rawRequest, rawResponse);
    this.#server = server;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    new ArrivedBody(this.rawRequest, limitBytes, settle).readWhenArrived();
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    if (this.#server.endsConnections) this.#announceEnd();
    super.writeHead(status, fields);
  }

  /** The client must know that its connection ends with this response, unless another request has come behind this one. */
  #announceEnd(): void {
    type Parser = { incoming?: unknown };
    // The request that node's parser is at, or was at last; it is not documented.
    const { parser } = (this.rawResponse.socket ?? {}) as Socket & { parser?: Parser | null };
    if (parser?.incoming === this.rawRequest) this.rawResponse.shouldKeepAlive = false;
  }

  override end(payload?: string | Uint8Array, lengthBytes?: number): void {
    if (typeof payload === 'string') endInOneWrite(this.rawResponse, payload, lengthBytes);
    else this.rawResponse.end(payload);
  }
}
