/**
 * An exchange on a connection that our HTTP engine serves. It switches to node's objects when node's response is read,
 * or needed for streams, trailers or early hints.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange as Served } from '@ambit/http-engine';
import { Exchange, type ReplyHeaders } from '../contract/exchange.ts';
import type { BodyStream } from '../contract/parsers.ts';
import type { HeaderValue } from '../contract/reply.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { Http1Exchange, type ServerState } from './http1-exchange.ts';

type RewrittenRequest = IncomingMessage & { originalUrl?: string };

export class EngineExchange extends Exchange {
  readonly #served: Served;
  readonly #server: ServerState;
  #headers: IncomingHttpHeaders | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  /** Where everything goes once node's response is there. */
  #node: Http1Exchange | undefined = undefined;
  #status = 200;

  constructor(served: Served, server: ServerState) {
    super();
    this.#served = served;
    this.#server = server;
    served.owner = this;
  }

  // ---- the request

  override get method(): string {
    return this.#rawRequest === undefined ? this.#served.method : this.#rawRequest.method!;
  }

  override get url(): string {
    return this.#rawRequest === undefined ? this.#served.target : this.#rawRequest.url!;
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
    this.#headers ??= this.#served.headers;
    return this.#headers;
  }

  // HOT: twice per request with a body.
  override requestHeader(name: string): IncomingHttpHeaders[string] {
    // Once the object is there, the application may have changed it.
    const isMade = this.#headers !== undefined || this.#rawRequest !== undefined;
    return isMade ? this.requestHeaders[name] : this.#served.header(name);
  }

  override get peerAddress(): string | undefined {
    return this.#served.socket.remoteAddress;
  }

  override get isEncrypted(): boolean {
    return (this.#served.socket as Socket & { encrypted?: boolean }).encrypted === true;
  }

  /** The engine hands requests of other versions to node's server. */
  override get httpVersion(): string {
    return '1.1';
  }

  override get hasBody(): boolean {
    return this.#served.contentLength !== 0;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    if (this.#rawRequest !== undefined) this.#onNode.readBody(limitBytes, settle);
    else
      this.#served.readBody(
        (body) => settle(undefined, [body], body.length),
        (error) => settle(error, [], 0),
      );
  }

  override streamBody(): BodyStream {
    return this.rawRequest;
  }

  override get isClientGone(): boolean {
    return this.#node === undefined ? this.#served.socket.destroyed : this.#node.isClientGone;
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
    return this.#node === undefined ? this.#served.isHeadWritten : this.#node.isHeadWritten;
  }

  override get isEnded(): boolean {
    return this.#node === undefined ? this.#served.isEnded : this.#node.isEnded;
  }

  override get isDestroyed(): boolean {
    return this.#node === undefined ? this.#served.isDestroyed : this.#node.isDestroyed;
  }

  // HOT: once per response.
  override respond(
    status: number,
    fields: ReplyHeaders,
    payload?: string | Uint8Array,
    lengthBytes?: number,
  ): void {
    if (this.#node !== undefined) super.respond(status, fields, payload, lengthBytes);
    else {
      this.#served.respond(status, fields as never, payload, lengthBytes);
      this.#status = status;
    }
  }

  override prepareHead(fields: ReplyHeaders): void {
    this.#onNode.prepareHead(fields);
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const node = this.#onNode;
    if (this.#server.endsConnections) this.#served.announceEnd();
    node.writeHead(status, fields);
  }

  override write(chunk: string | Uint8Array): boolean {
    return this.#onNode.write(chunk);
  }

  override end(payload?: string | Uint8Array, lengthBytes?: number): void {
    this.#onNode.end(payload, lengthBytes);
  }

  override closeAfterResponse(): void {
    this.#onNode.closeAfterResponse();
  }

  override announceTrailers(fields: ReplyHeaders, names: readonly string[]): void {
    this.#onNode.announceTrailers(fields, names);
  }

  override addTrailers(trailers: Record<string, string>): void {
    this.#onNode.addTrailers(trailers);
  }

  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    this.#onNode.writeEarlyHints(hints, callback);
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
    if (this.#node === undefined) this.#served.destroy(error);
    else this.#node.destroy(error);
  }

  override onDrained(listener: () => void): void {
    this.#onNode.onDrained(listener);
  }

  /** A response whose client has left is never finished. */
  override onceFinished(listener: (error?: Error) => void): void {
    if (this.#node !== undefined) this.#node.onceFinished(listener);
    else this.#served.onFinished((error) => error === undefined && listener());
  }

  override onceSettled(listener: (error?: Error) => void): void {
    if (this.#node !== undefined) this.#node.onceSettled(listener);
    else this.#served.onFinished(listener);
  }

  override onceClosed(listener: (error?: Error | null) => void): void {
    this.#onNode.onceClosed(listener);
  }

  override onClientGone(listener: () => void): () => void {
    return this.#served.onClientGone(listener);
  }

  override onSocketTimeout(listener: () => void): () => void {
    const { socket } = this.#served;
    socket.on('timeout', listener);
    return () => socket.removeListener('timeout', listener);
  }

  // ---- node's objects, made when somebody asks

  override get rawRequest(): IncomingMessage {
    this.#rawRequest ??= this.#served.rawRequest;
    return this.#rawRequest;
  }

  override set rawRequest(request: IncomingMessage) {
    this.#rawRequest = request;
    if (this.#node !== undefined) this.#node.rawRequest = request;
  }

  override get rawResponse(): ServerResponse {
    return this.#onNode.rawResponse;
  }

  override set rawResponse(response: ServerResponse) {
    this.#onNode.rawResponse = response;
  }

  override get rawSocket(): Socket {
    return this.#served.socket;
  }

  get #onNode(): Http1Exchange {
    if (this.#node === undefined) {
      const { rawResponse } = this.#served;
      // After an answer of the engine's, it has that answer's status already.
      if (!this.#served.isEnded) rawResponse.statusCode = this.#status;
      this.#node = new Http1Exchange(this.rawRequest, rawResponse, this.#server);
    }
    return this.#node;
  }
}
