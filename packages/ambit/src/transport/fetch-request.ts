/** The request side of an exchange on web standards: a `Request`, and what the runtime passed next to it. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Exchange } from '../contract/exchange.ts';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { addressFrom } from './fetch-raw-request.ts';
import { clientGone, FetchRequestBody } from './fetch-request-body.ts';
import { cannotHaveBody, hasRequestBody } from './has-request-body.ts';
import { headersOf, pathOf } from './request-parts.ts';
import { type ResponseMaker, responseMakerOf } from './response-maker.ts';

// HOT: once per request. What not every request needs is made when it is first needed.
export abstract class FetchRequest extends Exchange {
  override readonly method: string;
  override url: string;
  override originalUrl: string;
  override isClientGone = false;
  protected readonly webRequest: Request;
  protected readonly context: unknown;
  protected readonly ownsConnection: boolean;
  protected readonly maker: ResponseMaker | undefined;
  #requestHeaders: Exchange['requestHeaders'] | undefined = undefined;
  #requestBody: FetchRequestBody | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;

  /**
   * @param context What the runtime passes next to the request.
   * @param ownsConnection Whether a server of ours got the request: a response can then end its connection.
   */
  constructor(webRequest: Request, context: unknown, ownsConnection: boolean) {
    super();
    this.webRequest = webRequest;
    this.context = context;
    this.ownsConnection = ownsConnection;
    this.maker = ownsConnection ? undefined : responseMakerOf(context);
    this.method = webRequest.method;
    const path = pathOf(webRequest.url);
    this.url = path;
    this.originalUrl = path;
  }

  /** The request, if it has arrived whole, and what the runtime passed next to it. */
  get arrived(): { readonly request: Request; readonly context: unknown } | undefined {
    const isWhole = this.#requestBody?.isWhole === true || this.hasBody === false;
    return isWhole ? { request: this.webRequest, context: this.context } : undefined;
  }

  override get requestHeaders(): Exchange['requestHeaders'] {
    this.#requestHeaders ??= headersOf(this.webRequest);
    return this.#requestHeaders;
  }

  override requestHeader(name: string): Exchange['requestHeaders'][string] {
    if (this.#requestHeaders !== undefined || name === 'host') return this.requestHeaders[name];
    return this.webRequest.headers.get(name) ?? undefined;
  }

  override get isEncrypted(): boolean {
    return this.webRequest.url.startsWith('https:');
  }

  override get peerAddress(): string | undefined {
    return addressFrom(this.context, this.webRequest);
  }

  override get httpVersion(): undefined {
    return undefined;
  }

  override get hasBody(): boolean | undefined {
    if (cannotHaveBody(this.method)) return false;
    const length = this.requestHeader('content-length');
    return hasRequestBody(
      this.webRequest,
      length as string | undefined,
      this.ownsConnection || this.maker !== undefined,
      this.context !== undefined,
    );
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
    this.#requestBody ??= new FetchRequestBody(this, this.webRequest);
    return this.#requestBody;
  }

  /**
   * A body from the network fails when its client leaves, and some runtimes tell it in no other way. A `TypeError` is the mistake
   * of a caller, who has read the body before.
   *
   * @returns What to tell the reader of the body.
   */
  bodyFailed(error: unknown): unknown {
    if (this.isFromServer && !(error instanceof TypeError)) this.leave();
    return this.isClientGone ? clientGone() : error;
  }

  /** The client gave up, or let go of the response's body. */
  protected abstract leave(): void;

  /** The client has left: whoever reads the body gets an error. */
  protected abandonBody(): void {
    this.#requestBody?.abandon();
  }

  /** There is a response, so nobody will begin to read the body. */
  protected cancelUnreadBody(): void {
    if (!cannotHaveBody(this.method)) this.#body.cancelUnread();
  }

  /** A server passes something next to the request, and whoever makes a request by hand does not. */
  protected get isFromServer(): boolean {
    return this.ownsConnection || this.context !== undefined;
  }
}
