/** What `reply.raw` is for a request that came by `app.fetch`: the members of node's response that a `Response` can serve. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Exchange, ReplyHeaders } from '../contract/exchange.ts';
import type { HeaderValue } from '../contract/reply.ts';
import { membersOf } from './keep-members.ts';
import { refuseMembers } from './refuse-members.ts';

type Callback = (error?: Error | null) => void;

/** Its fields are sent with the head, under those of the reply, as node does it. */
export class FetchRawResponse extends Writable {
  statusMessage = '';
  sendDate = true;
  /** By names in lower case. */
  readonly fields: ReplyHeaders = {};
  readonly #x: Exchange;
  /** All that there is to send, if `end` was called with it and nothing was written before. */
  #whole: string | Uint8Array | undefined;
  #whenDrained: Callback | undefined;
  #whenFinished: Callback | undefined;

  constructor(x: Exchange) {
    super();
    this.#x = x;
    Object.defineProperties(this, members);
    // A client that leaves must not end the process if nobody listens.
    this.on('error', () => {});
    x.onDrained(() => this.#drain());
    x.onceFinished(() => this.#finish());
    x.onceClosed((error) => {
      if (error != null) this.destroy();
    });
  }

  static exchangeOf(response: FetchRawResponse): Exchange {
    return response.#x;
  }

  get req(): IncomingMessage {
    return this.#x.rawRequest;
  }

  get socket(): Socket {
    return this.req.socket;
  }

  get connection(): Socket {
    return this.req.socket;
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

  get finished(): boolean {
    return this.#x.isEnded;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#refuseSent('set');
    this.fields[name.toLowerCase()] = value;
    return this;
  }

  appendHeader(name: string, value: string | string[]): this {
    const before = this.getHeader(name) as string | string[] | undefined;
    return this.setHeader(name, before === undefined ? value : [before, value].flat());
  }

  setHeaders(headers: Headers | Map<string, HeaderValue>): this {
    for (const [name, value] of headers as Map<string, HeaderValue>) this.setHeader(name, value);
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
    this.#refuseSent('remove');
    delete this.fields[name.toLowerCase()];
  }

  /** @param more A message, which a `Response` does not need, and fields: an object, or names and values in turn. */
  writeHead(status: number, ...more: unknown[]): this {
    const given = more.find((each) => typeof each === 'object' && each !== null);
    for (const [name, value] of fieldsOf(given)) this.setHeader(name, value);
    this.#x.writeHead(status, this.fields);
    return this;
  }

  flushHeaders(): void {
    this.#sendHead();
    this.#x.write('');
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    this.#sendHead();
    return super.write(chunk, ...(rest as []));
  }

  /** Sends what it gets as one, if nothing was written before: the response then has its length. */
  override end(...given: unknown[]): this {
    this.#sendHead();
    const [chunk, encoding] = given;
    const isWhole = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (!isWhole || this.#whole !== undefined || this.writableLength > 0) return super.end(...(given as []));
    this.#whole = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : chunk;
    return super.end(given.find((each) => typeof each === 'function') as () => void);
  }

  /** The limits of time are those of the runtime. */
  setTimeout(): this {
    return this;
  }

  writeContinue(): void {}

  writeEarlyHints(_hints: unknown, callback?: () => void): void {
    callback?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    if (this.#x.write(chunk)) done();
    else this.#whenDrained = done;
  }

  override _final(done: Callback): void {
    if (this.#x.isEnded) {
      done();
      return;
    }
    this.#whenFinished = done;
    this.#x.end(this.#whole);
  }

  /** A response that is complete stays so. */
  override _destroy(error: Error | null, done: Callback): void {
    this.#x.destroy(error ?? undefined);
    done(error);
  }

  /** Once, and only if nothing was sent. By the method that middleware may have replaced, as node does it. */
  #sendHead(): void {
    if (!this.#x.isHeadWritten && !this.#x.isDestroyed) this.writeHead(this.statusCode);
  }

  #refuseSent(what: string): void {
    if (!this.#x.isHeadWritten) return;
    const error = new Error(`Cannot ${what} headers after they are sent to the client`);
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }

  #drain(): void {
    const done = this.#whenDrained;
    this.#whenDrained = undefined;
    done?.();
  }

  /** By `end` of this response or, if the reply was sent, without it. */
  #finish(): void {
    if (this.#whenFinished !== undefined) this.#whenFinished();
    else super.end();
  }
}

refuseMembers(FetchRawResponse, 'reply.raw', 'Use the methods of the reply', [
  'assignSocket',
  'detachSocket',
  'addTrailers',
  'writeProcessing',
  'writeInformation',
]);

const members: PropertyDescriptorMap & ThisType<FetchRawResponse> = {
  ...membersOf(FetchRawResponse, Writable),
  /** Whoever has ended it. */
  writableEnded: {
    get() {
      return this.finished;
    },
    configurable: true,
  },
};

function fieldsOf(given: unknown): [name: string, value: HeaderValue][] {
  if (!Array.isArray(given)) return Object.entries((given ?? {}) as ReplyHeaders);
  const fields: [string, HeaderValue][] = [];
  for (let i = 0; i < given.length; i += 2) fields.push([given[i], given[i + 1]]);
  return fields;
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' ? (given as BufferEncoding) : 'utf8';
}
