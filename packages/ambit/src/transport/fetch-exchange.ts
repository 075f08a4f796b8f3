/** An exchange on web standards alone: a `Request` comes in, a `Response` goes out (https://fetch.spec.whatwg.org). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Exchange, type ReplyHeaders } from '../contract/exchange.ts';
import type { HeaderValue } from '../contract/reply.ts';
import { warnTrailersLeftOut } from '../contract/warnings.ts';
import { bun } from '../shared/js-runtime.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { ExchangeListeners } from './exchange-listeners.ts';
import { addressFrom } from './fetch-raw-request.ts';
import { FetchRawResponse } from './fetch-raw-response.ts';
import { clientGone, FetchRequestBody } from './fetch-request-body.ts';
import { FetchResponseStream } from './fetch-response-stream.ts';
import { cannotHaveBody, hasRequestBody } from './has-request-body.ts';
import { headersOf, pathOf } from './request-parts.ts';
import {
  fieldError,
  makePlainHead,
  makeResponseHeaders,
  type ResponseHead,
  refuseForWorkers,
} from './response-headers.ts';
import { type ResponseMaker, responseMakerOf } from './response-maker.ts';
import type { RunningExchange, UnconnectedExchanges } from './unconnected-exchanges.ts';

type ResponseBody = ConstructorParameters<typeof Response>[0];
type ResponseHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Workerd would compress what has a `content-encoding`: once more (https://developers.cloudflare.com/workers/runtime-apis/response). */
const encodeBody = 'manual';

/** The plans of the routes that were warned about. */
const warnedPlans = new WeakSet<object>();

const emptyFields: Readonly<Record<string, string>> = {};

/** Where a call waits for its response. */
interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

// HOT: once per request. What not every request needs is made when it is first needed.
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
  readonly #running: UnconnectedExchanges;
  readonly #place: RunningExchange;
  readonly #ownsConnection: boolean;
  readonly #maker: ResponseMaker | undefined;
  #requestHeaders: Exchange['requestHeaders'] | undefined = undefined;
  #requestBody: FetchRequestBody | undefined = undefined;
  #response: Response | undefined = undefined;
  #failure: unknown = undefined;
  #waiting: Waiting | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;
  #closesConnection = false;
  #rawRequest: IncomingMessage | undefined = undefined;
  #rawResponse: FetchRawResponse | undefined = undefined;
  #headers: ResponseHeaders = emptyFields;
  #stream: FetchResponseStream | undefined = undefined;
  #madeListeners: ExchangeListeners | undefined = undefined;

  /**
   * @param context What the runtime passes next to the request.
   * @param running Where the exchange is listed until it has ended.
   * @param ownsConnection Whether a server of ours got the request: a response can then end its connection.
   */
  constructor(request: Request, context: unknown, running: UnconnectedExchanges, ownsConnection = false) {
    super();
    this.#request = request;
    this.#context = context;
    this.#running = running;
    this.#ownsConnection = ownsConnection;
    this.#maker = ownsConnection ? undefined : responseMakerOf(context);
    this.method = request.method;
    const path = pathOf(request.url);
    this.url = path;
    this.originalUrl = path;
    this.#place = running.add(this);
  }

  /** The response if there is one already, and a promise of it otherwise, which rejects with what the exchange was destroyed with. */
  get answer(): Response | Promise<Response> {
    if (this.#response !== undefined) return this.#response;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.isDestroyed) this.#giveUp();
    });
  }

  /** Has the exchange end when the client leaves. With a server of ours, only where somebody wants to know: signals cost much. */
  begin(): void {
    if (this.#maker === undefined) this.watchClient();
  }

  watchClient(): void {
    if (this.#onAbort !== undefined) return;
    this.#onAbort = () => this.#leave();
    const { signal } = this.#request;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', this.#onAbort);
  }

  /** The request, if it has arrived whole, and what the runtime passed next to it. */
  get arrived(): { readonly request: Request; readonly context: unknown } | undefined {
    const isWhole = this.#requestBody?.isWhole === true || this.hasBody === false;
    return isWhole ? { request: this.#request, context: this.#context } : undefined;
  }

  override get requestHeaders(): Exchange['requestHeaders'] {
    this.#requestHeaders ??= headersOf(this.#request);
    return this.#requestHeaders;
  }

  override requestHeader(name: string): Exchange['requestHeaders'][string] {
    if (this.#requestHeaders !== undefined || name === 'host') return this.requestHeaders[name];
    return this.#request.headers.get(name) ?? undefined;
  }

  override get isEncrypted(): boolean {
    return this.#request.url.startsWith('https:');
  }

  override get peerAddress(): string | undefined {
    return addressFrom(this.#context, this.#request);
  }

  override get httpVersion(): undefined {
    return undefined;
  }

  override get hasBody(): boolean | undefined {
    if (cannotHaveBody(this.method)) return false;
    const length = this.requestHeader('content-length');
    return hasRequestBody(
      this.#request,
      length as string | undefined,
      this.#ownsConnection || this.#maker !== undefined,
      this.#context !== undefined,
    );
  }

  override get rawRequest(): IncomingMessage {
    return this.#rawRequest ?? (this.streamBody() as IncomingMessage);
  }

  override set rawRequest(raw: IncomingMessage) {
    this.#rawRequest = raw;
  }

  override get rawResponse(): ServerResponse {
    this.#rawResponse ??= new FetchRawResponse(this);
    return this.#rawResponse as unknown as ServerResponse;
  }

  override set rawResponse(raw: ServerResponse) {
    this.#rawResponse = raw as unknown as FetchRawResponse;
  }

  override get pipeTarget(): undefined {
    return undefined;
  }

  override getHeader(name: string): HeaderValue {
    return this.#rawResponse?.getHeader(name);
  }

  override getHeaders(): ReplyHeaders {
    return this.#rawResponse?.getHeaders() ?? {};
  }

  override hasHeader(name: string): boolean {
    return this.#rawResponse?.hasHeader(name) === true;
  }

  override removeHeader(name: string): void {
    this.#rawResponse?.removeHeader(name);
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

  override prepareHead(fields: ReplyHeaders): void {
    const all = this.#rawResponse === undefined ? fields : { ...this.getHeaders(), ...fields };
    const headers = makeResponseHeaders(this.status, all);
    if (this.#closesConnection) headers.set('connection', 'close');
    this.#headers = headers;
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    const before = this.status;
    this.status = status;
    try {
      this.prepareHead(fields);
    } catch (error) {
      this.status = before;
      throw error;
    }
    this.isHeadWritten = true;
  }

  override write(chunk: string | Uint8Array): boolean {
    if (this.isEnded || this.isDestroyed) return true;
    this.isHeadWritten = true;
    if (hasNoContent(this.method, this.status)) return true;
    const stream = this.#stream ?? this.#openStream();
    return stream.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }

  override respond(status: number, fields: ReplyHeaders, payload?: string | Uint8Array): void {
    if (this.#maker !== undefined && this.#isUntouched) {
      const sent = hasNoContent(this.method, status) ? undefined : payload;
      this.#answer(this.#maker.makeResponse(status, fields, sent));
      this.status = status;
      this.#settle();
      return;
    }
    const head = this.#canBePlain(status, fields, payload)
      ? makePlainHead(status, fields, this.#ownsConnection)
      : undefined;
    if (head === undefined) {
      super.respond(status, fields, payload);
      return;
    }
    this.#answer(makeResponse(payload as ResponseBody, head, fields));
    this.status = status;
    this.#settle();
  }

  /** A `Response` of a text is the fastest one. If it has no type, the text adds one of its own. */
  #canBePlain(status: number, fields: ReplyHeaders, payload: string | Uint8Array | undefined): boolean {
    return (
      typeof payload === 'string' &&
      payload !== '' &&
      typeof fields['content-type'] === 'string' &&
      fields['content-encoding'] === undefined &&
      !hasNoContent(this.method, status) &&
      !this.#closesConnection &&
      this.#isUntouched
    );
  }

  /** Nothing was written yet, and no field was set on `rawResponse`. */
  get #isUntouched(): boolean {
    return (
      this.#rawResponse === undefined && this.#stream === undefined && !this.isEnded && !this.isDestroyed
    );
  }

  override end(payload?: string | Uint8Array): void {
    if (this.isEnded || this.isDestroyed) return;
    if (this.#stream === undefined) {
      this.#answerWith(hasNoContent(this.method, this.status) ? null : bytesOf(payload));
    } else {
      if (payload !== undefined) this.write(payload);
      this.#stream.close();
    }
    this.#settle();
  }

  #settle(): void {
    this.isHeadWritten = true;
    this.isEnded = true;
    this.#letGo();
    this.#madeListeners?.tellEnded();
  }

  #answer(response: Response): void {
    this.#response = response;
    this.#waiting?.resolve(response);
  }

  #answerWith(body: ResponseBody | null): void {
    this.#answer(
      new Response(body, { status: this.status, headers: this.#headers, encodeBody } as ResponseInit),
    );
  }

  #openStream(): FetchResponseStream {
    this.#stream = new FetchResponseStream(
      () => this.#madeListeners?.tellDrained(),
      () => this.#leave(),
    );
    this.#answerWith(this.#stream.body);
    return this.#stream;
  }

  /** A `Response` has no trailers, so the reply has none either, and its length may be sent. */
  override announceTrailers(_fields: ReplyHeaders, names: readonly string[]): void {
    this.trailers = undefined;
    if (warnedPlans.has(this.plan)) return;
    warnedPlans.add(this.plan);
    warnTrailersLeftOut(`${this.method} ${this.plan.info.url ?? this.url}`, names.join(', '));
  }

  override destroy(error: unknown = new Error('The exchange was destroyed')): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isDestroyed = true;
    // As where a connection ends: nobody gets the rest of the response.
    this.isClientGone = true;
    this.#failure = error;
    this.#stream?.fail(error);
    this.#giveUp();
    this.#letGo();
    this.#madeListeners?.tellLeft();
    this.#madeListeners?.tellClosed(clientGone());
  }

  /** There is no response. A server gets one that says so: it cannot end a connection instead, and would report an error. */
  #giveUp(): void {
    if (this.#isFromServer)
      this.#waiting?.resolve(new Response(null, { status: 503, headers: { connection: 'close' } }));
    else this.#waiting?.reject(this.#failure);
  }

  /** A server passes something next to the request, and whoever makes a request by hand does not. */
  get #isFromServer(): boolean {
    return this.#ownsConnection || this.#context !== undefined;
  }

  /**
   * A body from the network fails when its client leaves, and some runtimes tell it in no other way. A `TypeError` is the mistake
   * of a caller, who has read the body before.
   *
   * @returns What to tell the reader of the body.
   */
  bodyFailed(error: unknown): unknown {
    if (this.#isFromServer && !(error instanceof TypeError)) this.#leave();
    return this.isClientGone ? clientGone() : error;
  }

  /** The client gave up, or let go of the response's body. */
  #leave(): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isClientGone = true;
    this.#requestBody?.abandon();
    this.destroy(this.#request.signal.aborted ? this.#request.signal.reason : clientGone());
  }

  #letGo(): void {
    this.#running.delete(this.#place);
    if (this.#onAbort !== undefined) this.#request.signal.removeEventListener('abort', this.#onAbort);
    if (!cannotHaveBody(this.method)) this.#body.cancelUnread();
  }

  /**
   * Has the server of the runtime end the connection, as far as it does that. Bun does so at once: a client that is still
   * sending would lose the response.
   */
  override closeAfterResponse(): void {
    this.#closesConnection = this.#ownsConnection && (bun === undefined || this.arrived !== undefined);
  }

  get #listeners(): ExchangeListeners {
    this.#madeListeners ??= new ExchangeListeners();
    return this.#madeListeners;
  }

  override onDrained(listener: () => void): void {
    this.#listeners.addDrained(listener);
  }

  override onceFinished(listener: () => void): void {
    this.#listeners.addEnded(listener, this.isEnded);
  }

  override onceClosed(listener: (error?: Error) => void): void {
    this.watchClient();
    if (this.isDestroyed) {
      queueMicrotask(() => listener(clientGone()));
      return;
    }
    this.onceFinished(listener);
    this.#listeners.addClosed(listener);
  }

  /** Both are the same here: a response that has ended can fail no more. */
  override onceOver(listener: (error?: Error) => void): void {
    this.onceClosed(listener);
  }

  override onClientGone(listener: () => void): () => void {
    // First: the client may have left already.
    const stop = this.#listeners.addLeft(listener);
    this.watchClient();
    return stop;
  }
}

function makeResponse(body: ResponseBody, head: ResponseHead, fields: ReplyHeaders): Response {
  refuseForWorkers(fields);
  try {
    return new Response(body, head);
  } catch (error) {
    throw fieldError(error, fields);
  }
}

/** Statuses without content: Fetch, 2.2.3. */
function hasNoContent(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

/** As bytes, because a `Response` adds a type of its own to a text. */
function bytesOf(payload: string | Uint8Array | undefined): ResponseBody | null {
  if (payload === undefined || payload.length === 0) return null;
  return (typeof payload === 'string' ? Buffer.from(payload) : payload) as ResponseBody;
}
