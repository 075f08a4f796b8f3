/** Writes a web stream into the response, as fast as the client reads. */

import { cancelStream } from '../shared/payload-shapes.ts';
import { ReadableStreamLocked } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { type DeclaredLength, declaredLengthOf } from './declared-length.ts';
import { publishFailure } from './request-channels.ts';
import { fail } from './run-steps.ts';
import { prepareHead } from './stream-payload.ts';
import { endWithTrailers } from './trailers.ts';

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
