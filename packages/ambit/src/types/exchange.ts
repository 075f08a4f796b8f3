/** The interface between transports, which know nothing of routes, and the runtime, which knows nothing of `node:http`. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { firstFieldText, type MediaType } from '../shared/media-type.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import type { AdmissionTicket } from './feature-options.ts';
import type { RequestTrace } from './inspection.ts';
import type { Logger } from './logger.ts';
import type { Plan, Step } from './plan.ts';
import type { HeaderValue, Reply, TrailerFunction } from './reply.ts';
import type { BodyStream, Request } from './request.ts';

const noSteps: readonly Step[] = [];

export type ReplyHeaders = { [name: string]: HeaderValue };
/** An id as it was created. A number is converted to the default text when it is first read. */
export type RequestId = string | number;
export type Params = Record<string, string | undefined>;

/** One request and the place for its one response, whatever their wire is: a connection, `inject`, or a call of `fetch`. */
export abstract class Exchange {
  // ---- the request, from the wire

  abstract get method(): string;
  /** Path and query string that the router uses; `rewriteUrl` may change them. */
  abstract url: string;
  /** The URL as it was received. */
  abstract originalUrl: string;
  abstract get requestHeaders(): IncomingHttpHeaders;
  /** One header of the request; the name is in lower case. A transport may do so without the object of all headers. */
  requestHeader(name: string): IncomingHttpHeaders[string] {
    return this.requestHeaders[name];
  }

  /** Whether the connection is encrypted; `undefined` if there is none. */
  abstract get isEncrypted(): boolean | undefined;
  /** Whether the request has a body; `undefined` if that is only known after reading. */
  abstract get hasBody(): boolean | undefined;
  /** Reads the whole body, once. It fails if the body is longer than `limitBytes`. */
  abstract readBody(limitBytes: number, settle: BytesCollected): void;
  /** The body as a stream, for hooks and parsers that read it themselves; the same one at each call. */
  abstract streamBody(): BodyStream;
  /** The client left, so nobody receives a response. */
  abstract get isClientGone(): boolean;

  /** The version of HTTP; `undefined` if the wire does not provide it. */
  get httpVersion(): string | undefined {
    return undefined;
  }

  // ---- the response, onto the wire

  abstract get status(): number;
  abstract set status(status: number);
  abstract get isHeadWritten(): boolean;
  abstract get isEnded(): boolean;
  abstract get isDestroyed(): boolean;
  /** Writes a complete response, or throws and writes nothing. @param _lengthBytes The length of a text that was already measured. */
  respond(status: number, fields: ReplyHeaders, payload?: string | Uint8Array, _lengthBytes?: number): void {
    this.writeHead(status, fields);
    this.end(payload);
  }

  /** Sets the head that is sent together with the first chunk. Until then, `writeHead` may write another one instead. */
  abstract prepareHead(fields: ReplyHeaders): void;
  /** @throws If the status or a field cannot be sent. Nothing is written then. */
  abstract writeHead(status: number, fields: ReplyHeaders): void;
  /** Returns `false` if the writer should wait until the wire is drained. */
  abstract write(chunk: string | Uint8Array): boolean;
  abstract end(payload?: string | Uint8Array): void;
  /** Ends request and response, whatever state they are in. */
  abstract destroy(error?: Error): void;
  /** Calls the listener each time that more can be written, after a `write` that returned `false`. */
  abstract onDrained(listener: () => void): void;
  /** Calls the listener once, when the response has been handed to the operating system, or has failed. */
  abstract onceFinished(listener: (error?: Error) => void): void;
  /** Calls the listener once, when nothing more can happen to the response, with an error if it is incomplete. */
  abstract onceClosed(listener: (error?: Error | null) => void): void;
  /** Calls the listener once, when the response was handed to the system, or with an error when it cannot be completed any more. */
  onceSettled(listener: (error?: Error) => void): void {
    this.onceClosed((error) => listener(error ?? undefined));
  }

  /** Calls the listener once, when the client leaves before its response has ended. Returns a function that removes the listener. */
  abstract onClientGone(listener: () => void): () => void;

  // ---- members that only some wires have

  /** Called before the response if code reads the request after it: the headers and the address, which not every wire has then. */
  cacheRequestHead(): void {}

  get peerAddress(): string | undefined {
    return undefined;
  }

  /** The host from the wire itself, if no Host field is needed (HTTP/2: RFC 9113, 8.3.1). */
  get authority(): string | undefined {
    return undefined;
  }

  /** Makes the connection end with this response, if it could carry another request. */
  closeAfterResponse(): void {}

  /** Adds the fields to a head that announce trailers on this wire. */
  announceTrailers(_fields: ReplyHeaders, _names: readonly string[]): void {}

  addTrailers(_trailers: Record<string, string>): void {}

  writeEarlyHints(_hints: Record<string, string | string[]>, callback?: () => void): void {
    callback?.();
  }

  /** Takes the WebSocket of a `Response` with status 101, if the runtime has one; sent with the head. @returns Whether there is one. */
  takeWebSocket(_response: Response): boolean {
    return false;
  }

  /** Makes the runtime wait for work that may continue after the response. `undefined` on runtimes that do not end such work. */
  waitUntil: ((work: PromiseLike<unknown>) => void) | undefined = undefined;

  /** Calls the listener when the socket times out (`connectionTimeout`). Returns a function that removes the listener. */
  onSocketTimeout(_listener: () => void): () => void {
    return () => {};
  }

  // ---- node's own objects, for plugins that read them; a transport may create them when they are first read

  /** `request.raw` and `reply.raw`; a plugin may replace them. They are not node's objects on every transport. */
  abstract rawRequest: IncomingMessage;
  abstract rawResponse: ServerResponse | undefined;
  /** The response to which a stream with its own `pipe` writes; `undefined` if `write` must be used. */
  get pipeTarget(): ServerResponse | undefined {
    return this.rawResponse;
  }

  /** `rawResponse`, if it was created. */
  createdResponse: ServerResponse | undefined = undefined;

  // Fields that were set on `reply.raw` instead of the reply. They are sent with the head, too.

  getRawField(name: string): HeaderValue {
    return this.createdResponse?.getHeader(name);
  }

  get rawFields(): ReplyHeaders {
    return this.createdResponse?.getHeaders() ?? {};
  }

  hasRawField(name: string): boolean {
    return this.createdResponse?.hasHeader(name) ?? false;
  }

  removeRawField(name: string): void {
    const response = this.createdResponse;
    if (response !== undefined && !response.headersSent) response.removeHeader(name);
  }

  /** `request.socket`. */
  get rawSocket(): Socket | undefined {
    return undefined;
  }

  // ---- the state of the run, which only the runtime reads and writes

  plan!: Plan;
  id: RequestId = 0;
  request!: Request;
  reply!: Reply;
  replyHeaders: ReplyHeaders = {};
  hasStatus = false;
  serialize: ((payload: never) => string | Buffer) | undefined = undefined;
  trailers: { [name: string]: TrailerFunction<Reply> | undefined } | undefined = undefined;
  /** The stream that a `preParsing` hook returned; `undefined` if the body is read from the wire. */
  bodyStream: BodyStream | undefined = undefined;
  mediaType: MediaType | undefined = undefined;
  /** The headers in place of the received ones: with those that were assigned to `request.headers`, or the `value` of a validator. */
  ownHeaders: IncomingHttpHeaders | undefined = undefined;
  replyState: ReplyState = 'open';
  /** Counts the attempts to respond: each `send`, failure and hijack. Work of an earlier epoch sees the change, and stops. */
  responseEpoch = 0;
  /** The path that the exchange runs, and the index of its next step. */
  steps: readonly Step[] = noSteps;
  nextStep = 0;
  /** The payload, which the steps of the path `reply` pass on. */
  payload: unknown = undefined;
  /** The error that the path `failure` handles. */
  error: unknown = undefined;
  /** The index in `plan.steps.failure` at which the next failure continues; 0 before the first one. */
  nextFailureStep = 0;
  /** Clocks, timers and listeners, if the plan or the handler needs some. */
  monitor: RequestMonitor | undefined = undefined;

  get log(): Logger {
    return this.reply.log;
  }

  get headers(): IncomingHttpHeaders {
    return this.ownHeaders ?? this.requestHeaders;
  }

  /** Returns one of `headers`; if the `value` of a validator has none, the received one. */
  header(name: string): IncomingHttpHeaders[string] {
    return this.ownHeaders?.[name] ?? this.requestHeader(name);
  }
}

/**
 * Whether a reply may be sent. `open`: there is no reply yet, or an error handler may still reply. `replying`: a payload is being
 * sent. `preparing`: its hooks run, and may send another payload. `reporting`: `onError` hooks run, and must not reply.
 * `hijacked`: the application replies on `raw`.
 */
export type ReplyState = 'open' | 'replying' | 'preparing' | 'reporting' | 'hijacked';

/**
 * The property in which a request or a reply holds its exchange. It is a symbol because every name is left to decorators and to plugins
 * that assign properties. It is not a private field because a proxy, or an object that inherits from a request, has no access to private
 * fields.
 */
export const exchangeKey: unique symbol = Symbol('exchange');

/** An object that holds its exchange: a request or a reply for the runtime, a response of node for a transport. */
export interface ExchangeHolder {
  [exchangeKey]: Exchange;
}

/** Returns the exchange of a request or a reply that the application passes to the framework. */
export function exchangeOf(holder: object): Exchange {
  return (holder as ExchangeHolder)[exchangeKey];
}

/** Returns a field of the reply, which may have been set on `reply.raw`. */
export function replyField(x: Exchange, name: string): HeaderValue {
  return x.replyHeaders[name] ?? x.getRawField(name);
}

/** Returns the Content-Type of the reply as text. Only the first value of an array counts, because a response has one type (RFC 9110, 8.3). */
export function contentTypeOf(x: Exchange): string | undefined {
  return firstFieldText(x.replyHeaders['content-type'] ?? x.getRawField('content-type'));
}

/** A request that is published on diagnostics channels. */
interface PublishedTrace extends RequestTrace {
  /** Publishes an error that the request has failed with. */
  fail(error: unknown): void;
  /** Fails the request with the error of a `preHandler` hook, and publishes it as an error of the handler. */
  failPreHandler(error: unknown): void;
}

/** The clocks, timers and listeners of one exchange. */
export interface RequestMonitor {
  startedAtMs: number;
  endedAtMs: number;
  /** When the time limit ends, on the clock of `performance.now()`; `Infinity` without a limit. */
  deadlineMs: number;
  /** Why the signal aborted. It is set even if nothing has read the signal. */
  abortReason: Error | undefined;
  /** Created when the signal is first read. */
  aborter: AbortController | undefined;
  /** What is published about the request; `undefined` while nobody has subscribed. */
  trace: PublishedTrace | undefined;
  /** Set if the request counts for overload protection. */
  ticket: AdmissionTicket | undefined;
  /** Undoes timers and listeners once the response has ended. */
  release: (() => void) | undefined;
}
