/**
 * An exchange on a connection that our HTTP engine serves. It switches to node's objects when node's response is read,
 * or needed for streams, trailers or early hints.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange as InnerExchange } from '@ambit/http-engine';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { Exchange, type ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import type { BodyStream } from '../types/request.ts';
import { Http1Exchange, type ServerState } from './node-exchange.ts';

// Loaded late, because only an application that listens needs it.
export const loadEngine: () => typeof import('@ambit/http-engine') = lazyModule(() =>
  require('@ambit/http-engine'),
);

type RewrittenRequest = IncomingMessage & { originalUrl?: string };

export class EngineExchange extends Exchange {
  readonly #inner: InnerExchange;
  readonly #server: ServerState;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  /** Handles everything after node's response was created. */
  #node: Http1Exchange | undefined = undefined;
  #status = 200;

  constructor(inner: InnerExchange, server: ServerState) {
    super();
    this.#inner = inner;
    this.#server = server;
    inner.owner = this;
  }

  // ---- the request

  override get method(): string {
    return this.#rawRequest === undefined ? this.#inner.method : this.#rawRequest.method!;
  }

  override get url(): string {
    return this.#rawRequest === undefined ? this.#inner.target : this.#rawRequest.url!;
  }

  override set url(url: string) {
    this.rawRequest.url = url;
  }

  override get originalUrl(): string {
    return (this.#rawRequest as RewrittenRequest | undefined)?.originalUrl ?? this.url;
  }

  override set originalUrl(url: string) {
    (this.rawRequest as RewrittenRequest).originalUrl = url;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    if (this.#rawRequest !== undefined) return this.#rawRequest.headers;
    this.#headers ??= this.#inner.headers;
    return this.#headers;
  }

  // HOT: twice per request with a body.
  override requestHeader(name: string): IncomingHttpHeaders[string] {
    // After the object was created, the application may have changed it.
    const isCreated = this.#headers !== undefined || this.#rawRequest !== undefined;
    return isCreated ? this.requestHeaders[name] : this.#inner.header(name);
  }

  override get peerAddress(): string | undefined {
    return this.#inner.socket.remoteAddress;
  }

  override get isEncrypted(): boolean {
    return (this.#inner.socket as Socket & { encrypted?: boolean }).encrypted === true;
  }

  /** The engine hands requests of other versions to node's server. */
  override get httpVersion(): string {
    return '1.1';
  }

  override get hasBody(): boolean {
    return this.#inner.contentLength !== 0;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    if (this.#rawRequest !== undefined) this.#nodeExchange.readBody(limitBytes, settle);
    else
      this.#inner.readBody(
        (body) => settle(undefined, [body], body.length),
        (error) => settle(error, [], 0),
      );
  }

  override streamBody(): BodyStream {
    return this.rawRequest;
  }

  override get isClientGone(): boolean {
    return this.#node === undefined ? this.#inner.socket.destroyed : this.#node.isClientGone;
  }

  // ---- the response

  override get status(): number {
    return this.#node === undefined ? this.#status : this.#node.status;
  }

  override set status(status: number) {
    if (this.#node === undefined) this.#status = status;
    else this.#node.status = status;
  }

  override get isHeadWritten(): boolean {
    return this.#node === undefined ? this.#inner.isHeadWritten : this.#node.isHeadWritten;
  }

  override get isEnded(): boolean {
    return this.#node === undefined ? this.#inner.isEnded : this.#node.isEnded;
  }

  override get isDestroyed(): boolean {
    return this.#node === undefined ? this.#inner.isDestroyed : this.#node.isDestroyed;
  }

  // HOT: once per response.
  override respond(
    status: number,
    fields: ReplyHeaders,
    payload?: string | Uint8Array,
    lengthBytes?: number,
  ): void {
    if (this.#node !== undefined) super.respond(status, fields, payload);
    else {
      this.#inner.respond(status, fields as never, payload, lengthBytes);
      this.#status = status;
    }
  }

  override prepareHead(fields: ReplyHeaders): void {
    this.#nodeExchange.prepareHead(fields);
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const node = this.#nodeExchange;
    if (this.#server.endsConnections) this.#inner.announceEnd();
    node.writeHead(status, fields);
  }

  override write(chunk: string | Uint8Array): boolean {
    return this.#nodeExchange.write(chunk);
  }

  override end(payload?: string | Uint8Array): void {
    this.#nodeExchange.end(payload);
  }

  override closeAfterResponse(): void {
    this.#nodeExchange.closeAfterResponse();
  }

  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    this.#nodeExchange.announceTrailers(fields, names);
  }

  override addTrailers(trailers: Record<string, string>): void {
    this.#nodeExchange.addTrailers(trailers);
  }

  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    this.#nodeExchange.writeEarlyHints(hints, callback);
  }

  override getHeader(name: string): HeaderValue {
    return this.#node?.getHeader(name);
  }

  override getHeaders(): ReplyHeaders {
    return this.#node?.getHeaders() ?? {};
  }

  override hasHeader(name: string): boolean {
    return this.#node?.hasHeader(name) ?? false;
  }

  override removeHeader(name: string): void {
    this.#node?.removeHeader(name);
  }

  override destroy(error?: Error): void {
    if (this.#node === undefined) this.#inner.destroy(error);
    else this.#node.destroy(error);
  }

  override onDrained(listener: () => void): void {
    this.#nodeExchange.onDrained(listener);
  }

  /**
   * If the client has left before the response was complete, the listener is not called. If a write of the complete response fails, because the
   * client leaves meanwhile, nothing else would tell that the request has ended.
   */
  override onceFinished(listener: (error?: Error) => void): void {
    if (this.#node !== undefined) this.#node.onceFinished(listener);
    else
      this.#inner.onFinished((error) => {
        if (error instanceof loadEngine().ClientGone) return;
        if (this.#node === undefined) listener();
        else this.#node.runInReplyContext(listener);
      });
  }

  override onceSettled(listener: (error?: Error) => void): void {
    if (this.#node !== undefined) this.#node.onceSettled(listener);
    else this.#inner.onFinished(listener);
  }

  override onceClosed(listener: (error?: Error | null) => void): void {
    this.#nodeExchange.onceClosed(listener);
  }

  override onClientGone(listener: () => void): () => void {
    return this.#inner.onClientGone(listener);
  }

  override onSocketTimeout(listener: () => void): () => void {
    const { socket } = this.#inner;
    socket.on('timeout', listener);
    return () => socket.removeListener('timeout', listener);
  }

  // ---- node's objects, created when they are read

  override get rawRequest(): IncomingMessage {
    this.#rawRequest ??= this.#inner.rawRequest;
    return this.#rawRequest;
  }

  override set rawRequest(request: IncomingMessage) {
    this.#rawRequest = request;
    if (this.#node !== undefined) this.#node.rawRequest = request;
  }

  override get rawResponse(): ServerResponse {
    return this.#nodeExchange.rawResponse;
  }

  override set rawResponse(response: ServerResponse) {
    this.#nodeExchange.rawResponse = response;
  }

  override get rawSocket(): Socket {
    return this.#inner.socket;
  }

  get #nodeExchange(): Http1Exchange {
    if (this.#node === undefined) {
      const { rawResponse } = this.#inner;
      // After a response of the engine, it already has the status of that response.
      if (!this.#inner.isEnded) rawResponse.statusCode = this.#status;
      this.#node = new Http1Exchange(this.rawRequest, rawResponse, this.#server);
    }
    return this.#node;
  }
}
