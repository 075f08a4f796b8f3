/**
 * The waist of the framework. Transports make exchanges and know nothing of routes; the runtime runs an exchange through
 * its plan and knows nothing of `node:http`. Exchange and plan name each other, so they are declared together.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { MediaType } from '../shared/media-type.ts';
import type { BodyStream } from './body.ts';
import type {
  HttpPart,
  SchemaErrorFormatter,
  SerializerCompiler,
  SerializerFunction,
  ValidatorCompiler,
  ValidatorFunction,
} from './compiler.ts';
import type {
  AbortHook,
  Context,
  ErrorHandler,
  ErrorHook,
  Handler,
  PayloadHook,
  PreParsingHook,
  Reply,
  Request,
  RequestHook,
  RouteInfo,
} from './context.ts';
import type { WordError } from './conventions.ts';
import type { LogWriter } from './log-writer.ts';
import type { Logger } from './logger.ts';
import type { HeaderValue, TrailerFunction } from './reply.ts';

export type ReplyHeaders = { [name: string]: HeaderValue };
/** An id as it was made: a number stands for the default text until somebody reads it. */
export type RequestId = string | number;
export type Params = Record<string, string | undefined>;

/** One request and the place for its one response, whatever wire they came on. */
export abstract class Exchange {
  // ---- the wire: what a transport implements

  /** Node's own objects, handed out as `request.raw` and `reply.raw`; a plugin may put others in their place. */
  abstract rawRequest: IncomingMessage;
  abstract rawResponse: ServerResponse;
  abstract get method(): string;
  abstract get url(): string;
  abstract get requestHeaders(): IncomingHttpHeaders;
  abstract get socket(): Socket;
  /** The body as it arrives. */
  abstract get requestStream(): Readable;
  /** How much of the body has come; `unknown` where only the end of `requestStream` tells. */
  abstract get bodyArrival(): 'unknown' | 'underway' | 'complete';
  abstract get responseStream(): Writable;
  /** True for HTTP/2, which has neither `connection` nor `transfer-encoding` (RFC 9113, 8.2.2). */
  abstract get isHttp2(): boolean;
  /** The client went away before its request was complete. */
  abstract get isAborted(): boolean;
  abstract get status(): number;
  abstract set status(status: number);
  abstract get isHeadWritten(): boolean;
  abstract get isEnded(): boolean;
  abstract get isDestroyed(): boolean;
  abstract getHeader(name: string): OutgoingHttpHeader | undefined;
  abstract getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
  abstract hasHeader(name: string): boolean;
  abstract setHeader(name: string, value: HeaderValue): void;
  abstract removeHeader(name: string): void;
  abstract writeHead(status: number, headers?: ReplyHeaders): void;
  /** False when the writer should wait for `onceDrained`. */
  abstract write(chunk: string | Uint8Array): boolean;
  /** @param lengthBytes Of a text that was measured: it need not be looked through again. */
  abstract end(payload?: string | Uint8Array, lengthBytes?: number): void;
  abstract addTrailers(trailers: Record<string, string>): void;
  abstract writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void;
  abstract destroy(error?: Error): void;
  abstract onceDrained(listener: () => void): void;
  /** Once the response has been handed to the system, or failed. */
  abstract onceFinished(listener: (error?: Error) => void): void;
  /** Once, when the client leaves before its response has ended. Returns a function that stops listening. */
  abstract onClientGone(listener: () => void): () => void;
  /** When the socket times out. Returns a function that stops listening. */
  abstract onSocketTimeout(listener: () => void): () => void;

  // ---- the run: written by the runtime, read by nobody else

  plan!: Plan;
  id: RequestId = 0;
  request!: Request;
  reply!: Reply;
  replyHeaders: ReplyHeaders = {};
  hasStatus = false;
  serialize: ((payload: never) => string | Buffer) | undefined = undefined;
  trailers: { [name: string]: TrailerFunction<Reply> | undefined } | undefined = undefined;
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
  /** Index into `plan.errorHandlers` of the handler that had its turn last; -1 before any. */
  errorDepth = -1;
  /** Clocks, timers and listeners, where the plan or the handler asked for some. */
  monitor: RequestMonitor | undefined = undefined;

  get log(): Logger {
    return this.reply.log;
  }

  get headers(): IncomingHttpHeaders {
    return this.addedHeaders ?? this.requestHeaders;
  }
}

/**
 * Where a request and a reply keep their exchange. A symbol, since names are free for decorators and for plugins that assign
 * properties; not a private field, since those are not found through a proxy or an object that inherits from a request.
 */
export const exchangeKey: unique symbol = Symbol('exchange');

/** What requests and replies are to the runtime. */
export interface ExchangeHolder {
  [exchangeKey]: Exchange;
}

/** The exchange behind a request or a reply that came back from the application. */
export function exchangeOf(holder: object): Exchange {
  return (holder as ExchangeHolder)[exchangeKey];
}

/**
 * Who has the floor. `open`: nobody has replied, or an error handler may. `replying`: a payload is on its way.
 * `preparing`: its hooks run, and may send another payload in its place. `reporting`: `onError` hooks run, which may look, not answer. `hijacked`: the application answers by itself.
 */
export type ReplyState = 'open' | 'replying' | 'preparing' | 'reporting' | 'hijacked';

/** What watches over one exchange. */
export interface RequestMonitor {
  startedAtMs: number;
  endedAtMs: number;
  aborter: AbortController | undefined;
  /** Undoes timers and listeners once the response has ended. */
  release: (() => void) | undefined;
}

/** A parser of bodies, as the table of a context finds it. */
export interface BodyParser {
  readonly collectAs: 'string' | 'buffer' | undefined;
  /** Largest body in bytes where the route sets no limit. */
  readonly limitBytes: number;
  readonly parse: (
    request: Request,
    body: never,
    done: (error?: Error | null, body?: unknown) => void,
  ) => PromiseLike<unknown> | unknown;
  /** Parses on the spot, or throws; only parsers of our own do. */
  readonly read: ((text: string) => unknown) | undefined;
}

/** The serializers of a route's response schemas (specification 6.2). */
export interface ResponseSerializers {
  /** The serializer for a status and a Content-Type, which is that of JSON by default; `undefined` where no schema applies. */
  pick(status: number, contentType: string | undefined): SerializerFunction | undefined;
  /** The serializer stored under exactly this key. */
  get(key: string | number, mediaType?: string): SerializerFunction | undefined;
}

/** The validators of a route, one a part; a body may have one a media type. */
export interface PartValidators {
  /** The parts that have a schema, in the order in which they are validated. */
  readonly parts: readonly HttpPart[];
  readonly params: ValidatorFunction | undefined;
  readonly body: ValidatorFunction | undefined;
  readonly bodyByType: ReadonlyMap<string, ValidatorFunction> | undefined;
  readonly querystring: ValidatorFunction | undefined;
  readonly headers: ValidatorFunction | undefined;
}

/** The frozen compilation of a route: all that a request needs. */
export interface Plan {
  readonly context: Context;
  readonly info: RouteInfo;
  readonly isNotFound: boolean;
  readonly handler: (request: Request, reply: Reply) => unknown;
  readonly Request: new (
    exchange: Exchange,
    id: RequestId,
    params: Params | undefined,
    query: unknown,
    log: Logger,
  ) => Request;
  readonly Reply: new (exchange: Exchange, request: Request, log: Logger) => Reply;

  readonly onRequest: readonly RequestHook[];
  readonly preParsing: readonly PreParsingHook[];
  readonly preValidation: readonly RequestHook[];
  readonly preHandler: readonly RequestHook[];
  readonly preSerialization: readonly PayloadHook[];
  readonly onSend: readonly PayloadHook[];
  readonly onResponse: readonly RequestHook[];
  readonly onError: readonly ErrorHook[];
  readonly onTimeout: readonly RequestHook[];
  readonly onRequestAbort: readonly AbortHook[];

  /** Finds the parser for a canonical media type; `undefined` when nobody takes it. */
  readonly findParser: (mediaType: MediaType) => BodyParser | undefined;
  /** Methods whose body is read. */
  readonly bodyMethods: ReadonlySet<string>;
  /** Largest body in bytes; `undefined` leaves it to the parser. */
  readonly bodyLimitBytes: number | undefined;
  /** The media types that the body schema covers; `undefined` when every parsed body is taken. */
  readonly acceptedTypes: readonly string[] | undefined;
  readonly validators: PartValidators | undefined;
  readonly attachValidation: boolean;
  readonly formatProblems: SchemaErrorFormatter;
  /** What `error.validationContext` calls each part. */
  readonly partNames: Readonly<Record<HttpPart, string>>;
  readonly compileValidator: ValidatorCompiler;

  readonly serializers: ResponseSerializers | undefined;
  readonly replySerializer: ((payload: never, status: number) => string) | undefined;
  readonly compileSerializer: SerializerCompiler;

  /** From the innermost handler to the default one. */
  readonly errorHandlers: readonly BoundErrorHandler[];
  /** What `callNotFound` runs; `undefined` inside a not-found handler. */
  readonly notFound: Plan | undefined;
  readonly handlerTimeoutMs: number;
  /** Whether somebody wants to know when the response has ended. */
  readonly tracksCompletion: boolean;
  readonly makeRequestId: (rawRequest: IncomingMessage) => RequestId;
  /** Makes the logger of one request; `undefined` where nothing is logged. */
  readonly makeLogger: ((rawRequest: IncomingMessage, id: string) => Logger) | undefined;
  readonly log: Logger;
  readonly logLines: LogWriter;
  /** Whether anybody would see a line about a request that came in. */
  readonly logsIncoming: boolean;
  /** State of the whole application that requests look at. */
  readonly server: ServerState;
}

export type BoundErrorHandler = (error: never, request: Request, reply: Reply) => unknown;
export type { ErrorHandler, Handler };

/** Is told of requests that wait for a handler to reply, or for a hook to call `done`. */
export interface UnansweredWatch {
  /** @param claim The exchange's claim before the handler, or the phase of the hook, began. */
  add(x: Exchange, claim: number, hook?: WaitingHook): void;
}

/** A hook that may be waited for: until the phase is at another one. */
export interface WaitingHook {
  readonly phase: { readonly hooks: readonly object[]; readonly at: number };
  readonly at: number;
}

/** What a running server can be asked while it serves. */
export interface ServerState {
  isClosing: boolean;
  /** Notices requests that hang; `undefined` in production. */
  readonly unanswered: UnansweredWatch | undefined;
  /** Words errors of the catalogue as the application does. */
  readonly wordError: WordError;
  readonly return503OnClosing: boolean;
  /** Derives `ip`, `host` and `protocol` behind trusted proxies; `undefined` when none is trusted. */
  readonly isTrustedProxy: ((address: string, hop: number) => boolean) | undefined;
  readonly hasVersionConstraint: () => boolean;
}
