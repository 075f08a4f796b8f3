/** The bytes of a stream of items, as `onSend` hooks see them. Text is collected, and passed on when the reader requests more. */
import { Readable } from 'node:stream';

/** Items that are available at the same time are sent together, up to this size. */
const batchCharacters = 16_384;

/** The source of the items. */
export interface ItemSource {
  /** Called when the reader requests more. */
  onRead(): void;
  /** Called when the reader is destroyed, or has read everything. */
  stop(): void;
}

export class ItemBytes extends Readable {
  readonly #source: ItemSource;
  /** The framed text that was not passed on yet. */
  #pending: string;
  #isReadRequested = false;
  #isFlushing = false;
  /** Whether the pending text is the end of the content. */
  #isComplete = false;
  #isStopped = false;

  constructor(source: ItemSource, start: string) {
    super({ highWaterMark: 0 });
    this.#source = source;
    this.#pending = start;
  }

  /** Whether the reader waits, and there is no pending text for it. */
  get isReaderWaiting(): boolean {
    return this.#isReadRequested && this.#pending === '';
  }

  /** Whether another item can be sent together with the pending ones. */
  get hasRoom(): boolean {
    return this.#isReadRequested && this.#pending.length < batchCharacters;
  }

  /** Adds text, which is passed on in a later turn. */
  add(text: string): void {
    this.#pending += text;
    this.#flushSoon();
  }

  /** Adds text, and passes it on at once if the reader waits for it. */
  addAndFlush(text: string): void {
    this.#pending += text;
    this.flush();
  }

  /** Adds the last text. */
  complete(text: string): void {
    this.#isComplete = true;
    this.add(text);
  }

  /** Stops passing on text. */
  stop(): void {
    this.#isStopped = true;
  }

  override _read(): void {
    this.#isReadRequested = true;
    if (this.#pending !== '' || this.#isComplete) this.#flushSoon();
    this.#source.onRead();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.stop();
    done(error);
  }

  /**
   * Flushes in a later turn, so that items that are available at the same time are sent together, and other requests are served in between.
   */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  /** Passes on the pending text, if the reader has requested more. */
  flush(): void {
    if (!this.#isReadRequested || this.#isStopped) return;
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') {
      this.#isReadRequested = false;
      this.push(text);
    }
    if (this.#isComplete) {
      this.#isReadRequested = false;
      this.push(null);
    }
  }
}
