/** Owns the bytes of a stream of items, as `onSend` hooks see them: text is collected, and passed on when the reader wants more. */
import { Readable } from 'node:stream';

/** Items that are there at once are sent together, up to this size. */
const batchCharacters = 16_384;

/** Where the items come from. */
export interface ItemSource {
  /** The reader wants more. */
  onWanted(): void;
  /** The reader has gone, or has everything. */
  stop(): void;
}

export class ItemBytes extends Readable {
  readonly #source: ItemSource;
  /** Framed, and not yet passed on. */
  #pending: string;
  #isWanted = false;
  #isFlushing = false;
  /** What is pending is the end of the content. */
  #isComplete = false;
  #isStopped = false;

  constructor(source: ItemSource, start: string) {
    super({ highWaterMark: 0 });
    this.#source = source;
    this.#pending = start;
  }

  /** Whether the reader waits, and nothing is there for it. */
  get isStarved(): boolean {
    return this.#isWanted && this.#pending === '';
  }

  /** Whether another item may join those that are sent together. */
  get hasRoom(): boolean {
    return this.#isWanted && this.#pending.length < batchCharacters;
  }

  /** Adds text; it is passed on in a later turn. */
  add(text: string): void {
    this.#pending += text;
    this.#flushSoon();
  }

  /** Passes text on at once, if the reader waits for it. */
  pass(text: string): void {
    this.#pending += text;
    this.flush();
  }

  /** Adds the last text. */
  complete(text: string): void {
    this.#isComplete = true;
    this.add(text);
  }

  /** Nothing more is passed on. */
  stop(): void {
    this.#isStopped = true;
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#pending !== '' || this.#isComplete) this.#flushSoon();
    this.#source.onWanted();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.stop();
    done(error);
  }

  /** In a later turn, so that items that are there at once are sent together, and other requests are served in between. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  /** Passes on what is there, if the reader wants it. */
  flush(): void {
    if (!this.#isWanted || this.#isStopped) return;
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') {
      this.#isWanted = false;
      this.push(text);
    }
    if (this.#isComplete) {
      this.#isWanted = false;
      this.push(null);
    }
  }
}
