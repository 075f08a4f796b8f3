/** The `Headers` of a request: single fields are read from the exchange, and native `Headers` do everything else. */
import type { Exchange } from '../exchange/exchange.ts';
import { delegateTo } from './delegate.ts';

/** Names of fields (RFC 9110, 5.1). */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

export class IncomingHeaders {
  readonly #exchange: Exchange;
  readonly #host: string | undefined;
  #native: Headers | undefined = undefined;

  /** @param host If set, it replaces the field `host`. */
  constructor(exchange: Exchange, host: string | undefined) {
    this.#exchange = exchange;
    this.#host = host;
  }

  // HOT: several times per request.
  get(name: string): string | null {
    if (this.#native !== undefined) return this.#native.get(name);
    const key = String(name).toLowerCase();
    const value: unknown =
      this.#host !== undefined && key === 'host' ? this.#host : this.#exchange.header(key);
    if (typeof value === 'string') return value;
    // Native headers throw an error if the name is invalid.
    return token.test(name) ? null : this.native.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** Returns an object of all fields, as on Bun. It is a new object for each call. */
  toJSON(): Record<string, string | string[]> {
    const fields = this.#native === undefined ? this.#fields : Object.fromEntries(this.#native);
    return { ...fields } as Record<string, string | string[]>;
  }

  get #fields(): Exchange['headers'] {
    const { headers } = this.#exchange;
    return this.#host === undefined ? headers : { ...headers, host: this.#host };
  }

  [Symbol.iterator](): ReturnType<Headers['entries']> {
    return this.native.entries();
  }

  get native(): Headers {
    this.#native ??= makeHeaders(this.#fields);
    return this.#native;
  }

  /** Called when the native `Request` was created: from then on, its headers are used. */
  set native(headers: Headers) {
    this.#native = headers;
  }
}

function makeHeaders(fields: Exchange['headers']): Headers {
  const headers = new Headers();
  for (const name in fields) {
    const value = fields[name];
    if (Array.isArray(value)) for (const each of value) headers.append(name, each);
    else if (value !== undefined) headers.append(name, value);
  }
  return headers;
}

delegateTo(IncomingHeaders, Headers, (headers) => headers.native);
