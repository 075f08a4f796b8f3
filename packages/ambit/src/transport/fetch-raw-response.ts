/** The `reply.raw` of requests that come through `app.fetch`: the members of node's response that are possible with a `Response`. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Exchange, ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import { membersOf, refuseMembers } from './raw-members.ts';

type Callback = (error?: Error | null) => void;

/** Its fields are sent with the head. A field of the reply overrides a field of the same name, as in node. */
export class FetchRawResponse extends Writable {
  statusMessage = '';
  sendDate = true;
  /** The fields, by names in lower case. */
  readonly fields: ReplyHeaders = {};
  readonly #x: Exchange;
  /** The whole payload, if it was passed to `end` and nothing was written before. */
  #wholePayload: string | Uint8Array | undefined;
  #onDrained: Callback | undefined;
  #onFinished: Callback | undefined;

  constructor(x: Exchange) {
    super();
    this.#x = x;
    Object.defineProperties(this, members);
    // Without a listener, the error of a client that leaves would end the process.
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
    this.#rejectIfSent('set');
    this.fields[name.toLowerCase()] = value;
    return this;
  }

  appendHeader(name: string, value: string | string[]): this {
    const existing = this.getHeader(name) as string | string[] | undefined;
    return this.setHeader(name, existing === undefined ? value : [existing, value].flat());
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
    this.#rejectIfSent('remove');
    delete this.fields[name.toLowerCase()];
  }

  /** @param more A reason phrase, which is ignored, and fields: an object, or alternating names and values. */
  writeHead(status: number, ...more: unknown[]): this {
    const fields = more.find((each) => typeof each === 'object' && each !== null);
    this.#rejectIfSent('write');
    for (const [name, value] of fieldsOf(fields)) this.setHeader(name, value);
    this.#x.writeHead(status, this.fields);
    return this;
  }

  flushHeaders(): void {
    this.#sendHead();
    this.#x.write('');
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (this.#x.isEnded) {
      const done = rest.find((each) => typeof each === 'function') as Callback | undefined;
      queueMicrotask(() => done?.(writtenLate()));
      return false;
    }
    this.#sendHead();
    return super.write(chunk, ...(rest as []));
  }

  /** If nothing was written before, sends the payload in one piece, so that the response has its length. */
  override end(...args: unknown[]): this {
    this.#sendHead();
    const [chunk, encoding] = args;
    const hasPayload = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (!hasPayload || this.#wholePayload !== undefined || this.writableLength > 0)
      return super.end(...(args as []));
    this.#wholePayload = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : chunk;
    return super.end(args.find((each) => typeof each === 'function') as () => void);
  }

  /** Has no effect, because the runtime has its own time limits. */
  setTimeout(): this {
    return this;
  }

  writeContinue(): void {}

  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    this.#x.writeEarlyHints(hints, callback);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    if (this.#x.write(chunk)) done();
    else this.#onDrained = done;
  }

  override _final(done: Callback): void {
    if (this.#x.isEnded) {
      done();
      return;
    }
    this.#onFinished = done;
    this.#x.end(this.#wholePayload);
  }

  /** Has no effect on a complete response. */
  override _destroy(error: Error | null, done: Callback): void {
    this.#x.destroy(error ?? undefined);
    done(error);
  }

  /** Sends the head if it was not sent. Calls the public `writeHead`, as node does, because middleware may have replaced it. */
  #sendHead(): void {
    if (!this.#x.isHeadWritten && !this.#x.isDestroyed) this.writeHead(this.statusCode);
  }

  #rejectIfSent(what: string): void {
    if (!this.#x.isHeadWritten) return;
    const error = new Error(`Cannot ${what} headers after they are sent to the client`);
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }

  #drain(): void {
    const done = this.#onDrained;
    this.#onDrained = undefined;
    done?.();
  }

  /** Called when the reply has ended, either by `end` of this object or in another way. */
  #finish(): void {
    if (this.#onFinished !== undefined) this.#onFinished();
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
  /** True even if the reply was not ended by `end` of this object. */
  writableEnded: {
    get() {
      return this.finished;
    },
    configurable: true,
  },
};

function fieldsOf(fieldsOrList: unknown): [name: string, value: HeaderValue][] {
  if (!Array.isArray(fieldsOrList)) return Object.entries((fieldsOrList ?? {}) as ReplyHeaders);
  const fields: [string, HeaderValue][] = [];
  for (let i = 0; i < fieldsOrList.length; i += 2) fields.push([fieldsOrList[i], fieldsOrList[i + 1]]);
  return fields;
}

function writtenLate(): Error {
  return Object.assign(new Error('write after end'), { code: 'ERR_STREAM_WRITE_AFTER_END' });
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
}
