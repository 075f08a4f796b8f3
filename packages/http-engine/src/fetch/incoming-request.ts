/** Owns the `Request` that a handler gets: what most handlers use is read from the exchange, and all else from a genuine `Request`. */
import type { Exchange } from '../exchange/exchange.ts';
import { isOfConnection } from './connection-fields.ts';
import { delegateTo } from './delegate.ts';
import { copyMemory, decodeText, IncomingBody } from './incoming-body.ts';
import { IncomingHeaders } from './incoming-headers.ts';
import { hostOfTarget, urlOf } from './request-url.ts';

/** The class of the platform. The global one is replaced. */
const GenuineRequest = Request;

export class IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly #exchange: Exchange;
  /** `undefined` without a body. */
  readonly #body: IncomingBody | undefined;
  #headers: IncomingHeaders | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #genuine: Request | undefined = undefined;

  // HOT: once per request.
  /** @throws {TypeError} if the target or the host is no URL. */
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

  /** The exchange of a request of this server. */
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

  /** Whoever asks for the stream may read a part of it, of which only the genuine `Request` knows. */
  get body(): ReadableStream<Uint8Array> | null {
    return this.#body === undefined ? null : (this.genuine.body as ReadableStream<Uint8Array>);
  }

  get bodyUsed(): boolean {
    return this.#genuine === undefined ? this.#body?.isTaken === true : this.#genuine.bodyUsed;
  }

  text(): Promise<string> {
    if (this.#genuine !== undefined) return this.#genuine.text();
    return this.#body?.read(decodeText) ?? Promise.resolve('');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#genuine !== undefined) return this.#genuine.arrayBuffer();
    return this.#body?.read(copyMemory) ?? Promise.resolve(new ArrayBuffer());
  }

  clone(): Request {
    return this.genuine.clone();
  }

  /** Made once. From then on, it has the headers and the body. */
  get genuine(): Request {
    this.#genuine ??= this.#makeGenuine();
    return this.#genuine;
  }

  #makeGenuine(): Request {
    const { method, signal } = this;
    const headers = new Headers([...this.headers].filter(([name, value]) => !isOfConnection(name, value)));
    // Node's `fetch` rejects a request with these fields, which no connection but that of the client has sent.
    for (const name of ['connection', 'expect']) headers.delete(name);
    const wasTaken = this.#body?.isTaken === true;
    const body = wasTaken ? new Uint8Array() : (this.#body?.makeStream() ?? null);
    const genuine = new GenuineRequest(this.url, { method, headers, signal, body, duplex: 'half' });
    // Its body counts as used, too.
    if (wasTaken) void genuine.text();
    this.#headers!.genuine = genuine.headers;
    return genuine;
  }
}

delegateTo(IncomingRequest, GenuineRequest, (request) => request.genuine);
