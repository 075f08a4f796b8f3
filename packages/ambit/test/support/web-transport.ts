/** A small transport on web standards alone, `Request` in, `Response` out: an exchange needs none of node's objects. */
import { Readable } from 'node:stream';
import type { Context } from 'ambit';
import { nodeOf } from '../../src/context/definitions.ts';
import { checkFields } from '../../src/shared/http-facts.ts';
import { type BytesCollected, overLimit } from '../../src/shared/stream-collector.ts';
import { Exchange, type ReplyHeaders } from '../../src/types/exchange.ts';

/** @returns A promise that rejects if the application ends the exchange without a response. */
export function fetchFrom(app: Context, request: Request): Promise<Response> {
  const { app: state } = nodeOf(app);
  return new Promise((resolve, reject) => state.dispatch(new WebExchange(request, { resolve, reject })));
}

const clientGone = Object.assign(new Error('the client left'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
type Caller = { resolve(response: Response): void; reject(error: Error): void };
type Controller = ReadableStreamDefaultController<Uint8Array>;

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
  #headers = new Headers();
  #stream: Controller | undefined;

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
    this.#headers = makeHeaders(fields);
  }

  override writeHead(status: number, fields: ReplyHeaders): void {
    this.prepareHead(fields);
    this.status = status;
    this.isHeadWritten = true;
  }

  override write(chunk: string | Uint8Array): boolean {
    this.isHeadWritten = true;
    if (this.#hasNoContent) return true;
    const stream = this.#stream ?? this.#openStream();
    stream.enqueue(Buffer.from(chunk as string));
    return stream.desiredSize! > 0;
  }

  override end(payload?: string | Uint8Array): void {
    if (this.isEnded || this.isDestroyed) return;
    if (this.#stream === undefined) this.#answer(this.#hasNoContent ? null : (payload ?? ''));
    else if (payload !== undefined) this.write(payload);
    this.#stream?.close();
    this.isEnded = this.isHeadWritten = true;
    queueMicrotask(() => this.#emit('finish') && this.#emit('close'));
  }

  get #hasNoContent(): boolean {
    return this.method === 'HEAD' || [204, 205, 304].includes(this.status);
  }

  #answer(body: string | Uint8Array | ReadableStream | null): void {
    this.#caller.resolve(new Response(body as string, { status: this.status, headers: this.#headers }));
  }

  #openStream(): Controller {
    const start = (controller: Controller): void => {
      this.#stream = controller;
    };
    const source = { start, pull: () => void this.#emit('drain'), cancel: this.#leave };
    this.#answer(new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 65_536 })));
    return this.#stream!;
  }

  override destroy(error: Error = new Error('the exchange was destroyed')): void {
    if (this.isEnded || this.isDestroyed) return;
    this.isDestroyed = true;
    this.#stream?.error(error);
    this.#caller.reject(error);
    this.#emit('close');
  }

  /** The client gave up, or cancelled the body of the response. */
  readonly #leave = (): void => {
    this.isClientGone = !this.isEnded && !this.isDestroyed;
    if (this.isClientGone) this.#emit('leave');
    this.destroy();
  };

  readonly #emit = (name: string): boolean => this.#events.dispatchEvent(new Event(name));
  readonly #on = (name: string, listener: () => void): void => this.#events.addEventListener(name, listener);
  override onDrained = (listener: () => void): void => this.#on('drain', listener);
  override onceFinished = (listener: () => void): void => this.#on('finish', () => listener());
  override onceClosed(listener: (error?: Error) => void): void {
    this.#on('close', () => listener(this.isEnded ? undefined : clientGone));
  }
  override onceSettled = this.onceClosed;
  override onClientGone(listener: () => void): () => void {
    this.#on('leave', listener);
    return () => this.#events.removeEventListener('leave', listener);
  }
}

function makeHeaders(fields: ReplyHeaders): Headers {
  checkFields(fields);
  const headers = new Headers();
  for (const name in fields) for (const text of [fields[name]].flat()) headers.append(name, `${text}`);
  return headers;
}
