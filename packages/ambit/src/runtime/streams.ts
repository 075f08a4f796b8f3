/**
 * Writes node streams and web streams into the response, as fast as the client reads, and ends a response with its trailers. An error before
 * the first byte gets a reply; a later one cuts the response off.
 */

import { Buffer } from 'node:buffer';
import { finished, Readable } from 'node:stream';
import { isFieldValue } from '../shared/http-facts.ts';
import { cancelStream, closeStream, isThenable } from '../shared/values.ts';
import { PayloadTypeInvalid, ReadableStreamLocked, StreamLengthMismatch } from '../types/errors.ts';
import { type Exchange, replyField } from '../types/exchange.ts';
import { ensureError, log, publishFailure } from './exchange.ts';
import { fail, isCurrent } from './run-steps.ts';

/** Older streams and file handles have `close` or `abort` instead of `destroy`. */
type StreamLike = Readable & { close?: (done: () => void) => void; abort?: () => void };

export function sendStream(x: Exchange, stream: StreamLike): void {
  const content = new StreamedContent(x, {
    resume: () => stream.resume(),
    close: () => closeStream(stream),
  });
  finished(stream, { readable: true, writable: false }, (error) => {
    if (error == null) content.end();
    else content.fail(error);
  });
  content.prepareHead();
  const response = pipesByItself(stream) ? x.pipeTarget : undefined;
  if (response !== undefined) {
    stream.pipe(response, { end: x.trailers === undefined });
    return;
  }
  content.readDeclaredLength();
  stream.on('data', (chunk: unknown) => {
    if (!content.isCurrent) return;
    if (x.method === 'HEAD') {
      // The first chunk shows that the stream works, and the rest is not needed.
      content.end();
      closeStream(stream);
    } else if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      // Not thrown, because nothing could catch it in an event listener of the stream.
      content.refuse(new PayloadTypeInvalid(typeof chunk));
    } else if (!content.write(chunk)) stream.pause();
  });
  // `end` and not `close`, which may come much later.
  stream.on('end', () => content.end());
  // A paused stream does not start by itself.
  if (stream.isPaused?.()) stream.resume();
}

/**
 * Whether a stream has its own `pipe`. Clients such as `got` use it to set the status and the headers of what they fetch on node's
 * response.
 */
function pipesByItself(stream: Readable): boolean {
  return stream.pipe !== Readable.prototype.pipe && stream.readableObjectMode !== true;
}

export function sendWebStream(x: Exchange, stream: ReadableStream<Uint8Array | string>): void {
  if (stream.locked) throw new ReadableStreamLocked();
  const reader = stream.getReader();
  let isWaiting = false;
  const content = new StreamedContent(x, {
    resume: () => {
      if (isWaiting && !x.isDestroyed) readNext();
    },
    close: (error) => {
      cancelStream(reader, error);
      return true;
    },
  });
  const readNext = (): void => {
    isWaiting = false;
    reader
      .read()
      .then(({ done, value }) => {
        if (done) content.end();
        else if (content.isCurrent && content.write(value)) readNext();
        else isWaiting = true;
      })
      // The source must be cancelled, because it has not failed itself if a chunk cannot be written.
      .catch((error) => content.refuse(error));
  };
  content.prepareHead();
  if (x.method === 'HEAD') {
    // Such a response has no content, so the stream is not read.
    cancelStream(reader);
    content.end();
  } else {
    content.readDeclaredLength();
    readNext();
  }
}

/** The stream that a content comes from. */
interface Source {
  /** Called when more can be written, after a write that returned `false`. */
  resume(): void;
  /** Returns `false` if the stream cannot be closed. */
  close(error?: Error): boolean;
}

/** The content of a response, from its source to the wire. */
class StreamedContent {
  readonly #x: Exchange;
  readonly #source: Source;
  readonly #responseEpoch: number;
  #isSourceOpen = true;
  #hasFailed = false;
  #isReported = false;
  #listensToDrain = false;
  #declaredBytes: number | undefined = undefined;
  #writtenBytes = 0;

  constructor(x: Exchange, source: Source) {
    this.#x = x;
    this.#source = source;
    this.#responseEpoch = x.responseEpoch;
    x.onceClosed((error) => {
      if (!this.#isSourceOpen) return;
      if (error != null && x.isHeadWritten) this.#report(error);
      if (!source.close()) log(x, 'warn', 'stream payload does not end properly');
    });
  }

  /** Whether the response still waits for this content. */
  get isCurrent(): boolean {
    return !this.#x.isDestroyed && isCurrent(this.#x, this.#responseEpoch);
  }

  /** Sets the headers without writing them. Until data arrives, an error reply can still replace them. */
  prepareHead(): void {
    const x = this.#x;
    if (x.isHeadWritten)
      log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    else x.prepareHead(x.replyHeaders);
  }

  /**
   * From now on, the content must have the length that the head declares. Otherwise, the client would read the rest of it as the next
   * response, or would wait for bytes that never come (RFC 9112, 6.3). In a reply to HEAD, it is the length of the response to GET.
   */
  readDeclaredLength(): void {
    const declared = replyField(this.#x, 'content-length');
    if (this.#x.method !== 'HEAD' && /^\d+$/.test(String(declared))) this.#declaredBytes = Number(declared);
  }

  /** @returns Whether more can be written at once. */
  write(chunk: string | Uint8Array): boolean {
    const x = this.#x;
    try {
      if (this.#declaredBytes !== undefined) {
        this.#writtenBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
        if (this.#writtenBytes > this.#declaredBytes)
          throw new StreamLengthMismatch(this.#declaredBytes, 'more');
      }
      if (x.write(chunk)) return true;
    } catch (error) {
      this.refuse(error as Error);
      return false;
    }
    if (!this.#listensToDrain) x.onDrained(() => this.#source.resume());
    this.#listensToDrain = true;
    return false;
  }

  /** Called when the source has ended, as often as it says so. */
  end(): void {
    if (!this.#isSourceOpen) return;
    if (this.#x.responseEpoch === this.#responseEpoch) {
      if (this.#writtenBytes < (this.#declaredBytes ?? 0))
        this.fail(new StreamLengthMismatch(this.#declaredBytes!, String(this.#writtenBytes)));
      else endWithTrailers(this.#x, null);
    }
    this.#isSourceOpen = false;
  }

  /** Closes the source, because the response does not take its content. */
  refuse(error: Error): void {
    this.fail(error);
    this.#source.close(error);
  }

  fail(error: Error): void {
    const x = this.#x;
    // Closing a stream after a failure, or before its end, may cause another error of the stream.
    if (this.#hasFailed || (x.method === 'HEAD' && !this.#isSourceOpen)) return;
    this.#hasFailed = true;
    this.#isSourceOpen = false;
    if (x.isHeadWritten || x.isClientGone) {
      this.#report(error);
      if (!x.isClientGone) publishFailure(x, error);
      x.destroy();
    } else if (x.responseEpoch === this.#responseEpoch) fail(x, error);
  }

  /** Logs the first error of a stream whose response can no longer be replaced. */
  #report(error: Error): void {
    const { plan, request, reply } = this.#x;
    if (!this.#isReported) plan.logWriter.streamError(error, request, reply);
    this.#isReported = true;
  }
}

/**
 * Announces the trailers that were not removed (RFC 9110, 6.5): they are computed when the payload was written, and sent last. HTTP/1.0 has
 * none.
 */
export function announceTrailers(x: Exchange): void {
  const names = Object.keys(x.trailers!).filter((name) => x.trailers![name] !== undefined);
  if (names.length > 0 && x.httpVersion !== '1.0') x.announceTrailers(x.replyHeaders, names);
  else x.trailers = undefined;
}

/** Removes all trailers and the field that announces them: a reply without content has none, nor has the last reply to an error. */
export function dropTrailers(x: Exchange): void {
  x.trailers = undefined;
  delete x.replyHeaders.trailer;
}

/** Ends the response, with its trailers if it has any. */
export function endWithTrailers(x: Exchange, payload: unknown): void {
  if (x.trailers === undefined) {
    x.end();
    return;
  }
  const values: Record<string, string> = Object.create(null);
  const pending = Object.keys(x.trailers).map((name) => computeTrailer(x, name, payload, values));
  Promise.all(pending).then(() => {
    if (x.isEnded || x.isDestroyed) return;
    try {
      x.addTrailers(values);
    } catch (error) {
      log(x, 'debug', { err: error }, 'the trailers failed');
    }
    x.end();
  });
}

/** Computes a trailer. If it fails, it is left out, because the payload was already sent. */
async function computeTrailer(
  x: Exchange,
  name: string,
  payload: unknown,
  values: Record<string, string>,
): Promise<void> {
  const compute = x.trailers![name];
  if (compute === undefined) return;
  try {
    const value = await new Promise<string | undefined>((resolve, reject) => {
      const result = compute(x.reply, payload, (error, text) => {
        if (error === undefined || error === null) resolve(text);
        else reject(ensureError(error));
      });
      if (isThenable<string>(result)) result.then(resolve, reject);
      // If the function returned a value at once, it does not call `done`.
      else if (result !== undefined) resolve(result);
    });
    if (value === undefined) return;
    const text = String(value);
    if (!isFieldValue(text)) throw new TypeError('its value cannot be sent in a field');
    values[name] = text;
  } catch (error) {
    log(x, 'debug', { err: error }, `trailer '${name}' failed`);
  }
}
