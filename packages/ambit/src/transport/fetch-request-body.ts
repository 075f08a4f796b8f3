/** Owns the body of a web `Request`: it is read whole, or as a stream of node, or cancelled. */
import type { Readable } from 'node:stream';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { FetchRawRequest } from './fetch-raw-request.ts';
import type { FetchRequest } from './fetch-request.ts';

export class FetchRequestBody {
  /** Whether all of it has been read. */
  isWhole = false;
  readonly #x: FetchRequest;
  readonly #request: Request;
  #isTaken = false;
  #stream: FetchRawRequest | undefined = undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined = undefined;

  constructor(x: FetchRequest, request: Request) {
    this.#x = x;
    this.#request = request;
  }

  stream(): Readable {
    this.#stream ??= new FetchRawRequest(this.#x, this.#request.body);
    return this.#stream;
  }

  read(limitBytes: number, settle: BytesCollected): void {
    // A hook may have asked for the stream and left it alone.
    if (this.#stream !== undefined) {
      new StreamCollector(this.#stream, limitBytes, settle).listen();
      return;
    }
    this.#isTaken = true;
    if (Number(this.#x.requestHeader('content-length')) <= limitBytes) this.#readAtOnce(limitBytes, settle);
    else this.#readInPieces(limitBytes, settle);
  }

  /** For a body with a declared length: runtimes read it faster than a stream. */
  #readAtOnce(limitBytes: number, settle: BytesCollected): void {
    this.#request.arrayBuffer().then(
      (bytes) => {
        this.isWhole = true;
        const { byteLength } = bytes;
        // A request that was made by hand may have another length than it declares.
        if (byteLength > limitBytes) settle(overLimit, [], byteLength);
        else settle(this.#x.isClientGone ? clientGone() : undefined, [Buffer.from(bytes)], byteLength);
      },
      (error) => settle(this.#x.bodyFailed(error) ?? null, [], 0),
    );
  }

  #readInPieces(limitBytes: number, settle: BytesCollected): void {
    const chunks: Buffer[] = [];
    const bytes = { arrived: 0 };
    this.#collect(limitBytes, chunks, bytes).then(
      (isWhole) => settle(isWhole ? undefined : overLimit, chunks, bytes.arrived),
      (error) => settle(this.#x.bodyFailed(error) ?? null, chunks, bytes.arrived),
    );
  }

  /** @returns Whether the body ended within the limit. Otherwise it is cancelled, so that its sender stops. */
  async #collect(limitBytes: number, chunks: Buffer[], bytes: { arrived: number }): Promise<boolean> {
    const { body } = this.#request;
    if (body === null) return true;
    const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    this.#reader = reader;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
      bytes.arrived += next.value.byteLength;
      if (bytes.arrived > limitBytes) {
        reader.cancel().catch(() => {});
        return false;
      }
    }
    // A body that was cancelled because its client left ends in order, but is not whole.
    if (this.#x.isClientGone) throw clientGone();
    this.isWhole = true;
    return true;
  }

  /** The client has left: whoever reads the body gets an error. */
  abandon(): void {
    this.#reader?.cancel(clientGone()).catch(() => {});
    this.#stream?.destroy(clientGone());
  }

  /** Once there is a response, a body that nobody reads is cancelled: its sender would wait for ever. */
  cancelUnread(): void {
    if (this.#isTaken) return;
    const { body } = this.#request;
    if (body !== null && !body.locked) body.cancel().catch(() => {});
  }
}

export function clientGone(): Error {
  const error = new Error('The client left before the response was complete');
  return Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
