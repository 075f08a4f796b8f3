/** The body of a `Request`: it is read once, as a whole or as a web stream with backpressure. */
import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange/exchange.ts';
import { ClientGone } from '../exchange/through-node.ts';

const decoder = new TextDecoder();

/** Decodes UTF-8, without a byte order mark, as `Request` does. */
export function decodeText(bytes: Buffer): string {
  return bytes[0] === 0xef ? decoder.decode(bytes) : bytes.toString('utf8');
}

/** Copies bytes into memory of their own, because the memory of a buffer may contain other data. */
export function copyMemory({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

export class IncomingBody {
  readonly #exchange: Exchange;
  #isUsed = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Whether the whole body was read, or is being read. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  // HOT: once per request with a body.
  /** Reads the whole body. Do not call this if `makeStream` was called. */
  read<Result>(convert: (bytes: Buffer) => Result): Promise<Result> {
    if (this.#isUsed) return Promise.reject(new TypeError('Body is unusable: Body has already been read'));
    this.#isUsed = true;
    return new Promise((resolve, reject) => {
      this.#exchange.readBody((bytes) => {
        try {
          resolve(convert(bytes));
        } catch (error) {
          // The text may be longer than JavaScript allows.
          reject(error);
        }
      }, reject);
    });
  }

  /** Call this at most once, and only if `read` was not called. */
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

/** Passes on what node's stream has whenever the web stream asks for more, so that the client sends only as fast as the body is read. */
class BodySource {
  readonly #exchange: Exchange;
  #controller: ReadableByteStreamController | undefined = undefined;
  #body: Readable | undefined = undefined;
  /** Wakes the reader that waits for an event; `undefined` if none waits. */
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
    const wake = (): void => this.#onEvent?.();
    body.on('readable', wake).on('end', wake).on('error', wake).on('close', wake);
    this.#exchange.onFinished(() => this.#finish());
    return body;
  }

  /** Passes on what has arrived, or the end of the body. @returns False if there is nothing to pass on. */
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
    // A reader that passed its own buffer sees the end only after this call.
    controller.byobRequest?.respond(0);
  }

  #fail(error: Error): void {
    this.#controller?.error(error);
    this.#controller = undefined;
  }

  /**
   * Called when the response is complete. If no reader waits, the rest of the body is dropped, because the client would otherwise wait
   * forever to send it.
   */
  #finish(): void {
    if (this.#controller === undefined || this.#onEvent !== undefined) return;
    this.#fail(new TypeError('The rest of the body was dropped, because the response is complete'));
    this.drop();
  }

  drop(): void {
    this.#controller = undefined;
    // A client that still waits for 100 (Continue) would get it. Without it, the connection ends after the response.
    if (this.#body === undefined && this.#exchange.header('expect') !== undefined) return;
    this.#body ??= this.#exchange.bodyStream;
    this.#body.removeAllListeners('readable');
    this.#body.on('error', () => {});
    this.#body.resume();
  }
}
