/**
 * Writes node streams and web streams into the response, as fast as the client reads, and checks a declared length. An error before the first
 * byte gets a reply; a later one cuts the response off.
 */

import { Buffer } from 'node:buffer';
import { finished, Readable } from 'node:stream';
import { cancelStream, closeStream } from '../shared/values.ts';
import { PayloadTypeInvalid, ReadableStreamLocked, StreamLengthMismatch } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { publishFailure } from './exchange.ts';
import { log } from './log.ts';
import { fail } from './run-steps.ts';
import { endWithTrailers } from './trailers.ts';

/** Older streams and file handles have `close` or `abort` instead of `destroy`. */
type StreamLike = Readable & { close?: (done: () => void) => void; abort?: () => void };

export function sendStream(x: Exchange, stream: StreamLike): void {
  const responseEpoch = x.responseEpoch;
  let isSourceOpen = true;
  let isReported = false;
  let hasFailed = false;
  const report = (error: Error): void => {
    if (!isReported) x.plan.logWriter.streamError(error, x.request, x.reply);
    isReported = true;
  };
  const end = (): void => {
    if (isSourceOpen && x.responseEpoch === responseEpoch) {
      const mismatch = length?.checkEnd();
      if (mismatch === undefined) endWithTrailers(x, null);
      else stop(mismatch);
    }
    isSourceOpen = false;
  };
  const stop = (error: Error): void => {
    // Closing a stream after a failure, or before its end, may cause another error of the stream.
    if (hasFailed || (x.method === 'HEAD' && !isSourceOpen)) return;
    hasFailed = true;
    isSourceOpen = false;
    if (x.isHeadWritten || x.isClientGone) {
      report(error);
      if (!x.isClientGone) publishFailure(x, error);
      x.destroy();
    } else if (x.responseEpoch === responseEpoch) {
      fail(x, error);
    }
  };

  finished(stream, { readable: true, writable: false }, (error) => {
    if (error == null) end();
    else stop(error);
  });
  x.onceClosed((error) => {
    if (!isSourceOpen) return;
    if (error != null && x.isHeadWritten) report(error);
    if (!closeStream(stream)) log(x, 'warn', 'stream payload does not end properly');
  });

  prepareHead(x);
  const response = pipesByItself(stream) ? x.pipeTarget : undefined;
  const length = response === undefined ? declaredLengthOf(x) : undefined;
  if (response === undefined) pump(x, stream, length, end, stop);
  else stream.pipe(response, { end: x.trailers === undefined });
}

/**
 * Whether a stream has its own `pipe`. Clients such as `got` use it to set the status and the headers of what they fetch on node's
 * response.
 */
function pipesByItself(stream: Readable): boolean {
  return stream.pipe !== Readable.prototype.pipe && stream.readableObjectMode !== true;
}

function pump(
  x: Exchange,
  stream: Readable,
  length: DeclaredLength | undefined,
  end: () => void,
  stop: (error: Error) => void,
): void {
  const { responseEpoch } = x;
  let listensToDrain = false;
  const write = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      throw new PayloadTypeInvalid(typeof chunk);
    length?.add(chunk);
    if (x.write(chunk)) return;
    stream.pause();
    if (!listensToDrain) x.onDrained(() => stream.resume());
    listensToDrain = true;
  };
  stream.on('data', (chunk: unknown) => {
    if (x.isDestroyed || x.isEnded || x.responseEpoch !== responseEpoch) return;
    if (x.method === 'HEAD') {
      // The first chunk shows that the stream works, and the rest is not needed.
      end();
      closeStream(stream);
      return;
    }
    try {
      write(chunk);
    } catch (error) {
      // Not thrown, because nothing could catch it in an event listener of the stream.
      stop(error as Error);
      closeStream(stream);
    }
  });
  // `end` and not `close`, which may come much later.
  stream.on('end', end);
  // A paused stream does not start by itself.
  if (stream.isPaused?.()) stream.resume();
}

/** Sets the headers without writing them. Until data arrives, an error reply can still replace them. */
function prepareHead(x: Exchange): void {
  if (x.isHeadWritten) {
    log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    return;
  }
  x.prepareHead(x.replyHeaders);
}

type WebStream = ReadableStream<Uint8Array | string>;

export function sendWebStream(x: Exchange, stream: WebStream): void {
  if (stream.locked) throw new ReadableStreamLocked();
  new WebStreamPayload(x, stream).send();
}

class WebStreamPayload {
  readonly #x: Exchange;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array | string>;
  readonly #responseEpoch: number;
  #length: DeclaredLength | undefined = undefined;
  #isSourceOpen = true;
  #isReported = false;
  #isWaiting = false;
  #listensToDrain = false;

  constructor(x: Exchange, stream: WebStream) {
    this.#x = x;
    this.#reader = stream.getReader();
    this.#responseEpoch = x.responseEpoch;
  }

  send(): void {
    const x = this.#x;
    x.onceClosed((error) => {
      if (!this.#isSourceOpen) return;
      if (error != null && x.isHeadWritten) this.#report(error);
      cancelStream(this.#reader);
    });
    prepareHead(x);
    if (x.method === 'HEAD') {
      // Such a response has no content, so the stream is not read.
      cancelStream(this.#reader);
      this.#end();
    } else {
      this.#length = declaredLengthOf(x);
      this.#readNext();
    }
  }

  #readNext(): void {
    this.#reader
      .read()
      .then(({ done, value }) => {
        if (done) this.#end();
        else if (!this.#x.isDestroyed) this.#write(value);
      })
      .catch((error) => this.#stop(error));
  }

  #write(chunk: Uint8Array | string): void {
    this.#length?.add(chunk);
    if (this.#x.write(chunk)) this.#readNext();
    else {
      this.#isWaiting = true;
      if (!this.#listensToDrain) this.#x.onDrained(() => this.#resume());
      this.#listensToDrain = true;
    }
  }

  #resume(): void {
    if (!this.#isWaiting || this.#x.isDestroyed) return;
    this.#isWaiting = false;
    this.#readNext();
  }

  #end(): void {
    const mismatch = this.#length?.checkEnd();
    if (mismatch !== undefined) throw mismatch;
    this.#isSourceOpen = false;
    endWithTrailers(this.#x, null);
  }

  #stop(error: Error): void {
    const x = this.#x;
    this.#isSourceOpen = false;
    // The source must be cancelled, because it has not failed itself if a chunk cannot be written.
    cancelStream(this.#reader, error);
    if (x.isHeadWritten || x.isClientGone) {
      this.#report(error);
      if (!x.isClientGone) publishFailure(x, error);
      x.destroy();
    } else if (x.responseEpoch === this.#responseEpoch) {
      fail(x, error);
    }
  }

  #report(error: Error): void {
    if (!this.#isReported) this.#x.plan.logWriter.streamError(error, this.#x.request, this.#x.reply);
    this.#isReported = true;
  }
}

/** Checks that a streamed payload has the length that its head declares. Otherwise, the client would read the rest of it as the next response, or would wait for bytes that never come (RFC 9112, 6.3). */
class DeclaredLength {
  readonly #declaredBytes: number;
  #writtenBytes = 0;

  /** @param declaredBytes Integer >= 0. */
  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  /** @throws {StreamLengthMismatch} if the payload is longer than declared. Call it before the chunk is written. */
  add(chunk: string | Uint8Array): void {
    this.#writtenBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
    if (this.#writtenBytes > this.#declaredBytes) throw this.#mismatch('more');
  }

  /** @returns An error if the payload is shorter than declared. */
  checkEnd(): Error | undefined {
    return this.#writtenBytes < this.#declaredBytes ? this.#mismatch(String(this.#writtenBytes)) : undefined;
  }

  #mismatch(written: string): Error {
    return new StreamLengthMismatch(this.#declaredBytes, written);
  }
}

/** @returns `undefined` if no length is declared, or if it describes the content of the response to GET. */
function declaredLengthOf(x: Exchange): DeclaredLength | undefined {
  if (x.method === 'HEAD') return undefined;
  const declared = x.replyHeaders['content-length'] ?? x.getHeader('content-length');
  return declared !== undefined && /^\d+$/.test(String(declared))
    ? new DeclaredLength(Number(declared))
    : undefined;
}
