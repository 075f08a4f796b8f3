/**
 * An exchange on a connection that our HTTP engine serves. It switches to node's objects when node's response is read,
 * or needed for streams, trailers or early hints.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Exchange as InnerExchange } from '@ambit/http-engine';
import { lazyModule } from '../shared/lazy-module.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { type ExchangeHolder, exchangeKey, type ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import { ArrivedBody, NodeExchange, type ServerState } from './node-exchange.ts';

const require = createRequire(import.meta.url);

// Loaded late, because only an application that listens needs it.
export const loadEngine: () => typeof import('@ambit/http-engine') = lazyModule(() =>
  require('@ambit/http-engine'),
);

export class EngineExchange extends NodeExchange {
  readonly #inner: InnerExchange;
  readonly #server: ServerState;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  /** Once it is created, it is used for everything. */
  #rawResponse: ServerResponse | undefined = undefined;
  #status = 200;

  constructor(inner: InnerExchange, server: ServerState) {
    super();
    this.#inner = inner;
    this.#server = server;
    inner.owner = this;
  }

  // ---- the request

  override get method(): string {
    return this.#rawRequest === undefined ? this.#inner.method : super.method;
  }

  override get url(): string {
    return this.#rawRequest === undefined ? this.#inner.target : super.url;
  }

  override set url(url: string) {
    super.url = url;
  }

  override get originalUrl(): string {
    return this.#rawRequest === undefined ? this.#inner.target : super.originalUrl;
  }

  override set originalUrl(url: string) {
    super.originalUrl = url;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    if (this.#rawRequest !== undefined) return super.requestHeaders;
    this.#headers ??= this.#inner.headers;
    return this.#headers;
  }

  // HOT: twice per request with a body.
  override requestHeader(name: string): IncomingHttpHeaders[string] {
    // After the object was created, the application may have changed it.
    const isCreated = this.#headers !== undefined || this.#rawRequest !== undefined;
    return isCreated ? this.requestHeaders[name] : this.#inner.header(name);
  }

  /** The engine hands requests of other versions to node's server. */
  override get httpVersion(): string {
    return '1.1';
  }

  override get hasBody(): boolean {
    return this.#inner.contentLength !== 0;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    if (this.#rawRequest === undefined)
      this.#inner.readBody(
        (body) => settle(undefined, [body], body.length),
        (error) => settle(error, [], 0),
      );
    else {
      this.#useNode();
      new ArrivedBody(this.#rawRequest, limitBytes, settle).readWhenArrived();
    }
  }

  override get isClientGone(): boolean {
    return this.#rawResponse === undefined ? this.#inner.socket.destroyed : super.isClientGone;
  }

  // ---- the response

  override get status(): number {
    return this.#rawResponse === undefined ? this.#status : super.status;
  }

  override set status(status: number) {
    if (this.#rawResponse === undefined) this.#status = status;
    else super.status = status;
  }

  override get isHeadWritten(): boolean {
    return this.#rawResponse === undefined ? this.#inner.isHeadWritten : super.isHeadWritten;
  }

  override get isEnded(): boolean {
    return this.#rawResponse === undefined ? this.#inner.isEnded : super.isEnded;
  }

  override get isDestroyed(): boolean {
    return this.#rawResponse === undefined ? this.#inner.isDestroyed : super.isDestroyed;
  }

  // HOT: once per response.
  override respond(
    status: number,
    fields: ReplyHeaders,
    payload?: string | Uint8Array,
    lengthBytes?: number,
  ): void {
    if (this.#rawResponse !== undefined) super.respond(status, fields, payload);
    else {
      this.#inner.respond(status, fields as never, payload, lengthBytes);
      this.#status = status;
    }
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    this.#useNode();
    if (this.#server.endsConnections) this.#inner.announceEnd();
    super.writeHead(status, fields);
  }

  override getHeader(name: string): HeaderValue {
    return this.#rawResponse?.getHeader(name);
  }

  override getHeaders(): ReplyHeaders {
    return this.#rawResponse?.getHeaders() ?? {};
  }

  override hasHeader(name: string): boolean {
    return this.#rawResponse?.hasHeader(name) ?? false;
  }

  override removeHeader(name: string): void {
    if (this.#rawResponse !== undefined) super.removeHeader(name);
  }

  override destroy(error?: Error): void {
    if (this.#rawResponse === undefined) this.#inner.destroy(error);
    else super.destroy(error);
  }

  /**
   * If the client has left before the response was complete, the listener is not called. If a write of the complete response fails, because the
   * client leaves meanwhile, nothing else would tell that the request has ended.
   */
  override onceFinished(listener: (error?: Error) => void): void {
    if (this.#rawResponse !== undefined) super.onceFinished(listener);
    else
      this.#inner.onFinished((error) => {
        if (!(error instanceof loadEngine().ClientGone)) this.runInReplyContext(listener);
      });
  }

  override onceSettled(listener: (error?: Error) => void): void {
    if (this.#rawResponse !== undefined) super.onceSettled(listener);
    else this.#inner.onFinished(listener);
  }

  override onClientGone(listener: () => void): () => void {
    return this.#inner.onClientGone(listener);
  }

  // ---- node's objects, created when they are read

  override get rawRequest(): IncomingMessage {
    this.#rawRequest ??= this.#inner.rawRequest;
    return this.#rawRequest;
  }

  override set rawRequest(request: IncomingMessage) {
    this.#rawRequest = request;
  }

  override get rawResponse(): ServerResponse {
    return this.#useNode();
  }

  override set rawResponse(response: ServerResponse) {
    this.#useNode();
    this.#rawResponse = response;
  }

  /** From now on, node's objects serve the request. @returns The response. */
  #useNode(): ServerResponse {
    if (this.#rawResponse === undefined) {
      const { rawResponse } = this.#inner;
      this.#rawRequest ??= this.#inner.rawRequest;
      // After a response of the engine, it already has the status of that response.
      if (!this.#inner.isEnded) rawResponse.statusCode = this.#status;
      (rawResponse as Partial<ExchangeHolder>)[exchangeKey] = this;
      this.#rawResponse = rawResponse;
    }
    return this.#rawResponse;
  }

  override get rawSocket(): Socket {
    return this.#inner.socket;
  }
}
