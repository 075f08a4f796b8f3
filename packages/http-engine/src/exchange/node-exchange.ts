/** Exchanges of connections that node serves: they wrap node's request and response objects. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AnswerFields } from '../answer/field-lines.ts';
import { Exchange, type Payload } from './exchange.ts';
import {
  readStream,
  respondThroughNode,
  watchClient,
  watchFinish,
  writeHeadThroughNode,
} from './through-node.ts';

export class NodeExchange extends Exchange {
  override readonly lane = 'node';
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

  override get bodyStream(): Readable {
    return this.rawRequest;
  }

  override respond(status: number, fields: AnswerFields, payload?: Payload): void {
    respondThroughNode(this.rawResponse, status, fields, payload);
  }

  /** Does nothing, because node's server announces the end itself. */
  override announceEnd(): void {}

  override writeHead(status: number, fields: AnswerFields = {}): void {
    writeHeadThroughNode(this.rawResponse, status, fields);
  }

  override write(piece: Payload): boolean {
    return this.rawResponse.write(piece);
  }

  override end(piece?: Payload): void {
    this.rawResponse.end(piece);
  }

  override onceDrained(listener: () => void): void {
    this.rawResponse.once('drain', listener);
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
