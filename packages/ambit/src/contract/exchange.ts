/**
 * The waist of the framework. Transports make exchanges and know nothing of routes; the runtime runs an exchange through
 * its plan and knows nothing of `node:http`.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MediaType } from '../shared/media-type.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import type { Logger } from './logger.ts';
import type { BodyStream } from './parsers.ts';
import type { Plan } from './plan.ts';
import type { HeaderValue, Reply, TrailerFunction } from './reply.ts';
import type { Request } from './request.ts';
import type { RequestMonitor } from './request-monitor.ts';
import type { Step } from './step.ts';

const noSteps: readonly Step[] = [];

export type ReplyHeaders = { [name: string]: HeaderValue };
/** An id as it was created. A number is converted to the default text when it is first read. */
export type RequestId = string | number;
export type Params = Record<string, string | undefined>;

/** One request and the place for its one response, whatever wire they came on. */
export abstract class Exchange {
  // ---- the request, from the wire

  abstract get method(): string;
  /** Path and query string to route by; `rewriteUrl` may set another. */
  abstract url: string;
  /** The URL as it was received. */
  abstract originalUrl: string;
  abstract get requestHeaders(): IncomingHttpHeaders;
  /** One of the request's headers, in lower case. A wire that has not made the object of all headers need not make it for this. */
  requestHeader(name: string): IncomingHttpHeaders[string] {
    return this.requestHeaders[name];
  }

  /** Whether the connection is encrypted; `undefined` where there is none. */
  abstract get isEncrypted(): boolean | undefined;
  /** Whether the request brings a body; `undefined` where only reading it tells. */
  abstract get hasBody(): boolean | undefined;
  /** Reads the whole body, once, as long as no more than `limitBytes` come. */
  abstract readBody(limitBytes: number, settle: BytesCollected): void;
  /** The body as a stream, for hooks and parsers that read it themselves; the same one at each call. */
  abstract streamBody(): BodyStream;
  /** The client went away: nobody is there to answer. */
  abstract get isClientGone(): boolean;

  /** The version of HTTP; `undefined` where the wire does not tell it. */
  abstract get httpVersion(): string | undefined;

  // ---- the response, onto the wire

  abstract get status(): number;
  abstract set status(status: number);
  abstract get isHeadWritten(): boolean;
  abstract get isEnded(): boolean;
  abstract get isDestroyed(): boolean;
  /**
   * Writes a whole response. A wire that can send head and payload at once does so.
   *
   * @param lengthBytes Of a text that was measured: it need not be looked through again.
   * @throws for a status or a field that cannot be sent; nothing is written then.
   */
  respond(status: number, fields: ReplyHeaders, payload?: string | Uint8Array, lengthBytes?: number): void {
    this.writeHead(status, fields);
    this.end(payload, lengthBytes);
  }

  /** Has a head leave with the first chunk. Until then `writeHead` may write another one in its place. */
  abstract prepareHead(fields: ReplyHeaders): void;
  /** @throws for a status or a field that cannot be sent; nothing is written then. */
  abstract writeHead(status: number, fields: ReplyHeaders): void;
  /** False when the writer should wait until the wire is drained. */
  abstract write(chunk: string | Uint8Array): boolean;
  /** @param lengthBytes As for `respond`. */
  abstract end(payload?: string | Uint8Array, lengthBytes?: number): void;
  /** Ends request and response, whatever state they are in. */
  abstract destroy(error?: Error): void;
  /** Each time that the wire takes more after a `write` that returned false. */
  abstract onDrained(listener: () => void): void;
  /** Once the response has been handed to the system, or failed. */
  abstract onceFinished(listener: (error?: Error) => void): void;
  /**
   * Once nothing more can happen to the response. The error says why it is not whole; its code is `ERR_STREAM_PREMATURE_CLOSE` where the
   * client left.
   */
  abstract onceClosed(listener: (error?: Error | null) => void): void;
  /**
   * Once, when the response is over: without an error when it has been handed to the system as a whole; with one when the client left
   * before that, or the connection was cut off.
   */
  abstract onceOver(listener: (error?: Error) => void): void;
  /** Once, when the client leaves before its response has ended. Returns a function that stops listening. */
  abstract onClientGone(listener: () => void): () => void;

  // ---- what not every wire has

  get peerAddress(): string | undefined {
    return undefined;
  }

  /** A field that was set directly on `reply.raw`, and not with the reply. It is sent with the head too. */
  getHeader(_name: string): HeaderValue {
    return undefined;
  }

  getHeaders(): ReplyHeaders {
    return {};
  }

  hasHeader(_name: string): boolean {
    return false;
  }

  removeHeader(_name: string): void {}

  /** The host that the wire itself names, where it needs no Host field (HTTP/2: RFC 9113, 8.3.1). */
  get authority(): string | undefined {
    return undefined;
  }

  /** Has the connection end with this response, where it could carry another request. */
  closeAfterResponse(): void {}

  /** Adds to the fields of a head what announces trailers on this wire. */
  announceTrailers(_fields: ReplyHeaders, _names: readonly string[]): void {}

  addTrailers(_trailers: Record<string, string>): void {}

  writeEarlyHints(_hints: Record<string, string | string[]>, callback?: () => void): void {
    callback?.();
  }

  /** When the connection was silent for too long. Returns a function that stops listening. */
  onSocketTimeout(_listener: () => void): () => void {
    return () => {};
  }

  // ---- node's own objects, for plugins that ask for them; a transport may make them at that moment

  /** What `request.raw` and `reply.raw` hand out; a plugin may put others in their place. A transport may have none of node's. */
  abstract rawRequest: IncomingMessage;
  abstract rawResponse: ServerResponse | undefined;
  /** What a stream with a `pipe` of its own writes to; `undefined` where `write` must do. */
  get pipeTarget(): ServerResponse | undefined {
    return this.rawResponse;
  }

  /** What `request.socket` hands out. */
  get rawSocket(): Socket | undefined {
    return undefined;
  }

  // ---- the run: written by the runtime, read by nobody else

  plan!: Plan;
  id: RequestId = 0;
  request!: Request;
  reply!: Reply;
  replyHeaders: ReplyHeaders = {};
  hasStatus = false;
  serialize: ((payload: never) => string | Buffer) | undefined = undefined;
  trailers: { [name: string]: TrailerFunction<Reply> | undefined } | undefined = undefined;
  /** What `preParsing` hooks have made of the body; `undefined` where it is read from the wire. */
  bodyStream: BodyStream | undefined = undefined;
  mediaType: MediaType | undefined = undefined;
  /** The request's headers with what was assigned to `request.headers` laid over them. */
  addedHeaders: IncomingHttpHeaders | undefined = undefined;
  replyState: ReplyState = 'open';
  /**
   * Counts the attempts at the one response: each `send`, failure and hijack is one. Work that was begun under an earlier
   * epoch sees that the number moved on, and stops.
   */
  responseEpoch = 0;
  /** The path that the exchange is on, and the index of the step that follows in it. */
  steps: readonly Step[] = noSteps;
  nextStep = 0;
  /** What the path of the reply carries from step to step. */
  payload: unknown = undefined;
  /** The error that the path of failure handles. */
  error: unknown = undefined;
  /** Where in `plan.steps.failure` the next failure goes on; 0 before the first. */
  nextFailureStep = 0;
  /** Clocks, timers and listeners, where the plan or the handler asked for some. */
  monitor: RequestMonitor | undefined = undefined;

  get log(): Logger {
    return this.reply.log;
  }

  get headers(): IncomingHttpHeaders {
    return this.addedHeaders ?? this.requestHeaders;
  }

  /** One of `headers`. */
  header(name: string): IncomingHttpHeaders[string] {
    return this.addedHeaders === undefined ? this.requestHeader(name) : this.addedHeaders[name];
  }
}

/**
 * Who may reply. `open`: there is no reply yet, or an error handler may still reply. `replying`: a payload is being
 * sent. `preparing`: its hooks run, and may send another payload. `reporting`: `onError` hooks run, and must not reply.
 * `hijacked`: the application replies on `raw`.
 */
export type ReplyState = 'open' | 'replying' | 'preparing' | 'reporting' | 'hijacked';
