/** The `request.raw` of requests that come through `app.fetch`, its socket, and the address of the client. */

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Exchange } from '../types/exchange.ts';
import type { FetchRequest } from './fetch-request.ts';
import { membersOf, refuseMembers } from './raw-members.ts';

/** Has the members of node's request that are possible without a connection. Like node's request, it is the stream of the body. */
export class FetchRawRequest extends Readable {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly upgrade = false;
  readonly trailers: Record<string, never> = {};
  readonly rawTrailers: readonly string[] = [];
  method: string;
  headers: Exchange['requestHeaders'];
  readonly #x: FetchRequest;
  readonly #body: ReadableStream<Uint8Array> | null;
  #socket: FetchRawSocket | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** @param body Read only when this stream is read, and only as fast. */
  constructor(x: FetchRequest, body: ReadableStream<Uint8Array> | null) {
    super();
    this.#x = x;
    this.#body = body;
    this.method = x.method;
    this.headers = x.requestHeaders;
    Object.defineProperties(this, members);
    // Without a listener, the error of a client that leaves would end the process.
    this.on('error', () => {});
    x.onceClosed(() => {
      // The response is complete, so nothing will read the body any more.
      if (this.#reader === undefined) this.destroy();
    });
  }

  get url(): string {
    return this.#x.url;
  }

  set url(url: string) {
    this.#x.url = url;
  }

  get rawHeaders(): string[] {
    return Object.entries(this.headers).flatMap(([name, value]) =>
      Array.isArray(value) ? value.flatMap((each) => [name, each]) : [name, String(value)],
    );
  }

  get headersDistinct(): Record<string, string[]> {
    const lists = Object.entries(this.headers).map(([name, value]) => [name, [value].flat()]);
    return Object.fromEntries(lists) as Record<string, string[]>;
  }

  get complete(): boolean {
    return this.readableEnded;
  }

  get aborted(): boolean {
    return this.#x.isClientGone;
  }

  get socket(): FetchRawSocket {
    this.#socket ??= new FetchRawSocket(this.#x);
    return this.#socket;
  }

  get connection(): FetchRawSocket {
    return this.socket;
  }

  /** Has no effect, because the runtime has its own time limits. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    void this.#readChunk();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#reader?.cancel(error).catch(() => {});
    done(error);
  }

  async #readChunk(): Promise<void> {
    try {
      this.#reader ??= this.#body?.getReader();
      const next = await this.#reader?.read();
      if (this.destroyed) return;
      if (next?.value === undefined) this.push(null);
      else this.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
    } catch (error) {
      this.destroy(this.#x.toBodyError(error) as Error);
    }
  }
}

const members = membersOf(FetchRawRequest);

/** Has the address of the client, and emits `close`. The runtime owns the connection, so methods that set its options have no effect. */
class FetchRawSocket extends EventEmitter {
  readonly readable = true;
  readonly #x: Exchange;

  constructor(x: Exchange) {
    super();
    this.#x = x;
    x.onceClosed((error) => this.emit('close', error != null));
  }

  static exchangeOf(socket: FetchRawSocket): Exchange {
    return socket.#x;
  }

  get remoteAddress(): string | undefined {
    return this.#x.peerAddress;
  }

  get encrypted(): boolean {
    return this.#x.isEncrypted === true;
  }

  get writable(): boolean {
    return !this.#x.isEnded && !this.#x.isDestroyed;
  }

  get destroyed(): boolean {
    return this.#x.isDestroyed;
  }

  /** Ends only this request. Other requests of the same connection continue. */
  destroy(error?: Error): this {
    this.#x.destroy(error);
    return this;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  toJSON(): { remoteAddress: string | undefined; encrypted: boolean } {
    return { remoteAddress: this.remoteAddress, encrypted: this.encrypted };
  }
}

refuseMembers(FetchRawSocket, 'request.raw.socket', 'Use the request and the reply', [
  'write',
  'end',
  'read',
  'pipe',
  'pause',
  'resume',
  'address',
  'getPeerCertificate',
  'getPeerX509Certificate',
  'getProtocol',
  'getCipher',
  'getSession',
]);

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
