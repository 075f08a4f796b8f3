/** What `request.raw` is for a request that came by `app.fetch`, and what runtimes tell about the connection. */
import { Readable } from 'node:stream';
import type { Exchange } from '../contract/exchange.ts';
import { FetchRawSocket } from './fetch-raw-socket.ts';
import type { FetchRequest } from './fetch-request.ts';
import { membersOf } from './keep-members.ts';

/** The members of node's request that have a counterpart. As there, it is the stream of the body. */
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

  /** @param body Is read when somebody reads this stream, and at that pace. */
  constructor(x: FetchRequest, body: ReadableStream<Uint8Array> | null) {
    super();
    this.#x = x;
    this.#body = body;
    this.method = x.method;
    this.headers = x.requestHeaders;
    Object.defineProperties(this, members);
    // A client that leaves must not end the process if nobody reads the body.
    this.on('error', () => {});
    x.onceClosed(() => {
      // Nobody has read it, and nobody will: the response is complete.
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

  /** The limits of time are those of the runtime. */
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
      this.destroy(this.#x.bodyFailed(error) as Error);
    }
  }
}

const members = membersOf(FetchRawRequest);

/** Bun passes its server, Deno the addresses of the connection. */
interface RuntimeContext {
  requestIP?(request: Request): { address: string } | null;
  remoteAddr?: { hostname?: string };
}

/** The address of the client, if the runtime tells it. */
export function addressFrom(context: unknown, request: Request): string | undefined {
  // Workers get it in a field that Cloudflare writes. Anybody may write it elsewhere, where requests have no `cf`.
  if ((request as { cf?: unknown }).cf) return request.headers.get('cf-connecting-ip') ?? undefined;
  if (typeof context !== 'object' || context === null) return undefined;
  const { remoteAddr } = context as RuntimeContext;
  if (typeof remoteAddr?.hostname === 'string') return remoteAddr.hostname;
  return typeof (context as RuntimeContext).requestIP === 'function'
    ? (context as Required<RuntimeContext>).requestIP(request)?.address
    : undefined;
}
