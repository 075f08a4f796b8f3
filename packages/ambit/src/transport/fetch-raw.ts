/**
 * `request.raw` and `reply.raw` of requests that come through `app.fetch`: the members of node's objects that are possible without a
 * connection. Others are refused.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { CallSite, type ErrorPlace } from '../shared/call-site.ts';
import { RuntimeUnsupported, UndefinedError } from '../types/errors.ts';
import type { Exchange, ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import type { FetchExchange } from './fetch-exchange.ts';

/** Has the members of node's request that are possible without a connection. Like node's request, it is the stream of the body. */
export class FetchRawRequest extends Readable {
  static {
    addIgnored(FetchRawRequest, ['setTimeout']);
  }

  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly upgrade = false;
  readonly trailers: Record<string, never> = {};
  readonly rawTrailers: readonly string[] = [];
  method: string;
  headers: Exchange['requestHeaders'];
  readonly #x: FetchExchange;
  readonly #body: ReadableStream<Uint8Array> | null;
  #socket: FetchRawSocket | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** @param body Read only when this stream is read, and only as fast. */
  constructor(x: FetchExchange, body: ReadableStream<Uint8Array> | null) {
    super();
    this.#x = x;
    this.#body = body;
    this.method = x.method;
    this.headers = x.requestHeaders;
    Object.defineProperties(this, requestMembers);
    // Without a listener, the error of a client that leaves would end the process.
    this.on('error', () => {});
    x.onceClosed((error) => {
      // After a complete response, nothing will begin to read the body. If the client has left, code that reads it gets the error.
      if (error != null || this.#reader === undefined) this.destroy(error ?? undefined);
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
      // Without an error, those who read it would not learn that it has failed.
      this.destroy((this.#x.toBodyError(error) || new UndefinedError()) as Error);
    }
  }
}

/** Has the address of the client, and emits `close`. The runtime owns the connection. */
class FetchRawSocket extends EventEmitter {
  static {
    addIgnored(FetchRawSocket, ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref']);
    addRefused(
      FetchRawSocket,
      (socket) => socket.#x,
      'request.raw.socket',
      'Use the request and the reply',
      'write end read pipe pause resume address getPeerCertificate getPeerX509Certificate getProtocol getCipher getSession',
    );
  }

  readonly readable = true;
  readonly #x: Exchange;

  constructor(x: Exchange) {
    super();
    this.#x = x;
    x.onceClosed((error) => this.emit('close', error != null));
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

  toJSON(): { remoteAddress: string | undefined; encrypted: boolean } {
    return { remoteAddress: this.remoteAddress, encrypted: this.encrypted };
  }
}

type Callback = (error?: Error | null) => void;

/** Its fields are sent with the head. A field of the reply overrides a field of the same name, as in node. */
export class FetchRawResponse extends Writable {
  static {
    addIgnored(FetchRawResponse, ['setTimeout']);
    addRefused(
      FetchRawResponse,
      (response) => response.#x,
      'reply.raw',
      'Use the methods of the reply',
      'assignSocket detachSocket addTrailers writeProcessing writeInformation',
    );
  }

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
    Object.defineProperties(this, responseMembers);
    // Without a listener, the error of a client that leaves would end the process.
    this.on('error', () => {});
    x.onDrained(() => this.#drain());
    x.onceFinished(() => this.#finish());
    x.onceClosed((error) => {
      if (error != null) this.destroy();
    });
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
      const error = Object.assign(new Error('write after end'), { code: 'ERR_STREAM_WRITE_AFTER_END' });
      queueMicrotask(() => done?.(error));
      return false;
    }
    this.#sendHead();
    return super.write(chunk, ...(rest as []));
  }

  /** If nothing was written before, sends the payload in one piece, so that the response has its length. */
  override end(...args: unknown[]): this {
    this.#sendHead();
    const [chunk, second] = args;
    const encoding = typeof second === 'string' ? (second as BufferEncoding) : 'utf8';
    const hasPayload = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (!hasPayload || this.#wholePayload !== undefined || this.writableLength > 0)
      return super.end(...(args as []));
    this.#wholePayload = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    return super.end(args.find((each) => typeof each === 'function') as () => void);
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

function fieldsOf(fieldsOrList: unknown): [name: string, value: HeaderValue][] {
  if (!Array.isArray(fieldsOrList)) return Object.entries((fieldsOrList ?? {}) as ReplyHeaders);
  const fields: [string, HeaderValue][] = [];
  for (let i = 0; i < fieldsOrList.length; i += 2) fields.push([fieldsOrList[i], fieldsOrList[i + 1]]);
  return fields;
}

// ---- the members

/** They are members of each object, so that Express may replace its prototype. */
const requestMembers = membersOf(FetchRawRequest);
const responseMembers: PropertyDescriptorMap & ThisType<FetchRawResponse> = {
  ...membersOf(FetchRawResponse, Writable),
  /** True even if the reply was not ended by `end` of this object. */
  writableEnded: {
    get() {
      return this.finished;
    },
    configurable: true,
  },
};

/**
 * Returns the members of classes as descriptors for an object's own members. If classes have the same member, that of the first one is
 * used.
 */
function membersOf(...classes: readonly { prototype: object }[]): PropertyDescriptorMap {
  const members: PropertyDescriptorMap = {};
  for (const { prototype } of [...classes].reverse())
    for (const name of Reflect.ownKeys(prototype))
      if (name !== 'constructor') members[name as string] = ownDescriptor(prototype, name);
  return members;
}

function ownDescriptor(prototype: object, name: PropertyKey): PropertyDescriptor {
  const member = Object.getOwnPropertyDescriptor(prototype, name)!;
  if ('value' in member) return { ...member, enumerable: false, configurable: true };
  // Properties of node's objects can be assigned, and Express does so.
  const set = member.set ?? replace(name);
  return { get: member.get!, set, enumerable: false, configurable: true };
}

function replace(name: PropertyKey) {
  return function (this: object, value: unknown): void {
    Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
  };
}

/** Adds methods that have no effect, because the runtime owns the connection and has its own time limits. */
function addIgnored({ prototype }: { readonly prototype: object }, names: readonly string[]): void {
  const value = function (this: object): object {
    return this;
  };
  for (const name of names)
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
}

/**
 * Adds methods that only node's objects have. Each throws an error that says so, instead of "is not a function". The error names the
 * plugin, the route and the caller.
 *
 * @param owner How the application reads the object: `reply.raw`.
 * @param hint What to do instead, besides serving the application with node:http.
 * @param names With spaces between them.
 */
function addRefused<Raw>(
  { prototype }: { readonly prototype: Raw },
  exchangeOf: (raw: Raw) => Exchange,
  owner: string,
  hint: string,
  names: string,
): void {
  const instead = `${hint}, or serve the application with node:http: call \`listen\`, on Bun and Deno with the option \`engine: 'node'\``;
  for (const name of names.split(' ')) {
    const value = function (this: Raw): never {
      const { method, plan, url } = exchangeOf(this);
      const where: ErrorPlace = {
        plugin: plan.context.pluginName,
        route: `${method} ${plan.info.url ?? url}`,
        file: new CallSite().file,
      };
      throw RuntimeUnsupported.at({ where }, `${owner}.${name}`, instead);
    };
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
