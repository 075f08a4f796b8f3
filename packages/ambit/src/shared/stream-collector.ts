/** Collects the bytes of one stream, up to a limit. */
import type { Readable } from 'node:stream';

/** The error if the stream has more bytes than the limit allows. */
export const overLimit: unique symbol = Symbol('over limit');

/**
 * Called once. The chunks are views of memory that the source of the stream may reuse. Bytes that are kept must be copied.
 * @param error `undefined` if the stream has ended normally; `overLimit`; or the error of the stream, which may be any value; `null` if the
 *   stream failed without an error.
 * @param arrivedBytes The number of bytes; before decoding, if the stream counts them.
 */
export type BytesCollected = (error: unknown, chunks: readonly Buffer[], arrivedBytes: number) => void;

/** `receivedEncodedLength` is the number of bytes before decoding, for streams that decompress. */
type CountingStream = Readable & { receivedEncodedLength?: number };

export class StreamCollector<Stream extends CountingStream = CountingStream> {
  protected readonly stream: Stream;
  protected hasEnded = false;
  readonly #limitBytes: number;
  readonly #settle: BytesCollected;
  readonly #chunks: Buffer[] = [];
  #receivedBytes = 0;

  constructor(stream: Stream, limitBytes: number, settle: BytesCollected) {
    this.stream = stream;
    this.#limitBytes = limitBytes;
    this.#settle = settle;
  }

  /** Reads the bytes from the events of the stream. */
  listen(): void {
    this.stream.on('data', this.onData);
    this.awaitEnd();
  }

  protected awaitEnd(): void {
    const { stream } = this;
    stream.on('end', this.finish);
    stream.on('error', this.fail);
    stream.resume();
  }

  protected readonly onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#receivedBytes += bytes.length;
    this.#chunks.push(bytes);
    // A hook may decompress the body, so the limit applies to the bytes before and after it.
    const encodedBytes = this.stream.receivedEncodedLength ?? 0;
    if (this.#receivedBytes > this.#limitBytes || encodedBytes > this.#limitBytes) this.#end(overLimit);
  };

  protected readonly finish = (): void => this.#end(undefined);

  /** An event `error` without an error is a failure, too, because the bytes are incomplete. */
  protected readonly fail = (error: unknown): void => this.#end(error === undefined ? null : error);

  #end(error: unknown): void {
    const { stream } = this;
    this.hasEnded = true;
    stream.removeListener('data', this.onData);
    stream.removeListener('end', this.finish);
    stream.removeListener('error', this.fail);
    this.#settle(error, this.#chunks, stream.receivedEncodedLength || this.#receivedBytes);
  }
}
