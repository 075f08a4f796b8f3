/** An exchange on web standards alone, with its reply side: a `Request` comes in, a `Response` goes out (https://fetch.spec.whatwg.org). */
import type { ServerResponse } from 'node:http';
import type { ReplyHeaders } from '../contract/exchange.ts';
import type { HeaderValue } from '../contract/reply.ts';
import { warnTrailersLeftOut } from '../contract/warnings.ts';
import { bun } from '../shared/js-runtime.ts';
import { ExchangeListeners } from './exchange-listeners.ts';
import { FetchRawResponse } from './fetch-raw-response.ts';
import { FetchRequest } from './fetch-request.ts';
import { clientGone } from './fetch-request-body.ts';
import { FetchResponseStream } from './fetch-response-stream.ts';
import { makeResponseHeaders } from './response-headers.ts';
import { makeTextResponse } from './text-response.ts';
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
export class FetchExchange extends FetchRequest {
  override status = 200;
  override isHeadWritten = false;
  override isEnded = false;
  override isDestroyed = false;
  readonly #running: UnconnectedExchanges;
  readonly #place: RunningExchange;
  #response: Response | undefined = undefined;
  #failure: unknown = undefined;
  #waiting: Waiting | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;
  #closesConnection = false;
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
    super(request, context, ownsConnection);
    this.#running = running;
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

  /**
   * Runs the exchange, and has it end when the client leaves. If a server makes the responses, only where something needs to know, because
   * signals cost much. A client cannot leave before something waits for a promise.
   */
  run(dispatch: (x: FetchExchange) => void): void {
    if (this.maker === undefined && this.webRequest.signal.aborted) this.leave();
    if (!this.isDestroyed) dispatch(this);
    if (this.maker === undefined && !this.isEnded && !this.isDestroyed) this.watchClient();
  }

  watchClient(): void {
    if (this.#onAbort !== undefined) return;
    this.#onAbort = () => this.leave();
    const { signal } = this.webRequest;
    if (signal.aborted) this.leave();
    else signal.addEventListener('abort', this.#onAbort);
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
    if (this.maker !== undefined && this.#isUntouched) {
      const sent = hasNoContent(this.method, status) ? undefined : payload;
      this.#answer(this.maker.makeResponse(status, fields, sent));
      this.status = status;
      this.#settle();
      return;
    }
    const response = this.#canBePlain(status, fields, payload)
      ? makeTextResponse(payload as string, status, fields, this.ownsConnection)
      : undefined;
    if (response === undefined) {
      super.respond(status, fields, payload);
      return;
    }
    this.#answer(response);
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
      () => this.leave(),
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
    if (this.isFromServer)
      this.#waiting?.resolve(new Response(null, { status: 503, headers: { connection: 'close' } }));
    else this.#waiting?.reject(this.#failure);
  }

  protected override leave(): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isClientGone = true;
    this.abandonBody();
    this.destroy(this.webRequest.signal.aborted ? this.webRequest.signal.reason : clientGone());
  }

  #letGo(): void {
    this.#running.delete(this.#place);
    if (this.#onAbort !== undefined) this.webRequest.signal.removeEventListener('abort', this.#onAbort);
    this.cancelUnreadBody();
  }

  /**
   * Has the server of the runtime end the connection, as far as it does that. Bun does so at once: a client that is still
   * sending would lose the response.
   */
  override closeAfterResponse(): void {
    this.#closesConnection = this.ownsConnection && (bun === undefined || this.arrived !== undefined);
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
  override onceSettled(listener: (error?: Error) => void): void {
    this.onceClosed(listener);
  }

  override onClientGone(listener: () => void): () => void {
    // First: the client may have left already.
    const stop = this.#listeners.addLeft(listener);
    this.watchClient();
    return stop;
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
