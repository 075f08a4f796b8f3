/** An exchange that uses only web standards: it gets a `Request`, and creates a `Response` (https://fetch.spec.whatwg.org). */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { bun, deno } from '../shared/js-runtime.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { Exchange, type ReplyHeaders } from '../types/exchange.ts';
import { warnEarlyHintsLeftOut, warnTrailersLeftOut } from '../types/warnings.ts';
import { FetchRawResponse } from './fetch-raw.ts';
import {
  addressFrom,
  announcesBody,
  cannotHaveBody,
  clientGone,
  FetchRequestBody,
  headerOf,
  headersOf,
  pathOf,
} from './fetch-request.ts';
import {
  hasNoContent,
  makeResponseHeaders,
  makeTextResponse,
  type ResponseBody,
  wholeBody,
  withLength,
} from './fetch-response.ts';
import type { UnconnectedExchanges } from './unconnected-requests.ts';

/**
 * Without it, workerd would compress a payload with a `content-encoding` again
 * (https://developers.cloudflare.com/workers/runtime-apis/response).
 */
const encodeBody = 'manual';

/** The plans of routes for which a warning was emitted: that trailers are left out, or early hints. */
const warnedOfTrailers = new WeakSet<object>();
const warnedOfHints = new WeakSet<object>();

/** How many bytes may wait for the client: as many as in node's streams. */
const waitingBytes = 65_536;

/** The promise of a caller that waits for the response. */
interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

// HOT: once per request. What not every request needs is created when it is first used.
export class FetchExchange extends Exchange {
  override readonly method: string;
  override url: string;
  override originalUrl: string;
  override isClientGone = false;
  override status = 200;
  override isHeadWritten = false;
  override isEnded = false;
  override isDestroyed = false;
  readonly #request: Request;
  readonly #context: unknown;
  readonly #ownsConnection: boolean;
  readonly #running: UnconnectedExchanges;
  #requestHeaders: IncomingHttpHeaders | undefined = undefined;
  #peerAddress: string | undefined = undefined;
  #requestBody: FetchRequestBody | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;
  #response: Response | undefined = undefined;
  #failure: unknown = undefined;
  #waiting: Waiting | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;
  #closesConnection = false;
  #headers: Headers | undefined = undefined;
  /** The content of a response that is sent in pieces. */
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined = undefined;
  #webSocket: object | undefined = undefined;
  /** `drained`, `ended`, `closed` and `clientGone`; created for the first listener. */
  #createdEvents: EventEmitter | undefined = undefined;

  /**
   * @param context What the runtime passes as the second argument, after the request.
   * @param running The list that contains the exchange until it has ended.
   * @param ownsConnection Whether the request came to a server of the application: a response can then end its connection.
   */
  constructor(request: Request, context: unknown, running: UnconnectedExchanges, ownsConnection = false) {
    super();
    this.#request = request;
    this.#context = context;
    this.#ownsConnection = ownsConnection;
    this.#running = running;
    this.method = request.method;
    const path = pathOf(request.url);
    this.url = path;
    this.originalUrl = path;
    running.add(this);
  }

  /** The response if there is one already, or else a promise of it. If the exchange is destroyed, the promise rejects with that error. */
  get answer(): Response | Promise<Response> {
    if (this.#response !== undefined) return this.#response;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.isDestroyed) this.#endWithoutResponse();
    });
  }

  /** Runs the exchange, and has it end when the client leaves. */
  run(dispatch: (x: FetchExchange) => void): void {
    if (this.#request.signal.aborted) this.leave();
    if (!this.isDestroyed) dispatch(this);
    if (!this.isEnded && !this.isDestroyed) this.watchClient();
  }

  watchClient(): void {
    if (this.#onAbort !== undefined) return;
    this.#onAbort = () => this.leave();
    const { signal } = this.#request;
    if (signal.aborted) this.leave();
    else signal.addEventListener('abort', this.#onAbort);
  }

  // ---- the request

  /** The request and the runtime's second argument, if it came to a server of the application, and has arrived completely. */
  get completeRequest(): { readonly request: Request; readonly context: unknown } | undefined {
    const isComplete = this.#requestBody?.isComplete === true || this.hasBody === false;
    return this.#ownsConnection && isComplete
      ? { request: this.#request, context: this.#context }
      : undefined;
  }

  override get requestHeaders(): IncomingHttpHeaders {
    this.#requestHeaders ??= headersOf(this.#request);
    return this.#requestHeaders;
  }

  override cacheRequestHead(): void {
    this.#requestHeaders ??= headersOf(this.#request);
    this.#peerAddress ??= addressFrom(this.#context, this.#request);
  }

  override requestHeader(name: string): IncomingHttpHeaders[string] {
    if (this.#requestHeaders !== undefined || name === 'host') return this.requestHeaders[name];
    return headerOf(this.#request, name);
  }

  override get isEncrypted(): boolean {
    return this.#request.url.startsWith('https:');
  }

  override get peerAddress(): string | undefined {
    return this.#peerAddress ?? addressFrom(this.#context, this.#request);
  }

  override get hasBody(): boolean | undefined {
    if (cannotHaveBody(this.method)) return false;
    const webRequest = this.#request;
    const length = this.requestHeader('content-length');
    // A request that code has created may declare a length and have no body. A request that came over the network has the body.
    if (length !== undefined) return length !== '0' && (this.#ownsConnection || webRequest.body !== null);
    // Read last, because that creates a stream.
    if (webRequest.body === null) return false;
    return deno === undefined || this.#context === undefined || announcesBody(webRequest.headers);
  }

  override get rawRequest(): IncomingMessage {
    return this.#rawRequest ?? (this.streamBody() as IncomingMessage);
  }

  override set rawRequest(raw: IncomingMessage) {
    this.#rawRequest = raw;
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    this.#body.read(limitBytes, settle);
  }

  override streamBody(): Readable {
    return this.#body.stream();
  }

  get #body(): FetchRequestBody {
    this.#requestBody ??= new FetchRequestBody(this, this.#request);
    return this.#requestBody;
  }

  /**
   * Called when reading the body has failed. A body from the network fails when its client leaves, and some runtimes show it in no other
   * way. A `TypeError` is a mistake of the caller, which has read the body before.
   *
   * @returns The error for the code that reads the body.
   */
  toBodyError(error: unknown): unknown {
    if (this.#isFromServer && !(error instanceof TypeError)) this.leave();
    return this.isClientGone ? clientGone() : error;
  }

  // ---- the response

  override get rawResponse(): ServerResponse {
    this.createdResponse ??= new FetchRawResponse(this) as unknown as ServerResponse;
    return this.createdResponse;
  }

  override set rawResponse(raw: ServerResponse) {
    this.createdResponse = raw;
  }

  override get pipeTarget(): undefined {
    return undefined;
  }

  override prepareHead(fields: ReplyHeaders): void {
    const all = this.createdResponse === undefined ? fields : { ...this.rawFields, ...fields };
    const headers = makeResponseHeaders(this.status, all, this.#webSocket !== undefined);
    if (this.#closesConnection) headers.set('connection', 'close');
    this.#headers = headers;
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const previousStatus = this.status;
    this.status = status;
    try {
      this.prepareHead(fields);
    } catch (error) {
      this.status = previousStatus;
      throw error;
    }
    this.isHeadWritten = true;
  }

  override write(chunk: string | Uint8Array): boolean {
    if (this.isEnded || this.isDestroyed) return true;
    this.isHeadWritten = true;
    if (hasNoContent(this.method, this.status)) return true;
    const stream = this.#stream ?? this.#openStream();
    stream.enqueue(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return stream.desiredSize! > 0;
  }

  override respond(status: number, fields: ReplyHeaders, payload?: string | Uint8Array): void {
    const response = this.#canBePlain(status, fields, payload)
      ? makeTextResponse(payload as string, status, fields, this.#ownsConnection)
      : undefined;
    if (response === undefined) {
      super.respond(status, fields, payload);
      return;
    }
    this.#answer(response);
    this.status = status;
    this.#settle();
  }

  /** A `Response` of a string is the fastest one. It must have a content type, because a string would otherwise add one. */
  #canBePlain(status: number, fields: ReplyHeaders, payload: string | Uint8Array | undefined): boolean {
    return (
      typeof payload === 'string' &&
      payload !== '' &&
      typeof fields['content-type'] === 'string' &&
      fields['content-encoding'] === undefined &&
      !hasNoContent(this.method, status) &&
      !this.#closesConnection &&
      // Fields could be set on it.
      this.createdResponse === undefined &&
      this.#stream === undefined &&
      !this.isEnded &&
      !this.isDestroyed
    );
  }

  override end(payload?: string | Uint8Array): void {
    if (this.isEnded || this.isDestroyed) return;
    if (this.#stream === undefined) {
      this.#answerWith(wholeBody(this.method, this.status, this.#headers, payload));
    } else {
      if (payload !== undefined) this.write(payload);
      this.#stream.close();
    }
    this.#settle();
  }

  #settle(): void {
    this.isHeadWritten = true;
    this.isEnded = true;
    this.#release();
    if (this.#createdEvents !== undefined) this.#emitEnded();
  }

  #answer(response: Response): void {
    this.#response = response;
    this.#waiting?.resolve(response);
  }

  #answerWith(body: ResponseBody | null): void {
    const init: Record<string, unknown> = { status: this.status, headers: this.#headers, encodeBody };
    if (this.#webSocket !== undefined) init.webSocket = this.#webSocket;
    this.#answer(new Response(body, init as ResponseInit));
  }

  /** The runtime pulls what it can send, and cancels the content if nobody reads it, because the client has left. */
  #openStream(): ReadableStreamDefaultController<Uint8Array> {
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#stream = controller;
      },
      pull: () => void this.#createdEvents?.emit('drained'),
      cancel: () => this.leave(),
    };
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes });
    this.#answerWith(withLength(new ReadableStream(source, strategy), this.#headers));
    return this.#stream!;
  }

  /** A `Response` has no trailers, so the reply has none either, and its length may be sent. */
  override announceTrailers(_fields: ReplyHeaders, names: readonly string[]): void {
    this.trailers = undefined;
    this.#warnOnce(warnedOfTrailers, (route) => warnTrailersLeftOut(route, names.join(', ')));
  }

  /** The server of the runtime sends no responses before the final one. */
  override writeEarlyHints(_hints: unknown, callback?: () => void): void {
    this.#warnOnce(warnedOfHints, warnEarlyHintsLeftOut);
    callback?.();
  }

  #warnOnce(warned: WeakSet<object>, warn: (route: string) => void): void {
    if (warned.has(this.plan)) return;
    warned.add(this.plan);
    warn(`${this.method} ${this.plan.info.url ?? this.url}`);
  }

  override takeWebSocket({ webSocket }: Response & { readonly webSocket?: object | null }): boolean {
    this.#webSocket = webSocket ?? undefined;
    return this.#webSocket !== undefined;
  }

  override destroy(error: unknown = new Error('The exchange was destroyed')): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isDestroyed = true;
    // A server has ended the stream of a client that has left. Deno would print the error.
    if (!this.isClientGone || !this.#isFromServer) this.#stream?.error(error);
    // As when a connection ends: nobody gets the rest of the response.
    this.isClientGone = true;
    this.#failure = error;
    this.#endWithoutResponse();
    this.#release();
    this.#createdEvents?.emit('clientGone');
    this.#createdEvents?.emit('closed', clientGone());
  }

  /** Whether a server made the request: servers pass a second argument, and code that calls `app.fetch` itself usually does not. */
  get #isFromServer(): boolean {
    return this.#ownsConnection || this.#context !== undefined;
  }

  /** Ends the call without a response. A server gets a 503 instead, because it cannot end the connection, and would report an error. */
  #endWithoutResponse(): void {
    if (this.#isFromServer)
      this.#waiting?.resolve(new Response(null, { status: 503, headers: { connection: 'close' } }));
    else this.#waiting?.reject(this.#failure);
  }

  /** Called when the client has left, or the runtime has cancelled the body of the response. */
  leave(): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isClientGone = true;
    this.destroy(this.#request.signal.aborted ? this.#request.signal.reason : clientGone());
  }

  #release(): void {
    this.#running.delete(this);
    if (this.#onAbort !== undefined) this.#request.signal.removeEventListener('abort', this.#onAbort);
    // Nothing will begin to read the body any more.
    if (!cannotHaveBody(this.method)) this.#body.cancelUnread();
  }

  /**
   * Makes the server of the runtime end the connection, if it supports that. Bun does so at once, so a client that is still
   * sending would lose the response.
   */
  override closeAfterResponse(): void {
    this.#closesConnection =
      this.#ownsConnection && (bun === undefined || this.completeRequest !== undefined);
  }

  get #events(): EventEmitter {
    this.#createdEvents ??= new EventEmitter().setMaxListeners(0);
    return this.#createdEvents;
  }

  #emitEnded(): void {
    queueMicrotask(() => this.#events.emit('ended'));
  }

  override onDrained(listener: () => void): void {
    this.#events.on('drained', listener);
  }

  override onceFinished(listener: () => void): void {
    this.#events.once('ended', listener);
    if (this.isEnded) this.#emitEnded();
  }

  override onceClosed(listener: (error?: Error) => void): void {
    this.watchClient();
    if (this.isDestroyed) {
      queueMicrotask(() => listener(clientGone()));
      return;
    }
    this.onceFinished(listener);
    this.#events.once('closed', listener);
  }

  override onClientGone(listener: () => void): () => void {
    // Added first, because the client may have left already.
    this.#events.on('clientGone', listener);
    this.watchClient();
    return () => void this.#events.off('clientGone', listener);
  }
}
