/** A transport on web standards: `Request` in, `Response` out. It shows that an exchange needs no objects of node's. */
import { Readable } from 'node:stream';
import type { Context } from 'ambit';
import { nodeOf } from '../../src/context/context-node.ts';
import { Exchange, type ReplyHeaders } from '../../src/contract/exchange.ts';
import { type BytesCollected, overLimit } from '../../src/shared/stream-collector.ts';

/** @returns A promise that rejects where the application ends the exchange without a response. */
export function fetchFrom(app: Context, request: Request): Promise<Response> {
  const { app: state } = nodeOf(app);
  return new Promise((resolve, reject) => state.dispatch(new WebExchange(request, { resolve, reject })));
}

const gone = Object.assign(new Error('the client left'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
type Caller = { resolve(response: Response): void; reject(error: Error): void };
type Sink = ReadableStreamDefaultController<Uint8Array>;

class WebExchange extends Exchange {
  override method: string;
  override url: string;
  override originalUrl: string;
  override requestHeaders: Exchange['requestHeaders'];
  override isEncrypted: boolean;
  override hasBody: boolean;
  override isClientGone = false;
  override status = 200;
  override isHeadWritten = false;
  override isEnded = false;
  override isDestroyed = false;
  override rawRequest = undefined as never;
  override rawResponse = undefined;
  readonly #request: Request;
  readonly #caller: Caller;
  readonly #events = new EventTarget();
  #bodyStream: Readable | undefined;
  #fields: ReplyHeaders = {};
  #sink: Sink | undefined;

  constructor(request: Request, caller: Caller) {
    super();
    const { pathname, search, host, protocol } = new URL(request.url);
    this.method = request.method;
    this.url = this.originalUrl = pathname + search;
    this.requestHeaders = { host, ...Object.fromEntries(request.headers) };
    this.isEncrypted = protocol === 'https:';
    this.hasBody = request.body !== null;
    [this.#request, this.#caller] = [request, caller];
    request.signal.addEventListener('abort', this.#leave);
  }

  override readBody(limitBytes: number, settle: BytesCollected): void {
    const chunks: Buffer[] = [];
    let arrivedBytes = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of this.#bodyStream ?? this.#request.body ?? []) {
        chunks.push(Buffer.from(chunk));
        arrivedBytes += chunk.length;
        if (arrivedBytes > limitBytes) return settle(overLimit, chunks, arrivedBytes);
      }
      settle(undefined, chunks, arrivedBytes);
    };
    read().catch((error) => settle(error ?? null, chunks, arrivedBytes));
  }

  override streamBody(): Readable {
    this.#bodyStream ??= Readable.fromWeb((this.#request.body ?? new Blob([]).stream()) as never);
    return this.#bodyStream;
  }

  override prepareHead(fields: ReplyHeaders): void {
    makeHeaders(fields);
    this.#fields = { ...fields };
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    this.prepareHead(fields);
    this.status = status;
    this.isHeadWritten = true;
  }

  override write(chunk: string | Uint8Array): boolean {
    this.isHeadWritten = true;
    if (this.#hasNoContent) return true;
    (this.#sink ?? this.#openStream()).enqueue(Buffer.from(chunk as string));
    return this.#sink!.desiredSize! > 0;
  }

  override end(payload?: string | Uint8Array): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isHeadWritten = true;
    if (this.#sink === undefined) this.#answer(this.#hasNoContent ? null : (payload ?? ''));
    else if (payload !== undefined) this.write(payload);
    this.#sink?.close();
    this.isEnded = true;
    queueMicrotask(() => this.#emit('finish') && this.#emit('close'));
  }

  get #hasNoContent(): boolean {
    return this.method === 'HEAD' || [204, 205, 304].includes(this.status);
  }

  #answer(body: string | Uint8Array | ReadableStream | null): void {
    const headers = makeHeaders(this.#fields);
    this.#caller.resolve(new Response(body as string, { status: this.status, headers }));
  }

  #openStream(): Sink {
    const start = (sink: Sink): void => {
      this.#sink = sink;
    };
    const source = { start, pull: () => void this.#emit('drain'), cancel: this.#leave };
    this.#answer(new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 65_536 })));
    return this.#sink!;
  }

  override destroy(error: Error = new Error('the exchange was destroyed')): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isDestroyed = true;
    this.#sink?.error(error);
    this.#caller.reject(error);
    this.#emit('close');
  }

  /** The client gave up, or let go of the response's body. */
  readonly #leave = (): void => {
    if (this.isEnded || this.isDestroyed) return;
    this.isClientGone = true;
    this.#emit('leave');
    this.destroy();
  };

  readonly #emit = (name: string): boolean => this.#events.dispatchEvent(new Event(name));
  override onDrained = (listener: () => void): void => this.#events.addEventListener('drain', listener);
  override onceFinished = (listener: () => void): void =>
    this.#events.addEventListener('finish', () => listener());
  override onceClosed(listener: (error?: Error) => void): void {
    this.#events.addEventListener('close', () => listener(this.isEnded ? undefined : gone));
  }
  override onClientGone(listener: () => void): () => void {
    this.#events.addEventListener('leave', listener);
    return () => this.#events.removeEventListener('leave', listener);
  }
}

/** @throws {TypeError} for a field that cannot be sent. */
function makeHeaders(fields: ReplyHeaders): Headers {
  const headers = new Headers();
  for (const name in fields) for (const text of [fields[name]].flat()) headers.append(name, `${text}`);
  return headers;
}
