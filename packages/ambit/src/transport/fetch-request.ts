/** The request side of an exchange that uses only web standards: a `Request`, and the second argument of the runtime. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BytesCollected } from '../shared/stream-collector.ts';
import { Exchange } from '../types/exchange.ts';
import { addressFrom } from './fetch-raw-request.ts';
import { clientGone, FetchRequestBody } from './fetch-request-body.ts';
import { cannotHaveBody, hasRequestBody } from './has-request-body.ts';
import { headerOf, headersOf, pathOf } from './request-parts.ts';

// HOT: once per request. What not every request needs is created when it is first used.
export abstract class FetchRequest extends Exchange {
  override readonly method: string;
  override url: string;
  override originalUrl: string;
  override isClientGone = false;
  protected readonly webRequest: Request;
  protected readonly context: unknown;
  protected readonly ownsConnection: boolean;
  #requestHeaders: Exchange['requestHeaders'] | undefined = undefined;
  #peerAddress: string | undefined = undefined;
  #requestBody: FetchRequestBody | undefined = undefined;
  #rawRequest: IncomingMessage | undefined = undefined;

  /**
   * @param context What the runtime passes as the second argument, after the request.
   * @param ownsConnection Whether the request came to a server of the application: a response can then end its connection.
   */
  constructor(webRequest: Request, context: unknown, ownsConnection: boolean) {
    super();
    this.webRequest = webRequest;
    this.context = context;
    this.ownsConnection = ownsConnection;
    this.method = webRequest.method;
    const path = pathOf(webRequest.url);
    this.url = path;
    this.originalUrl = path;
  }

  /** The request and the runtime's second argument, if the request has arrived completely. */
  get completeRequest(): { readonly request: Request; readonly context: unknown } | undefined {
    const isComplete = this.#requestBody?.isComplete === true || this.hasBody === false;
    return isComplete ? { request: this.webRequest, context: this.context } : undefined;
  }

  override get requestHeaders(): Exchange['requestHeaders'] {
    this.#requestHeaders ??= headersOf(this.webRequest);
    return this.#requestHeaders;
  }

  override cacheRequestHead(): void {
    this.#requestHeaders ??= headersOf(this.webRequest);
    this.#peerAddress ??= addressFrom(this.context, this.webRequest);
  }

  override requestHeader(name: string): Exchange['requestHeaders'][string] {
    if (this.#requestHeaders !== undefined || name === 'host') return this.requestHeaders[name];
    return headerOf(this.webRequest, name);
  }

  override get isEncrypted(): boolean {
    return this.webRequest.url.startsWith('https:');
  }

  override get peerAddress(): string | undefined {
    return this.#peerAddress ?? addressFrom(this.context, this.webRequest);
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
      this.ownsConnection,
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
   * Called when reading the body has failed. A body from the network fails when its client leaves, and some runtimes show it in no other
   * way. A `TypeError` is a mistake of the caller, which has read the body before.
   *
   * @returns The error for the code that reads the body.
   */
  toBodyError(error: unknown): unknown {
    if (this.isFromServer && !(error instanceof TypeError)) this.leave();
    return this.isClientGone ? clientGone() : error;
  }

  /** Called when the client has left, or the runtime has cancelled the body of the response. */
  protected abstract leave(): void;

  /** Called when the client has left: code that reads the body gets an error. */
  protected abandonBody(): void {
    this.#requestBody?.abandon();
  }

  /** Called when there is a response: nothing will begin to read the body any more. */
  protected cancelUnreadBody(): void {
    if (!cannotHaveBody(this.method)) this.#body.cancelUnread();
  }

  /** Whether a server made the request: servers pass a second argument, and code that calls `app.fetch` itself usually does not. */
  protected get isFromServer(): boolean {
    return this.ownsConnection || this.context !== undefined;
  }
}
