/**
 * Writes node streams and web streams into the response, as fast as the client reads, and checks a declared length. An error before the first
 * byte gets a reply; a later one cuts the response off.
 */

import { Buffer } from 'node:buffer';
import { finished, Readable } from 'node:stream';
import { cancelStream, closeStream } from '../shared/values.ts';
import { PayloadTypeInvalid, ReadableStreamLocked, StreamLengthMismatch } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { log, publishFailure } from './exchange.ts';
import { fail } from './run-steps.ts';
import { endWithTrailers } from './trailers.ts';

/** Older streams and file handles have `close` or `abort` instead of `destroy`. */
type StreamLike = Readable & { close?: (done: () => void) => void; abort?: () => void };

export function sendStream(x: Exchange, stream: StreamLike): void {
  const { responseEpoch } = x;
  const report = makeReport(x);
  let isSourceOpen = true;
  let hasFailed = false;
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
    failStream(x, error, responseEpoch, report);
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

export function sendWebStream(x: Exchange, stream: ReadableStream<Uint8Array | string>): void {
  if (stream.locked) throw new ReadableStreamLocked();
  const reader = stream.getReader();
  const { responseEpoch } = x;
  const report = makeReport(x);
  let length: DeclaredLength | undefined;
  let isSourceOpen = true;
  let isWaiting = false;
  let listensToDrain = false;
  const readNext = (): void => {
    reader
      .read()
      .then(({ done, value }) => {
        if (done) end();
        else if (!x.isDestroyed) write(value);
      })
      .catch(stop);
  };
  const write = (chunk: Uint8Array | string): void => {
    length?.add(chunk);
    if (x.write(chunk)) readNext();
    else {
      isWaiting = true;
      if (!listensToDrain) x.onDrained(resume);
      listensToDrain = true;
    }
  };
  const resume = (): void => {
    if (!isWaiting || x.isDestroyed) return;
    isWaiting = false;
    readNext();
  };
  const end = (): void => {
    const mismatch = length?.checkEnd();
    if (mismatch !== undefined) throw mismatch;
    isSourceOpen = false;
    endWithTrailers(x, null);
  };
  const stop = (error: Error): void => {
    isSourceOpen = false;
    // The source must be cancelled, because it has not failed itself if a chunk cannot be written.
    cancelStream(reader, error);
    failStream(x, error, responseEpoch, report);
  };

  x.onceClosed((error) => {
    if (!isSourceOpen) return;
    if (error != null && x.isHeadWritten) report(error);
    cancelStream(reader);
  });
  prepareHead(x);
  if (x.method === 'HEAD') {
    // Such a response has no content, so the stream is not read.
    cancelStream(reader);
    end();
  } else {
    length = declaredLengthOf(x);
    readNext();
  }
}

/** Creates a function that logs the first error of a stream whose response can no longer be replaced. */
function makeReport(x: Exchange): (error: Error) => void {
  let isReported = false;
  return (error) => {
    if (!isReported) x.plan.logWriter.streamError(error, x.request, x.reply);
    isReported = true;
  };
}

function failStream(x: Exchange, error: Error, responseEpoch: number, report: (error: Error) => void): void {
  if (x.isHeadWritten || x.isClientGone) {
    report(error);
    if (!x.isClientGone) publishFailure(x, error);
    x.destroy();
  } else if (x.responseEpoch === responseEpoch) fail(x, error);
}

/** Sets the headers without writing them. Until data arrives, an error reply can still replace them. */
function prepareHead(x: Exchange): void {
  if (x.isHeadWritten) {
    log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    return;
  }
  x.prepareHead(x.replyHeaders);
}

/**
 * Checks that a streamed payload has the length that its head declares. Otherwise, the client would read the rest of it as the next
 * response, or would wait for bytes that never come (RFC 9112, 6.3).
 */
class DeclaredLength {
  readonly #declaredBytes: number;
  #writtenBytes = 0;

  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  /** Throws if the payload is longer than declared. Must be called before the chunk is written. */
  add(chunk: string | Uint8Array): void {
    this.#writtenBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
    if (this.#writtenBytes > this.#declaredBytes) throw this.#mismatch('more');
  }

  /** Returns an error if the payload is shorter than declared. */
  checkEnd(): Error | undefined {
    return this.#writtenBytes < this.#declaredBytes ? this.#mismatch(String(this.#writtenBytes)) : undefined;
  }

  #mismatch(written: string): Error {
    return new StreamLengthMismatch(this.#declaredBytes, written);
  }
}

/** Returns `undefined` if no length is declared, or if it describes the content of the response to GET. */
function declaredLengthOf(x: Exchange): DeclaredLength | undefined {
  if (x.method === 'HEAD') return undefined;
  const declared = x.replyHeaders['content-length'] ?? x.getHeader('content-length');
  return declared !== undefined && /^\d+$/.test(String(declared))
    ? new DeclaredLength(Number(declared))
    : undefined;
}
