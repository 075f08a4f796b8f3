/** Owns the body of a request for `Request`: it is read whole, or as a web stream with backpressure, once. */
import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange/exchange.ts';
import { ClientGone } from '../exchange/through-node.ts';

const decoder = new TextDecoder();

/** UTF-8 without a byte order mark, as `Request` decodes it. */
export function decodeText(bytes: Buffer): string {
  return bytes[0] === 0xef ? decoder.decode(bytes) : bytes.toString('utf8');
}

/** Memory that holds nothing else: that of a buffer also holds other data. */
export function copyMemory({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

export class IncomingBody {
  readonly #exchange: Exchange;
  #isTaken = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Whether it was read whole, or is being read. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  // HOT: once per request with a body.
  /** Reads the body whole. Do not call this if there is a stream. */
  read<Result>(convert: (bytes: Buffer) => Result): Promise<Result> {
    if (this.#isTaken) return Promise.reject(new TypeError('Body is unusable: Body has already been read'));
    this.#isTaken = true;
    return new Promise((resolve, reject) => {
      this.#exchange.readBody((bytes) => {
        try {
          resolve(convert(bytes));
        } catch (error) {
          // A text may be longer than the engine allows.
          reject(error);
        }
      }, reject);
    });
  }

  /** Call this once, if the body was not read whole. */
  makeStream(): ReadableStream<Uint8Array> {
    const source = new BodySource(this.#exchange);
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => source.start(controller),
      pull: () => source.pull(),
      cancel: () => source.drop(),
    });
  }
}

/** Passes on what node's stream has when the web stream asks for it, so that the client waits for the reader. */
class BodySource {
  readonly #exchange: Exchange;
  #controller: ReadableByteStreamController | undefined = undefined;
  #body: Readable | undefined = undefined;
  /** A reader waits. */
  #onEvent: (() => void) | undefined = undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  start(controller: ReadableByteStreamController): void {
    this.#controller = controller;
  }

  async pull(): Promise<void> {
    this.#body ??= this.#open();
    while (this.#controller !== undefined && !this.#passOn(this.#body)) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve;
      });
      this.#onEvent = undefined;
    }
  }

  #open(): Readable {
    const body = this.#exchange.bodyStream;
    const tell = (): void => this.#onEvent?.();
    body.on('readable', tell).on('end', tell).on('error', tell).on('close', tell);
    this.#exchange.onFinished(() => this.#finish());
    return body;
  }

  /** Passes on what has arrived, or the end. @returns False if nothing has. */
  #passOn(body: Readable): boolean {
    const piece: Buffer | null = body.read();
    if (piece !== null) this.#controller!.enqueue(new Uint8Array(piece));
    else if (body.readableEnded) this.#close();
    else if (body.destroyed) this.#fail(body.errored ?? new ClientGone());
    else return false;
    return true;
  }

  #close(): void {
    const controller = this.#controller!;
    this.#controller = undefined;
    controller.close();
    // Whoever reads into a buffer of its own is told like this.
    controller.byobRequest?.respond(0);
  }

  #fail(error: Error): void {
    this.#controller?.error(error);
    this.#controller = undefined;
  }

  /** There is a response. If nobody waits for more of the body, the rest is dropped: its sender would wait for ever. */
  #finish(): void {
    if (this.#controller === undefined || this.#onEvent !== undefined) return;
    this.#fail(new TypeError('The rest of the body was dropped, because the response is complete'));
    this.drop();
  }

  drop(): void {
    this.#controller = undefined;
    this.#body ??= this.#exchange.bodyStream;
    this.#body.removeAllListeners('readable');
    this.#body.on('error', () => {});
    this.#body.resume();
  }
}
