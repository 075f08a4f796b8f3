/** What `reply.raw` is for a request that came by `app.fetch`: the members of node's response that a `Response` can serve. */
import { RuntimeUnsupported } from '../contract/errors.ts';
import type { Exchange, ReplyHeaders } from '../contract/exchange.ts';
import type { HeaderValue } from '../contract/reply.ts';

type Listener = (...args: never[]) => void;

/** Its fields are sent with the head, under those of the reply, as node does it. */
export class FetchRawResponse {
  /** By names in lower case. */
  readonly fields: ReplyHeaders = {};
  readonly #x: Exchange;

  constructor(x: Exchange) {
    this.#x = x;
  }

  get req(): unknown {
    return this.#x.rawRequest;
  }

  get statusCode(): number {
    return this.#x.status;
  }

  set statusCode(status: number) {
    this.#x.status = status;
    this.#x.hasStatus = true;
  }

  get headersSent(): boolean {
    return this.#x.isHeadWritten;
  }

  get writableEnded(): boolean {
    return this.#x.isEnded;
  }

  get finished(): boolean {
    return this.#x.isEnded;
  }

  get destroyed(): boolean {
    return this.#x.isDestroyed;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.fields[name.toLowerCase()] = value;
    return this;
  }

  getHeader(name: string): HeaderValue {
    return this.fields[name.toLowerCase()];
  }

  getHeaders(): ReplyHeaders {
    return { ...this.fields };
  }

  getHeaderNames(): string[] {
    return Object.keys(this.fields);
  }

  hasHeader(name: string): boolean {
    return Object.hasOwn(this.fields, name.toLowerCase());
  }

  removeHeader(name: string): void {
    delete this.fields[name.toLowerCase()];
  }

  writeHead(status: number, ...more: unknown[]): this {
    const given = more.find((each) => typeof each === 'object') as ReplyHeaders | undefined;
    for (const [name, value] of Object.entries(given ?? {})) this.setHeader(name, value);
    this.#x.writeHead(status, this.fields);
    return this;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#sendHead();
    return this.#x.write(chunk);
  }

  end(chunk?: string | Uint8Array): this {
    this.#sendHead();
    this.#x.end(chunk);
    return this;
  }

  destroy(error?: Error): this {
    this.#x.destroy(error);
    return this;
  }

  on(event: string, listener: Listener): this {
    if (event === 'finish') this.#x.onceFinished(listener as () => void);
    else if (event === 'close') this.#x.onceClosed(listener as () => void);
    else if (event === 'drain') this.#x.onDrained(listener as () => void);
    // The others never come.
    return this;
  }

  once(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  /** What listens once cannot be told twice. */
  removeListener(): this {
    return this;
  }

  off(): this {
    return this;
  }

  /** Once, and only if nothing was sent: the status is then that of `statusCode`. */
  #sendHead(): void {
    if (!this.#x.isHeadWritten) this.#x.writeHead(this.#x.status, this.fields);
  }
}

/** A member that only node's response has is an error which says so, instead of `undefined` that fails somewhere else. */
export function makeRawResponse(x: Exchange): FetchRawResponse {
  return new Proxy(new FetchRawResponse(x), {
    get(raw, name) {
      if (typeof name === 'symbol' || name in raw) {
        const value = Reflect.get(raw, name, raw);
        return typeof value === 'function' ? value.bind(raw) : value;
      }
      // Promises and JSON ask for these.
      if (name === 'then' || name === 'toJSON') return undefined;
      throw new RuntimeUnsupported(
        `reply.raw.${name}`,
        'Use the methods of the reply, or serve the application with `listen` on Node',
      );
    },
    set: (raw, name, value) => Reflect.set(raw, name, value, raw),
  });
}
