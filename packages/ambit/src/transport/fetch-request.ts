/** What does an exchange read of a web `Request`, and of the second argument of the runtime? */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { deno } from '../shared/js-runtime.ts';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { Exchange } from '../types/exchange.ts';
import { FetchRawRequest } from './fetch-raw.ts';

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
    const { webRequest } = this;
    const length = this.requestHeader('content-length');
    // A request that code has created may declare a length and have no body. A request that came over the network has the body.
    if (length !== undefined) return length !== '0' && (this.ownsConnection || webRequest.body !== null);
    // Read last, because that creates a stream.
    if (webRequest.body === null) return false;
    return deno === undefined || this.context === undefined || announcesBody(webRequest.headers);
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

/** The body: it is read as a whole, read as a stream of node, or cancelled. */
class FetchRequestBody {
  /** Whether the whole body was read. */
  isComplete = false;
  readonly #x: FetchRequest;
  readonly #request: Request;
  #wasRead = false;
  #stream: FetchRawRequest | undefined = undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined = undefined;

  constructor(x: FetchRequest, request: Request) {
    this.#x = x;
    this.#request = request;
  }

  stream(): Readable {
    // After the response, an unread body is cancelled, and Deno throws when it is read.
    this.#stream ??= new FetchRawRequest(this.#x, this.#x.isEnded ? null : this.#request.body);
    return this.#stream;
  }

  read(limitBytes: number, settle: BytesCollected): void {
    // A hook may have read the property without reading the stream.
    if (this.#stream !== undefined) {
      new StreamCollector(this.#stream, limitBytes, settle).listen();
      return;
    }
    this.#wasRead = true;
    if (Number(this.#x.requestHeader('content-length')) <= limitBytes) this.#readAtOnce(limitBytes, settle);
    else void this.#readInPieces(limitBytes, settle);
  }

  /** For a body with a declared length: runtimes read it faster in this way than as a stream. */
  #readAtOnce(limitBytes: number, settle: BytesCollected): void {
    this.#request.arrayBuffer().then(
      (bytes) => {
        this.isComplete = true;
        const { byteLength } = bytes;
        // A request that code has created may have another length than it declares.
        if (byteLength > limitBytes) settle(overLimit, [], byteLength);
        else settle(this.#x.isClientGone ? clientGone() : undefined, [Buffer.from(bytes)], byteLength);
      },
      (error) => settle(this.#x.toBodyError(error) ?? null, [], 0),
    );
  }

  async #readInPieces(limitBytes: number, settle: BytesCollected): Promise<void> {
    const chunks: Buffer[] = [];
    let arrivedBytes = 0;
    let failure: unknown;
    try {
      const reader = this.#request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
      this.#reader = reader;
      for (let next = await reader?.read(); next?.done === false; next = await reader!.read()) {
        const { buffer, byteOffset, byteLength } = next.value;
        chunks.push(Buffer.from(buffer, byteOffset, byteLength));
        arrivedBytes += byteLength;
        if (arrivedBytes <= limitBytes) continue;
        // Its sender stops.
        reader!.cancel().catch(() => {});
        failure = overLimit;
        break;
      }
      // A body that was cancelled because its client has left ends without an error, but is not complete.
      if (this.#x.isClientGone) failure ??= clientGone();
      this.isComplete = failure === undefined;
    } catch (error) {
      failure = this.#x.toBodyError(error) ?? null;
    }
    settle(failure, chunks, arrivedBytes);
  }

  /** Called when the client has left: code that reads the body gets an error. */
  abandon(): void {
    this.#reader?.cancel(clientGone()).catch(() => {});
    this.#stream?.destroy(clientGone());
  }

  /** Called when there is a response. Cancels a body that nothing reads, because its sender would otherwise wait forever. */
  cancelUnread(): void {
    if (this.#wasRead) return;
    const { body } = this.#request;
    if (body !== null && !body.locked) body.cancel().catch(() => {});
  }
}

export function clientGone(): Error {
  const error = new Error('The client left before the response was complete');
  return Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** `Request` does not allow a body with these methods (https://fetch.spec.whatwg.org/#dom-request). */
function cannotHaveBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * On Deno, requests from the network always have a body object, so the fields must show it. Over HTTP/2, which has no field `host`, no
 * field does.
 */
function announcesBody(headers: Headers): boolean | undefined {
  return headers.has('transfer-encoding') || (headers.has('host') ? false : undefined);
}

// HOT: once per request whose headers are read. An iterator took eight times as long on Deno (benchmark `hooks`).
/** @returns No fields after the response: Bun then has none, and Deno throws. */
function headersOf(request: Request): Exchange['requestHeaders'] {
  try {
    return fieldsOf(request);
  } catch {
    return {};
  }
}

/** Reads one field. As for `headersOf`, there is none after the response. */
function headerOf({ headers }: Request, name: string): string | undefined {
  try {
    return headers.get(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf({ headers, url }: Request): Exchange['requestHeaders'] {
  const { toJSON } = headers as { toJSON?(): Record<string, string> };
  let fields: Record<string, string> = {};
  // Bun creates an object faster than any loop.
  if (toJSON !== undefined) fields = toJSON.call(headers);
  else
    headers.forEach((value, name) => {
      fields[name] = value;
    });
  // A request that code has created may not have the field. One from the network has none if its URL is only a path (HTTP/1.0 on Bun).
  const authority = url.indexOf('://') + 3;
  if (fields.host === undefined && authority > 2) fields.host = url.slice(authority).split('/', 1)[0]!;
  return fields;
}

/**
 * A URL of a `Request` is absolute and in its canonical form. It has no credentials, but may have a fragment. On Bun, the URL of a
 * request without a valid `Host` is only a path.
 */
function pathOf(url: string): string {
  const slash = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#', slash);
  return hash === -1 ? url.slice(slash) : url.slice(slash, hash);
}

/** Bun passes its server, Deno the addresses of the connection. */
interface RuntimeContext {
  requestIP?(request: Request): { address: string } | null;
  remoteAddr?: { hostname?: string };
}

/** The address of the client, if the runtime reports it. */
function addressFrom(context: unknown, request: Request): string | undefined {
  // Workers get it in a field that Cloudflare sets. On other runtimes, where requests have no `cf`, any client could set this field.
  if ((request as { cf?: unknown }).cf) return request.headers.get('cf-connecting-ip') ?? undefined;
  if (typeof context !== 'object' || context === null) return undefined;
  const { requestIP } = context as RuntimeContext;
  if (typeof requestIP === 'function') return requestIP.call(context, request)?.address;
  try {
    return (context as RuntimeContext).remoteAddr?.hostname;
  } catch {
    // After the response, Deno has forgotten it.
    return undefined;
  }
}
