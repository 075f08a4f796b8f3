/** What does an exchange read of a web `Request`, and of the second argument of the runtime: its path, headers, address and body? */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import type { FetchExchange } from './fetch-exchange.ts';
import { FetchRawRequest } from './fetch-raw.ts';

/**
 * A URL of a `Request` is absolute and in its canonical form. It has no credentials, but may have a fragment. On Bun, the URL of a
 * request without a valid `Host` is only a path.
 */
export function pathOf(url: string): string {
  const slash = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#', slash);
  return hash === -1 ? url.slice(slash) : url.slice(slash, hash);
}

// HOT: once per request whose headers are read. An iterator took eight times as long on Deno (benchmark `hooks`).
/** @returns No fields after the response: Bun then has none, and Deno throws. */
export function headersOf({ headers, url }: Request): IncomingHttpHeaders {
  const { toJSON } = headers as { toJSON?(): Record<string, string> };
  let fields: Record<string, string> = {};
  try {
    // Bun creates an object faster than any loop.
    if (toJSON !== undefined) fields = toJSON.call(headers);
    else
      headers.forEach((value, name) => {
        fields[name] = value;
      });
  } catch {
    return {};
  }
  // A request that code has created may not have the field. One from the network has none if its URL is only a path (HTTP/1.0 on Bun).
  const authority = url.indexOf('://') + 3;
  if (fields.host === undefined && authority > 2) fields.host = url.slice(authority).split('/', 1)[0]!;
  return fields;
}

/** Reads one field. As for `headersOf`, there is none after the response. */
export function headerOf({ headers }: Request, name: string): string | undefined {
  try {
    return headers.get(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Bun passes its server, Deno the addresses of the connection. */
interface RuntimeContext {
  requestIP?(request: Request): { address: string } | null;
  remoteAddr?: { hostname?: string };
}

/** The address of the client, if the runtime reports it. */
export function addressFrom(context: unknown, request: Request): string | undefined {
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

/** `Request` does not allow a body with these methods (https://fetch.spec.whatwg.org/#dom-request). */
export function cannotHaveBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * On Deno, requests from the network always have a body object, so the fields must show it. Over HTTP/2, which has no field `host`, no
 * field does.
 */
export function announcesBody(headers: Headers): boolean | undefined {
  return headers.has('transfer-encoding') || (headers.has('host') ? false : undefined);
}

/** The body: it is read as a whole, read as a stream of node, or cancelled. */
export class FetchRequestBody {
  readonly #x: FetchExchange;
  readonly #request: Request;
  #wasRead = false;
  #wasReadAtOnce = false;
  #stream: FetchRawRequest | undefined = undefined;

  constructor(x: FetchExchange, request: Request) {
    this.#x = x;
    this.#request = request;
  }

  /** Whether the whole body was read. */
  get isComplete(): boolean {
    return this.#wasReadAtOnce || this.#stream?.readableEnded === true;
  }

  stream(): Readable {
    // After the response, an unread body is cancelled, and Deno throws when it is read.
    this.#stream ??= new FetchRawRequest(this.#x, this.#x.isEnded ? null : this.#request.body);
    return this.#stream;
  }

  read(limitBytes: number, settle: BytesCollected): void {
    this.#wasRead = true;
    const hasFittingLength = Number(this.#x.requestHeader('content-length')) <= limitBytes;
    // A hook may have read the property without reading the stream.
    if (hasFittingLength && this.#stream === undefined) {
      this.#readAtOnce(limitBytes, settle);
      return;
    }
    const stream = this.stream();
    new StreamCollector(stream, limitBytes, (error, chunks, arrivedBytes) => {
      // Its sender stops.
      if (error === overLimit) stream.destroy();
      settle(error, chunks, arrivedBytes);
    }).listen();
  }

  /** For a body with a declared length: runtimes read it faster in this way than as a stream. */
  #readAtOnce(limitBytes: number, settle: BytesCollected): void {
    this.#request.arrayBuffer().then(
      (bytes) => {
        this.#wasReadAtOnce = true;
        const { byteLength } = bytes;
        // A request that code has created may have another length than it declares.
        if (byteLength > limitBytes) settle(overLimit, [], byteLength);
        else settle(this.#x.isClientGone ? clientGone() : undefined, [Buffer.from(bytes)], byteLength);
      },
      (error) => settle(this.#x.toBodyError(error) ?? null, [], 0),
    );
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
