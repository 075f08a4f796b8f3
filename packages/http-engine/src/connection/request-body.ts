/** Owns the body of a request while it arrives: whole for whoever asks for it so, or pushed into node's request. */

import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { completeRawRequest } from '../raw/raw-request.ts';

/** A body that nobody has asked for yet is read up to here; then the client waits. */
const mostUnaskedBytes = 64 * 1024;

const nothing = Buffer.alloc(0);

export class RequestBody {
  /** Bytes that have not come yet. */
  #missingBytes: number;
  /** Whether the stream that takes the body asks the client to wait. */
  isStreamFull = false;
  #pieces: Buffer[] | undefined = undefined;
  #heldBytes = 0;
  #only: Buffer | undefined = undefined;
  #wasTaken = false;
  #isDiscarded = false;
  #stream: IncomingMessage | undefined = undefined;
  #take: ((body: Buffer) => void) | undefined = undefined;
  #fail: ((error: Error) => void) | undefined = undefined;

  constructor(lengthBytes: number) {
    this.#missingBytes = lengthBytes;
  }

  get isComplete(): boolean {
    return this.#missingBytes === 0;
  }

  /** Whether the client should wait until somebody asks for the body. */
  get isFull(): boolean {
    return (
      this.#stream === undefined &&
      this.#take === undefined &&
      !this.#isDiscarded &&
      this.#heldBytes >= mostUnaskedBytes
    );
  }

  // HOT: once per request with a body.
  /**
   * Takes what belongs to the body.
   *
   * @returns The place behind it. Where the stream is full, `isStreamFull` says so.
   */
  receive(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.#missingBytes);
    this.#missingBytes -= end - start;
    if (!this.#isDiscarded) this.#keep(bytes.subarray(start, end));
    if (this.#missingBytes === 0) this.#complete();
    return end;
  }

  #keep(piece: Buffer): void {
    if (this.#stream !== undefined) {
      this.isStreamFull = !this.#stream.push(piece);
      return;
    }
    this.#heldBytes += piece.length;
    if (this.#only === undefined) this.#only = piece;
    else {
      this.#pieces ??= [this.#only];
      this.#pieces.push(piece);
    }
  }

  #complete(): void {
    if (this.#stream !== undefined) completeRawRequest(this.#stream);
    else if (this.#take !== undefined) this.#handOver(this.#take);
  }

  #handOver(take: (body: Buffer) => void): void {
    const body = this.#pieces === undefined ? (this.#only ?? nothing) : Buffer.concat(this.#pieces);
    this.#forget();
    this.#wasTaken = true;
    take(body);
  }

  #forget(): void {
    this.#pieces = undefined;
    this.#only = undefined;
    this.#heldBytes = 0;
    this.#take = undefined;
    this.#fail = undefined;
  }

  /** Hands over the whole body, now or later; what comes later runs in the asynchronous context of the one who asked. */
  read(take: (body: Buffer) => void, fail: (error: Error) => void): void {
    if (this.#isDiscarded)
      fail(new Error('the body was dropped after the response, because nobody had read it'));
    else if (this.#missingBytes === 0) this.#handOver(take);
    else {
      this.#take = AsyncResource.bind(take);
      this.#fail = AsyncResource.bind(fail);
    }
  }

  /** Whether the body was handed over whole. */
  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  /** From here on the body goes into a stream, beginning with what has come. */
  pipeInto(stream: IncomingMessage): void {
    const pieces = this.#pieces ?? (this.#only === undefined ? [] : [this.#only]);
    this.#forget();
    if (!this.#isDiscarded) this.#stream = stream;
    for (const piece of pieces) if (piece.length > 0) stream.push(piece);
    if (this.#missingBytes === 0 || this.#isDiscarded) completeRawRequest(stream);
    // Whoever has taken it has read it to its end.
    if (this.#wasTaken) stream.resume();
  }

  /** Nobody will read it: what still comes is dropped. */
  discard(): void {
    if (this.#take !== undefined) return;
    this.#isDiscarded = true;
    this.#forget();
  }

  /** The client left. */
  abort(error: Error): void {
    const fail = this.#fail;
    this.#forget();
    this.#isDiscarded = true;
    fail?.(error);
  }
}
