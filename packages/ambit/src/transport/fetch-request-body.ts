/** The body of a web `Request`: it is read as a whole, read as a stream of node, or cancelled. */
import type { Readable } from 'node:stream';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { FetchRawRequest } from './fetch-raw-request.ts';
import type { FetchRequest } from './fetch-request.ts';

export class FetchRequestBody {
  /** Whether the whole body was read. */
  isComplete = false;
  readonly #x: FetchRequest;
  readonly #request: Request;
  #wasRead = false;
  #stream: FetchRawRequest | undefined = undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined = undefined;

  constructor(x: FetchRequest, request: Request) {
    this.#x = x;
    this.#request = request;
  }

  stream(): Readable {
    // After the response, an unread body is cancelled, and Deno throws when it is read.
    this.#stream ??= new FetchRawRequest(this.#x, this.#x.isEnded ? null : this.#request.body);
    return this.#stream;
  }

  read(limitBytes: number, settle: BytesCollected): void {
    // A hook may have read the property without reading the stream.
    if (this.#stream !== undefined) {
      new StreamCollector(this.#stream, limitBytes, settle).listen();
      return;
    }
    this.#wasRead = true;
    if (Number(this.#x.requestHeader('content-length')) <= limitBytes) this.#readAtOnce(limitBytes, settle);
    else this.#readInPieces(limitBytes, settle);
  }

  /** For a body with a declared length: runtimes read it faster in this way than as a stream. */
  #readAtOnce(limitBytes: number, settle: BytesCollected): void {
    this.#request.arrayBuffer().then(
      (bytes) => {
        this.isComplete = true;
        const { byteLength } = bytes;
        // A request that code has created may have another length than it declares.
        if (byteLength > limitBytes) settle(overLimit, [], byteLength);
        else settle(this.#x.isClientGone ? clientGone() : undefined, [Buffer.from(bytes)], byteLength);
      },
      (error) => settle(this.#x.toBodyError(error) ?? null, [], 0),
    );
  }

  #readInPieces(limitBytes: number, settle: BytesCollected): void {
    const chunks: Buffer[] = [];
    const bytes = { arrived: 0 };
    this.#collect(limitBytes, chunks, bytes).then(
      (isComplete) => settle(isComplete ? undefined : overLimit, chunks, bytes.arrived),
      (error) => settle(this.#x.toBodyError(error) ?? null, chunks, bytes.arrived),
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
    // A body that was cancelled because its client has left ends without an error, but is not complete.
    if (this.#x.isClientGone) throw clientGone();
    this.isComplete = true;
    return true;
  }

  /** Called when the client has left: code that reads the body gets an error. */
  abandon(): void {
    this.#reader?.cancel(clientGone()).catch(() => {});
    this.#stream?.destroy(clientGone());
  }

  /** Called when there is a response. Cancels a body that nothing reads, because its sender would otherwise wait forever. */
  cancelUnread(): void {
    if (this.#wasRead) return;
    const { body } = this.#request;
    if (body !== null && !body.locked) body.cancel().catch(() => {});
  }
}

export function clientGone(): Error {
  const error = new Error('The client left before the response was complete');
  return Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
