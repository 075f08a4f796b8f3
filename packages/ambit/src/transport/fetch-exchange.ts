/** An exchange on web standards alone: a `Request` comes in, a `Response` goes out (https://fetch.spec.whatwg.org). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { RuntimeUnsupported } from '../contract/errors.ts';
import { Exchange, type ReplyHeaders } from '../contract/exchange.ts';
import type { AmbitOptions } from '../contract/options.ts';
import type { HeaderValue } from '../contract/reply.ts';
import { warnTrailersLeftOut } from '../contract/warnings.ts';
import { earlyError } from '../shared/early-error-body.ts';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { addressFrom, FetchRawRequest } from './fetch-raw-request.ts';
import { FetchRawResponse } from './fetch-raw-response.ts';

/** Gets the one response, or the reason why there is none. */
export interface FetchCaller {
  resolve(response: Response): void;
  reject(reason: unknown): void;
}

type Sink = ReadableStreamDefaultController<Uint8Array>;

/** How many bytes of a stream may wait for the client. As for the streams of node. */
const waitingBytes = 65_536;

/** Fields that describe a connection (RFC 9110, 7.6.1). The runtime owns the connection and writes them itself. */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The plans of the routes that were warned about. */
const warnedPlans = new WeakSet<object>();

export class FetchExchange extends Exchange {
  override readonly method: string;
  override url: string;
  override originalUrl: string;
  override readonly requestHeaders: Exchange['requestHeaders'];
  override isClientGone = false;
  override status = 200;
  override isHeadWritten = false;
  override isEnded = false;
  override isDestroyed = false;
  readonly #request: Request;
  readonly #context: unknown;
  readonly #caller: FetchCaller;
  #rawRequest: IncomingMessage | undefined;
  #rawResponse: FetchRawResponse | undefined;
  #bodyStream: FetchRawRequest | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #headers = new Headers();
  #sink: Sink | undefined;
  readonly #drainListeners: (() => void)[] = [];
  readonly #finishListeners: (() => void)[] = [];
  readonly #closeListeners: ((error?: Error) => void)[] = [];
  readonly #leaveListeners = new Set<() => void>();

  /** @param context What the runtime passes next to the request. */
  constructor(request: Request, context: unknown, caller: FetchCaller) {
    super();
    this.#request = request;
    this.#context = context;
    this.#caller = caller;
    this.method = request.method;
    const { host, path } = partsOf(request.url);
    this.url = path;
    this.originalUrl = path;
    this.requestHeaders = { host, ...Object.fromEntries(request.headers) };
    const { signal } = request;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', this.#leave);
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

  override get hasBody(): boolean {
    return this.#request.body !== null && this.requestHeaders['content-length'] !== '0';
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
    // A hook may have asked for the stream and left it alone.
    if (this.#bodyStream !== undefined) {
      new StreamCollector(this.#bodyStream, limitBytes, settle).listen();
      return;
    }
    const chunks: Buffer[] = [];
    const bytes = { arrived: 0 };
    this.#collect(limitBytes, chunks, bytes).then(
      (isWhole) => settle(isWhole ? undefined : overLimit, chunks, bytes.arrived),
      (error) => settle(error ?? null, chunks, bytes.arrived),
    );
  }

  /** @returns Whether the body ended within the limit. Otherwise it is cancelled, so that its sender stops. */
  async #collect(limitBytes: number, chunks: Buffer[], bytes: { arrived: number }): Promise<boolean> {
    const { body } = this.#request;
    if (body === null) return true;
    const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    this.#reader = reader;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
      bytes.arrived += next.value.byteLength;
      if (bytes.arrived > limitBytes) {
        reader.cancel().catch(() => {});
        return false;
      }
    }
    // A body that was cancelled because its client left ends in order, but is not whole.
    if (this.isClientGone) throw clientGone();
    return true;
  }

  override streamBody(): Readable {
    this.#bodyStream ??= new FetchRawRequest(this, this.#request.body);
    return this.#bodyStream;
  }

  override prepareHead(fields: ReplyHeaders): void {
    // `Response` accepts these statuses only; 1xx are not responses of their own (RFC 9110, 15.2).
    if (this.status < 200 || this.status > 599)
      throw new RangeError(`A response cannot have the status ${this.status} here`);
    const headers = new Headers();
    const all = this.#rawResponse === undefined ? fields : { ...this.getHeaders(), ...fields };
    for (const name in all) {
      if (connectionFields.has(name.toLowerCase())) continue;
      const value = all[name];
      if (Array.isArray(value)) for (const text of value) headers.append(name, text);
      else if (value !== undefined) headers.append(name, String(value));
    }
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
    if (this.#hasNoContent) return true;
    const sink = this.#sink ?? this.#openStream();
    sink.enqueue(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return sink.desiredSize! > 0;
  }

  override end(payload?: string | Uint8Array): void {
    if (this.isEnded || this.isDestroyed) return;
    if (this.#sink === undefined) this.#answer(this.#hasNoContent ? null : bytesOf(payload));
    else if (payload !== undefined) this.write(payload);
    this.isHeadWritten = true;
    this.isEnded = true;
    this.#sink?.close();
    this.#letGo();
    queueMicrotask(() => {
      for (const listener of this.#finishListeners) listener();
      for (const listener of this.#closeListeners) listener();
    });
  }

  /** Statuses without content: Fetch, 2.2.3. */
  get #hasNoContent(): boolean {
    return this.method === 'HEAD' || [204, 205, 304].includes(this.status);
  }

  #answer(body: Uint8Array | ReadableStream<Uint8Array> | null): void {
    this.#caller.resolve(
      new Response(body as Uint8Array<ArrayBuffer>, { status: this.status, headers: this.#headers }),
    );
  }

  /** The runtime asks for more by `pull`, and lets go of the response by `cancel`. */
  #openStream(): Sink {
    const source = {
      start: (sink: Sink) => {
        this.#sink = sink;
      },
      pull: () => {
        for (const listener of this.#drainListeners) listener();
      },
      cancel: this.#leave,
    };
    this.#answer(new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes })));
    return this.#sink!;
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
    this.#sink?.error(error);
    this.#caller.reject(error);
    this.#letGo();
    for (const listener of this.#closeListeners) listener(clientGone());
  }

  /** The client gave up, or let go of the response's body. */
  readonly #leave = (): void => {
    if (this.isEnded || this.isDestroyed) return;
    this.isClientGone = true;
    this.#reader?.cancel(clientGone()).catch(() => {});
    this.#bodyStream?.destroy(clientGone());
    for (const listener of this.#leaveListeners) listener();
    this.destroy(this.#request.signal.aborted ? this.#request.signal.reason : clientGone());
  };

  /** Once there is a response, a body that nobody reads is cancelled: its sender would wait for ever. */
  #letGo(): void {
    const { body, signal } = this.#request;
    signal.removeEventListener('abort', this.#leave);
    if (body !== null && !body.locked) body.cancel().catch(() => {});
  }

  override onDrained(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  override onceFinished(listener: () => void): void {
    this.#finishListeners.push(listener);
  }

  override onceClosed(listener: (error?: Error) => void): void {
    this.#closeListeners.push(listener);
  }

  override onceOver(listener: (error?: Error) => void): void {
    let isOver = false;
    const end = (error?: Error): void => {
      if (isOver) return;
      isOver = true;
      listener(error);
    };
    this.#finishListeners.push(end);
    this.#closeListeners.push(end);
  }

  override onClientGone(listener: () => void): () => void {
    this.#leaveListeners.add(listener);
    return () => this.#leaveListeners.delete(listener);
  }
}

/**
 * The response to a client that asks for a WebSocket which the application serves on the sockets of node's server. It has none of
 * them here, and its routes would see a request as others are.
 */
export function refuseUpgrade(
  request: Request,
  server: { listenerCount?(event: string): number },
  format: AmbitOptions['errors'] = 'json',
): Response | undefined {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return undefined;
  if (!server.listenerCount?.('upgrade')) return undefined;
  const { message, code } = new RuntimeUnsupported(
    "the event 'upgrade' of app.server",
    'Requests of `app.fetch` have no socket: serve the application with `listen`',
  );
  const { fields, body } = earlyError(format, { status: 501, message, code });
  return new Response(body, { status: 501, headers: fields });
}

function clientGone(): Error {
  const error = new Error('The client left before the response was complete');
  return Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** As bytes, because a `Response` adds a type of its own to a text. */
function bytesOf(payload: string | Uint8Array | undefined): Uint8Array | null {
  if (payload === undefined || payload.length === 0) return null;
  return typeof payload === 'string' ? Buffer.from(payload) : payload;
}

/** A URL of a `Request` is absolute and in its canonical form. It has no credentials, but may have a fragment. */
function partsOf(url: string): { host: string; path: string } {
  const start = url.indexOf('://') + 3;
  const slash = url.indexOf('/', start);
  const hash = url.indexOf('#', slash);
  return {
    host: url.slice(start, slash),
    path: hash === -1 ? url.slice(slash) : url.slice(slash, hash),
  };
}
