/** What `request.raw` is for a request that came by `app.fetch`, and what runtimes tell about the connection. */
import type { Exchange } from '../contract/exchange.ts';

/** The members of node's request object that have a counterpart. It is no stream: `request.body` has the body. */
export class FetchRawRequest {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly #x: Exchange;

  constructor(x: Exchange) {
    this.#x = x;
  }

  get method(): string {
    return this.#x.method;
  }

  get url(): string {
    return this.#x.url;
  }

  get headers(): Exchange['requestHeaders'] {
    return this.#x.requestHeaders;
  }

  get aborted(): boolean {
    return this.#x.isClientGone;
  }

  get socket(): { remoteAddress: string | undefined; encrypted: boolean } {
    return { remoteAddress: this.#x.peerAddress, encrypted: this.#x.isEncrypted === true };
  }
}

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
