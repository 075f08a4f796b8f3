/** The `Request` that a handler gets: what most handlers use is read from the exchange, and a native `Request` does everything else. */
import type { Exchange } from '../exchange/exchange.ts';
import { isOfConnection } from './connection-fields.ts';
import { delegateTo } from './delegate.ts';
import { copyMemory, decodeText, IncomingBody } from './incoming-body.ts';
import { IncomingHeaders } from './incoming-headers.ts';
import { hostOfTarget, urlOf } from './request-url.ts';

/** The class of the platform, because `unwrap-requests.ts` replaces the global one. */
const NativeRequest = Request;

export class IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly #exchange: Exchange;
  /** `undefined` without a body. */
  readonly #body: IncomingBody | undefined;
  #headers: IncomingHeaders | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #native: Request | undefined = undefined;

  // HOT: once per request.
  /** @throws {TypeError} if the target or the host is not part of a valid URL. */
  constructor(exchange: Exchange, scheme: 'http' | 'https') {
    const { method } = exchange;
    this.method = method;
    this.url = urlOf(exchange, scheme);
    this.#exchange = exchange;
    // `Request` allows no body with these methods (https://fetch.spec.whatwg.org/#dom-request).
    const hasBody = method !== 'GET' && method !== 'HEAD' && exchange.contentLength !== 0;
    this.#body = hasBody ? new IncomingBody(exchange) : undefined;
  }

  static is(value: unknown): value is IncomingRequest {
    return typeof value === 'object' && value !== null && #exchange in value;
  }

  /** The exchange of a request; `undefined` for any other value. */
  static exchangeOf(value: unknown): Exchange | undefined {
    return IncomingRequest.is(value) ? value.#exchange : undefined;
  }

  get headers(): Headers {
    this.#headers ??= new IncomingHeaders(this.#exchange, hostOfTarget(this.#exchange));
    return this.#headers as unknown as Headers;
  }

  /** Aborts when the client leaves before the response is complete. */
  get signal(): AbortSignal {
    this.#controller ??= this.#makeController();
    return this.#controller.signal;
  }

  #makeController(): AbortController {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (this.#exchange.isDestroyed && !this.#exchange.isEnded) abort();
    else this.#exchange.onClientGone(abort);
    return controller;
  }

  /** The stream of the native `Request`, because only that knows how much of its stream was read. */
  get body(): ReadableStream<Uint8Array> | null {
    return this.#body === undefined ? null : (this.native.body as ReadableStream<Uint8Array>);
  }

  get bodyUsed(): boolean {
    return this.#native === undefined ? this.#body?.isUsed === true : this.#native.bodyUsed;
  }

  text(): Promise<string> {
    if (this.#native !== undefined) return this.#native.text();
    return this.#body?.read(decodeText) ?? Promise.resolve('');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#native !== undefined) return this.#native.arrayBuffer();
    return this.#body?.read(copyMemory) ?? Promise.resolve(new ArrayBuffer());
  }

  clone(): Request {
    return this.native.clone();
  }

  /** Created once. From then on, the headers and the body are those of the native `Request`. */
  get native(): Request {
    this.#native ??= this.#makeNative();
    return this.#native;
  }

  #makeNative(): Request {
    const { method, signal } = this;
    const headers = new Headers([...this.headers].filter(([name, value]) => !isOfConnection(name, value)));
    // Node's `fetch` rejects a request with these fields. They are only about the connection of the client.
    for (const name of ['connection', 'expect']) headers.delete(name);
    const wasUsed = this.#body?.isUsed === true;
    const body = wasUsed ? new Uint8Array() : (this.#body?.makeStream() ?? null);
    const native = new NativeRequest(this.url, { method, headers, signal, body, duplex: 'half' });
    // Marks the body of the native request as used, too.
    if (wasUsed) void native.text();
    this.#headers!.native = native.headers;
    return native;
  }
}

delegateTo(IncomingRequest, NativeRequest, (request) => request.native);
