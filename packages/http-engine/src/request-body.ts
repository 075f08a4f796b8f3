/** Receives the body of a request: it is passed on as a whole, or pushed into node's request. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { completeRawRequest, markRead } from './runtime-internals.ts';
import { readStream } from './through-node.ts';

/** A body that nothing has requested is read up to this size. After that, the client must wait. */
const maxUnrequestedBytes = 64 * 1024;

const nothing = Buffer.alloc(0);

export class RequestBody {
  /** The number of bytes that have not arrived; 0 if the body is complete. */
  missingBytes: number;
  /** Whether the stream that gets the body is full, so that the client should wait. */
  #isStreamFull = false;
  #pieces: Buffer[] | undefined = undefined;
  #collectedBytes = 0;
  #firstPiece: Buffer | undefined = undefined;
  /** Whether the body was passed on as a whole. */
  #wasTaken = false;
  #isDiscarded = false;
  /** Why the body is gone, if the client has left. */
  #abortError: Error | undefined = undefined;
  #stream: IncomingMessage | undefined = undefined;
  #take: ((body: Buffer) => void) | undefined = undefined;
  #fail: ((error: Error) => void) | undefined = undefined;

  constructor(lengthBytes: number) {
    this.missingBytes = lengthBytes;
  }

  /**
   * Whether the client should wait until something requests the body, or until the stream that gets it has room. The stream's request is
   * returned once.
   */
  takePauseRequest(): boolean {
    if (this.#stream !== undefined) {
      const isFull = this.#isStreamFull;
      this.#isStreamFull = false;
      return isFull;
    }
    return this.#take === undefined && !this.#isDiscarded && this.#collectedBytes >= maxUnrequestedBytes;
  }

  // HOT: once per request with a body.
  /**
   * Takes the bytes that belong to the body.
   *
   * @returns The position after it.
   */
  receive(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.missingBytes);
    this.missingBytes -= end - start;
    if (!this.#isDiscarded) {
      const piece = bytes.subarray(start, end);
      if (this.#stream !== undefined) this.#isStreamFull = !this.#stream.push(piece);
      else {
        this.#collectedBytes += piece.length;
        if (this.#firstPiece === undefined) this.#firstPiece = piece;
        else {
          this.#pieces ??= [this.#firstPiece];
          this.#pieces.push(piece);
        }
      }
    }
    if (this.missingBytes > 0) return end;
    if (this.#stream !== undefined) completeRawRequest(this.#stream);
    else if (this.#take !== undefined) this.#handOver(this.#take);
    return end;
  }

  #handOver(take: (body: Buffer) => void): void {
    const body = this.#pieces === undefined ? (this.#firstPiece ?? nothing) : Buffer.concat(this.#pieces);
    this.#clear();
    this.#wasTaken = true;
    take(body);
  }

  #clear(): void {
    this.#pieces = undefined;
    this.#firstPiece = undefined;
    this.#collectedBytes = 0;
    this.#take = undefined;
    this.#fail = undefined;
  }

  /** Passes on the whole body, now or later. If later, the callback runs in the async context of the caller. */
  read(take: (body: Buffer) => void, fail: (error: Error) => void): void {
    if (this.#isDiscarded)
      fail(
        this.#abortError ?? new Error('the body was dropped after the response, because nobody had read it'),
      );
    else if (this.missingBytes === 0) this.#handOver(take);
    else {
      this.#take = AsyncResource.bind(take);
      this.#fail = AsyncResource.bind(fail);
    }
  }

  /** From now on, the body goes into a stream, beginning with the bytes that have arrived. */
  pipeInto(stream: IncomingMessage): void {
    const pieces = this.#pieces ?? (this.#firstPiece === undefined ? [] : [this.#firstPiece]);
    const take = this.#take;
    const fail = this.#fail;
    this.#clear();
    // A caller that waits for the whole body gets it from the stream.
    if (take !== undefined && fail !== undefined) readStream(stream, take, fail, Number.POSITIVE_INFINITY);
    if (!this.#isDiscarded) this.#stream = stream;
    for (const piece of pieces) if (piece.length > 0) stream.push(piece);
    if (this.missingBytes === 0 || this.#isDiscarded) completeRawRequest(stream);
    // The stream has been read to its end.
    if (this.#wasTaken) markRead(stream);
  }

  /** Drops the body, because nothing will read it, unless a caller waits for it. */
  discard(): void {
    if (this.#take !== undefined) return;
    this.#isDiscarded = true;
    this.#clear();
  }

  /** Called when the client has closed the connection. */
  abort(error: Error): void {
    const fail = this.#fail;
    this.#clear();
    // A body that was dropped before keeps its reason.
    if (!this.#isDiscarded) this.#abortError = error;
    this.#isDiscarded = true;
    fail?.(error);
  }
}
