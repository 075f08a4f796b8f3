/** Owns the `Headers` of a request: single fields are read from the exchange, and all else from genuine `Headers`. */
import type { Exchange } from '../exchange/exchange.ts';
import { delegateTo } from './delegate.ts';

/** Names of fields (RFC 9110, 5.1). */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

export class IncomingHeaders {
  readonly #exchange: Exchange;
  readonly #host: string | undefined;
  #genuine: Headers | undefined = undefined;

  /** @param host Takes the place of the field `host`. */
  constructor(exchange: Exchange, host: string | undefined) {
    this.#exchange = exchange;
    this.#host = host;
  }

  // HOT: several times per request.
  get(name: string): string | null {
    if (this.#genuine !== undefined) return this.#genuine.get(name);
    const key = String(name).toLowerCase();
    const value: unknown =
      this.#host !== undefined && key === 'host' ? this.#host : this.#exchange.header(key);
    if (typeof value === 'string') return value;
    // Genuine headers throw the error of a name that is none.
    return token.test(name) ? null : this.genuine.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** As on Bun: an object of all fields, which is the caller's. */
  toJSON(): Record<string, string | string[]> {
    const fields = this.#genuine === undefined ? this.#fields : Object.fromEntries(this.#genuine);
    return { ...fields } as Record<string, string | string[]>;
  }

  get #fields(): Exchange['headers'] {
    const { headers } = this.#exchange;
    return this.#host === undefined ? headers : { ...headers, host: this.#host };
  }

  [Symbol.iterator](): ReturnType<Headers['entries']> {
    return this.genuine.entries();
  }

  get genuine(): Headers {
    this.#genuine ??= makeHeaders(this.#fields);
    return this.#genuine;
  }

  /** From now on, the headers are those of the genuine `Request`. */
  set genuine(headers: Headers) {
    this.#genuine = headers;
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

delegateTo(IncomingHeaders, Headers, (headers) => headers.genuine);
